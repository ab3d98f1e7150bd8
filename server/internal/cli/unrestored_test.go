package cli

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/disk"
)

// As long as an interrupted change cannot be taken back, commands can still read everything and change other folders.
// They cannot change the folder of the interrupted change.
func TestUnrestored(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	state, err := disk.StateDir()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := rootDir(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(dir))
	journal := filepath.Join(state, "transactions", hex.EncodeToString(sum[:16])+".applying.json")
	if err := errors.Join(os.MkdirAll(filepath.Dir(journal), 0o700), os.WriteFile(journal, []byte(`{"version": 99}`), 0o600)); err != nil {
		t.Fatal(err)
	}
	const reply = "```json\n{\"root\": \".\", \"files\": [{\"path\": \"a.txt\", \"operation\": \"create\", \"content\": \"a\\n\"}]}\n```\n"
	for _, c := range []struct {
		args []string
		exit int
	}{
		{[]string{"check", "--root", dir, "-"}, 0},
		{[]string{"diff", "--root", dir, "-"}, 0},
		{[]string{"history"}, 0},
		{[]string{"apply", "--root", dir, "-"}, 2},
		{[]string{"apply", "--root", t.TempDir(), "-"}, 0},
	} {
		var out, errs bytes.Buffer
		exit := Run(context.Background(), c.args, IO{In: strings.NewReader(reply), Out: &out, Err: &errs}, "test")
		if exit != c.exit || !strings.Contains(errs.String(), "version 99") {
			t.Errorf("%v: exit %d, want %d: %s%s", c.args, exit, c.exit, &out, &errs)
		}
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
		t.Errorf("the folder has %v: %v", files, err)
	}
}
