//go:build !windows

package lspserver_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/protocol"
)

func TestInstallCommand(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	bin := filepath.Join(home, ".local", "bin")
	link := filepath.Join(bin, "aptix")
	c := serve(t, nil, nil)
	install := func(path, want string, installed bool) {
		t.Helper()
		t.Setenv("PATH", path)
		var r protocol.InstallResult
		c.MustCall(protocol.MethodInstallCommand, nil, &r)
		if r.Installed != installed || !strings.Contains(r.Message, want) {
			t.Errorf("got %+v", r)
		}
	}
	install("/nowhere", link+", but that folder is not in PATH", false)
	install(bin, link+", which is in PATH", true)
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.Readlink(link); err != nil || got != program {
		t.Errorf("it leads to %s, %v", got, err)
	}
	other := filepath.Join(home, "aptix")
	if err := os.WriteFile(other, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	install(home+":"+bin, "a shell finds "+other+" first", false)
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(link, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	install(bin, "It was not changed. Remove it first", false)
}
