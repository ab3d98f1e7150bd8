package history

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aptix-dev/aptix/server/internal/sqlitefile"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A damaged history is kept unchanged under another name, and a new one takes its place.
func TestDamagedHistoryIsSetAside(t *testing.T) {
	for name, harm := range map[string]func(string) string{
		"no database":    func(string) string { return strings.Repeat("not a database", 1000) },
		"all but a page": func(s string) string { return s[:4096] + strings.Repeat("\xa5", len(s)-4096) },
		"cut off":        func(s string) string { return s[:20000] },
	} {
		t.Run(name, func(t *testing.T) {
			dir, whole := recorded(t)
			damaged := harm(whole)
			must(t, os.WriteFile(filepath.Join(dir, FileName), []byte(damaged), 0o600))
			s := open(t, dir)
			if s.Aside == "" {
				t.Fatal("it was not set aside")
			}
			data, err := os.ReadFile(s.Aside)
			must(t, err)
			if string(data) != damaged {
				t.Error("what was set aside was changed")
			}
			usable(t, s, len(steps))
			if again := open(t, dir); again.Aside != "" {
				t.Error("the new one was set aside, too")
			}
		})
	}
}

// If damage is found during use, only operations that need the damaged part fail. The next start moves the file aside.
func TestDamageFoundInUse(t *testing.T) {
	dir, _ := recorded(t)
	s := open(t, dir)
	damage(t, s)
	next := open(t, dir)
	if next.Aside == "" {
		t.Fatal("it was not set aside")
	}
	usable(t, next, len(steps))

	// A process that still has the old file open finds the damage again, but does not set the new file aside.
	if _, err := s.List(context.Background(), "", 0); err == nil {
		t.Error("the damaged history has a list")
	}
	if third := open(t, dir); third.Aside != "" {
		t.Error("the new one was set aside, too")
	}
}

// Watch ends if the file is damaged, because on Windows nobody could move the file aside while it is open.
func TestWatchEndsWithDamage(t *testing.T) {
	dir, _ := recorded(t)
	s := open(t, dir)
	ended := make(chan error, 1)
	until, err := s.Watch(t.Context())
	must(t, err)
	go func() { ended <- until(time.Millisecond, func() {}) }()
	damage(t, s)
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "the next start of aptix renames the file") {
		t.Errorf("the watch of a damaged history: %v", err)
	}
	if next := open(t, dir); next.Aside == "" {
		t.Error("it was not set aside")
	}
}

// Another program may change the tables, or write values that they do not allow. Such a history counts as damaged, so no
// command fails because of it, and the next start moves it aside.
func TestChangedByAnotherProgram(t *testing.T) {
	for _, harm := range []string{
		"UPDATE file SET added = 'x'", "UPDATE file SET after_mode = NULL", "UPDATE file SET after_text = NULL",
		"UPDATE apply SET part = 9223372036854775807", "UPDATE apply SET time = 'x'", "UPDATE folder SET made = 'x'", "UPDATE blob SET size = 'x'",
		"ALTER TABLE file RENAME COLUMN path TO other", "DROP TABLE folder", "ALTER TABLE apply DROP COLUMN label", "PRAGMA user_version = 0", "PRAGMA user_version = 4",
	} {
		ctx, dir := context.Background(), t.TempDir()
		db, err := sql.Open("sqlite", filepath.Join(dir, FileName))
		must(t, err)
		loose := strings.NewReplacer(") STRICT", ")", " NOT NULL", "").Replace(strings.Join(steps, ";"))
		_, err = db.Exec(loose + fmt.Sprintf("; PRAGMA user_version = %d", len(steps)))
		must(t, err)
		must(t, db.Close())
		s := open(t, dir)
		a := apply("k", did("a", stands("before"), stands("and after")))
		a.Made = []string{"d"}
		must(t, s.Record(ctx, a))
		_, err = s.db.Exec(harm)
		must(t, err)
		must(t, s.Close())
		if s = open(t, dir); s.Aside == "" {
			_, listed := s.List(ctx, "", 0)
			_, got := s.Get(ctx, a.ID)
			_, stands := s.Standing(ctx, a.Root, a.Key, func(string) (text.Content, error) { return text.Content{}, nil })
			damaged := false
			for _, err := range []error{listed, got, stands} {
				damaged = damaged || sqlitefile.Damaged(err)
				if err != nil && (!sqlitefile.Damaged(err) || !strings.Contains(err.Error(), s.path)) {
					t.Errorf("%s: %v", harm, err)
				}
			}
			if !damaged {
				t.Errorf("%s was not noticed", harm)
			}
			s = open(t, dir)
		}
		if s.Aside == "" {
			t.Errorf("%s: it was not set aside", harm)
		}
		usable(t, s, len(steps))
	}
}

// damage damages a table of an open history, so that all its connections see the damage, and
// makes the history notice it.
func damage(t *testing.T, s *Store) {
	t.Helper()
	_, err := s.db.Exec("PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 2 WHERE name = 'folder'; PRAGMA schema_version = 1000; PRAGMA writable_schema = RESET")
	must(t, err)
	_, err = s.List(context.Background(), "", 0)
	if !sqlitefile.Damaged(err) || !strings.Contains(err.Error(), "the next start of aptix renames the file") {
		t.Fatalf("the list of a damaged history: %v", err)
	}
}

// The log of a damaged file must not be read as the log of the new one.
func TestTheLogIsSetAsideToo(t *testing.T) {
	dir, _ := recorded(t)
	path := filepath.Join(dir, FileName)
	must(t, os.WriteFile(path+"-wal", []byte("a log"), 0o600))
	must(t, sqlitefile.MarkDamaged(path))
	s := open(t, dir)
	if data, err := os.ReadFile(s.Aside + "-wal"); err != nil || string(data) != "a log" {
		t.Errorf("the log beside it is %q, %v", data, err)
	}
	usable(t, s, len(steps))
}

// If the disk is full or the file may not grow, the apply is not recorded, but the rest of
// the history can still be read.
func TestFullDisk(t *testing.T) {
	dir, _ := recorded(t)
	ctx, s := context.Background(), open(t, dir)
	s.db.SetMaxOpenConns(1) // the limit applies to one connection
	_, err := s.db.Exec("PRAGMA max_page_count = 1")
	must(t, err)
	a := apply("k", did("b", random(1<<20), random(1<<20)))
	if err := s.Record(ctx, a); err == nil || !strings.Contains(err.Error(), "full") || sqlitefile.Damaged(err) {
		t.Fatalf("recording on a full disk: %v", err)
	}
	if applies, err := s.List(ctx, "", 0); err != nil || len(applies) != 1 {
		t.Errorf("%d applies, %v", len(applies), err)
	}
	if again := open(t, dir); again.Aside != "" {
		t.Error("a full disk set the history aside")
	}
}

// recorded returns a folder with a history of one apply, and the content of its file.
func recorded(t *testing.T) (dir, whole string) {
	dir = t.TempDir()
	s, err := Open(dir)
	must(t, err)
	must(t, s.Record(context.Background(), apply("k", did("a", stands("before"), stands("after")))))
	must(t, s.Close())
	data, err := os.ReadFile(filepath.Join(dir, FileName))
	must(t, err)
	return dir, string(data)
}
