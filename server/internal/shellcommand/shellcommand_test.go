//go:build !windows

package shellcommand

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// place returns a place with a program in version 1 of the extension, and ~/.local/bin in
// PATH.
func place(t *testing.T) Place {
	t.Helper()
	home := t.TempDir()
	p := Place{Program: filepath.Join(home, "extensions/aptix.aptix-1.0.0-linux-x64/bin/aptix"), Home: home,
		Path: []string{filepath.Join(home, "first"), filepath.Join(home, ".local/bin") + "/"}}
	write(t, p.Program)
	return p
}

func write(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
}

// update returns the place after an update: version 2 replaces version 1.
func update(t *testing.T, p Place) Place {
	t.Helper()
	if err := os.RemoveAll(filepath.Dir(filepath.Dir(p.Program))); err != nil {
		t.Fatal(err)
	}
	p.Program = filepath.Join(p.Home, "extensions/aptix.aptix-2.0.0-linux-x64/bin/aptix")
	write(t, p.Program)
	return p
}

func leadsTo(t *testing.T, link, want string) {
	t.Helper()
	if got, err := os.Readlink(link); err != nil || got != want {
		t.Errorf("%s leads to %q, %v; want %q", link, got, err, want)
	}
}

func TestInstall(t *testing.T) {
	p := place(t)
	link := filepath.Join(p.Home, ".local/bin/aptix")
	for range 2 {
		if got, err := p.Install(); err != nil || got != (Command{link, true, ""}) {
			t.Fatalf("got %+v, %v", got, err)
		}
		leadsTo(t, link, p.Program)
	}
	p = update(t, p)
	if _, err := p.Install(); err != nil {
		t.Error(err)
	}
	leadsTo(t, link, p.Program)
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(link), ".*")); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

func TestInstallOutsidePath(t *testing.T) {
	p := place(t)
	p.Path = []string{"/nowhere"}
	link := filepath.Join(p.Home, ".local/bin/aptix")
	if got, err := p.Install(); err != nil || got != (Command{Link: link}) {
		t.Errorf("got %+v, %v", got, err)
	}
	leadsTo(t, link, p.Program)
}

// Neither a file nor a link to another program is replaced.
func TestForeignFilesStay(t *testing.T) {
	p := place(t)
	link := filepath.Join(p.Home, ".local/bin/aptix")
	write(t, link)
	check := func() {
		t.Helper()
		before, _ := os.Lstat(link)
		_, err := p.Install()
		if foreign := (*ForeignError)(nil); !errors.As(err, &foreign) || foreign.Path != link {
			t.Errorf("got %v", err)
		}
		if after, err := os.Lstat(link); err != nil || !os.SameFile(before, after) || before.Mode() != after.Mode() {
			t.Errorf("it was changed: %v", err)
		}
	}
	check()
	other := filepath.Join(p.Home, "other/aptix")
	write(t, other)
	if err := errors.Join(os.Remove(link), os.Symlink(other, link)); err != nil {
		t.Fatal(err)
	}
	check()
	leadsTo(t, link, other)
}

func TestAnotherComesFirst(t *testing.T) {
	p := place(t)
	other := filepath.Join(p.Home, "first/aptix")
	write(t, other)
	if err := os.MkdirAll(filepath.Join(p.Home, ".local/bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	if got, err := p.Install(); err != nil || got.First != other {
		t.Errorf("got %+v, %v", got, err)
	}
}

// If the folder of the extension cannot be written, the program is in the storage of the
// extension.
func TestRenewInStorage(t *testing.T) {
	p := place(t)
	if _, err := p.Install(); err != nil {
		t.Fatal(err)
	}
	p = update(t, p)
	p.Program = filepath.Join(p.Home, "globalStorage/aptix.aptix/program/aptix.aptix-2.0.0/bin/aptix")
	write(t, p.Program)
	if err := p.Renew(); err != nil {
		t.Fatal(err)
	}
	leadsTo(t, filepath.Join(p.Home, ".local/bin/aptix"), p.Program)
}

func TestRenew(t *testing.T) {
	p := place(t)
	link := filepath.Join(p.Home, ".local/bin/aptix")
	if err := p.Renew(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(link); err == nil {
		t.Fatal("a link that nobody asked for")
	}
	if _, err := p.Install(); err != nil {
		t.Fatal(err)
	}
	old := p.Program
	p.Program = filepath.Join(p.Home, "build/aptix")
	if err := p.Renew(); err != nil {
		t.Fatal(err)
	}
	leadsTo(t, link, old) // the other program belongs to no extension
	p.Program = old
	p = update(t, p)
	if err := p.Renew(); err != nil {
		t.Fatal(err)
	}
	leadsTo(t, link, p.Program)
}
