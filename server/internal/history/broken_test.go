package history

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/text"
)

func TestOpenRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o600))
	folder, lockIsFolder := t.TempDir(), t.TempDir()
	must(t, os.Mkdir(filepath.Join(folder, FileName), 0o700))
	must(t, os.Mkdir(filepath.Join(lockIsFolder, lockName), 0o700))
	for name, c := range map[string]struct{ dir, says string }{
		"the folder is a file":     {file, "file"},
		"the file is a folder":     {folder, "is not a regular file"},
		"the lock cannot be taken": {lockIsFolder, lockName},
	} {
		s, err := Open(c.dir)
		if err == nil {
			s.Close()
			t.Errorf("%s: opened", name)
			continue
		}
		if !strings.Contains(err.Error(), filepath.Join(c.dir, FileName)) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %q does not name the file and %q", name, err, c.says)
		}
	}
}

// Whichever part of the file is overwritten, nothing panics, and every result is right or is
// an error that names the file.
func TestDamagedFile(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	a := apply("k", did("a", stands(strings.Repeat("before ", 3000)), stands(strings.Repeat("after ", 3000))))
	s, err := Open(dir)
	must(t, err)
	must(t, s.Record(ctx, a))
	must(t, s.Close())
	path := filepath.Join(dir, FileName)
	whole, err := os.ReadFile(path)
	must(t, err)
	failures := 0
	for at := 0; at < len(whole); at += 2048 {
		damaged := append([]byte(nil), whole...)
		for i := at; i < at+512; i++ {
			damaged[i] ^= 0xa5
		}
		must(t, os.WriteFile(path, damaged, 0o600))
		if err := useDamaged(dir, a); err != nil {
			failures++
			if !strings.Contains(err.Error(), path) {
				t.Errorf("damage at %d: %q does not name the file", at, err)
			}
		}
	}
	if failures == 0 {
		t.Error("no damage was noticed")
	}
}

func useDamaged(dir string, a Apply) error {
	s, err := Open(dir)
	if err != nil {
		return err
	}
	defer s.Close()
	got, err := s.Get(context.Background(), a.ID)
	if err != nil {
		return err
	}
	for i, f := range got.Files {
		if f.Before.Data != a.Files[i].Before.Data || f.After.Data != a.Files[i].After.Data {
			return errors.New("wrong content came back without an error")
		}
	}
	a.ID = "another"
	if err := s.Record(context.Background(), a); err != nil {
		return err
	}
	_, err = s.List(context.Background(), a.Root, 0)
	return err
}

func TestDamagedContent(t *testing.T) {
	for _, harm := range []string{
		"UPDATE blob SET data = x'00'",
		"UPDATE blob SET size = size - 2",
		"UPDATE blob SET data = (SELECT data FROM blob ORDER BY size LIMIT 1)",
		"PRAGMA foreign_keys = OFF; DELETE FROM blob",
	} {
		ctx, s := context.Background(), open(t, t.TempDir())
		a := apply("k", did("a", stands("before"), stands("and after")))
		must(t, s.Record(ctx, a))
		_, err := s.db.Exec(harm)
		must(t, err)
		if _, err := s.Get(ctx, a.ID); !errors.Is(err, errDamaged) || !strings.Contains(err.Error(), s.path) {
			t.Errorf("%s: %v", harm, err)
		}
	}
}

func TestLadder(t *testing.T) {
	for version := range len(steps) + 1 {
		dir := t.TempDir()
		db, err := sql.Open("sqlite", filepath.Join(dir, FileName))
		must(t, err)
		_, err = db.Exec(strings.Join(steps[:version], ";") + fmt.Sprintf("; PRAGMA user_version = %d", version))
		must(t, err)
		must(t, db.Close())
		usable(t, open(t, dir), len(steps))
	}
}

// An older program can use the file of a newer one, and does not lower its version.
func TestNewerFile(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(dir)
	must(t, err)
	_, err = s.db.Exec("ALTER TABLE apply ADD COLUMN batch TEXT; PRAGMA user_version = 1000")
	must(t, err)
	must(t, s.Close())
	s = open(t, dir)
	usable(t, s, 1000)
	_, err = s.db.Exec("PRAGMA user_version = -1")
	must(t, err)
	_ = open(t, dir)
}

func TestNewFileCanGiveSpaceBack(t *testing.T) {
	s := open(t, t.TempDir())
	var mode string
	var vacuum int
	must(t, s.db.QueryRow("PRAGMA journal_mode").Scan(&mode))
	must(t, s.db.QueryRow("PRAGMA auto_vacuum").Scan(&vacuum))
	if mode != "wal" || vacuum != 2 {
		t.Errorf("journal_mode %s and auto_vacuum %d, want wal and 2 (incremental)", mode, vacuum)
	}
}

func usable(t *testing.T, s *Store, version int) {
	t.Helper()
	ctx, a := context.Background(), apply("k", did("a", text.Content{}, stands("x")))
	must(t, s.Record(ctx, a))
	if applies, err := s.List(ctx, a.Root, 0); err != nil || len(applies) != 1 {
		t.Errorf("%d applies, %v", len(applies), err)
	}
	var got int
	must(t, s.db.QueryRow("PRAGMA user_version").Scan(&got))
	if got != version {
		t.Errorf("user_version is %d, want %d", got, version)
	}
}
