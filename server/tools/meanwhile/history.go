package meanwhile

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"testing"
)

// A HistoryFault is an event that can happen to the file of the history while programs have it
// open.
type HistoryFault struct {
	Name    string
	Happen  func(t testing.TB, file string)
	Records bool // true if the history still records applies afterwards
	Locks   bool // true if the lock is held until the test ends
}

// HistoryFaults lists the events that an apply must survive.
var HistoryFaults = []HistoryFault{
	{"it is of a newer version", func(t testing.TB, file string) {
		execute(t, file, "ALTER TABLE apply ADD COLUMN later TEXT; PRAGMA user_version = 1000")
	}, true, false},
	{"the clock goes back", func(t testing.TB, file string) {
		execute(t, file, "UPDATE apply SET time = time + 365 * 86400 * 1000000")
	}, true, false},
	{"the disk is full", func(t testing.TB, file string) {
		execute(t, file, "CREATE TRIGGER full BEFORE INSERT ON apply BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END")
	}, false, false},
	{"its content is overwritten", func(t testing.TB, file string) {
		checkpoint(t, file)
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i := range data {
			data[i] ^= 0xa5
		}
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}, false, false},
	{"another program renamed a column", func(t testing.TB, file string) {
		execute(t, file, "ALTER TABLE file RENAME COLUMN after_text TO other")
	}, false, false},
	{"another program keeps it locked", lockHistory, false, true},
}

// HistoryFile returns the file of the history in a state folder.
func HistoryFile(stateDir string) string { return filepath.Join(stateDir, "history.db") }

func execute(t testing.TB, file, statements string) {
	t.Helper()
	db := openFile(t, file)
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(statements); err != nil {
		t.Fatal(err)
	}
}

// checkpoint moves all content from the log of the database into the file. It waits for readers,
// because SQLite leaves the log as it is while a reader needs it.
func checkpoint(t testing.TB, file string) {
	t.Helper()
	db := openFile(t, file)
	defer db.Close()
	for busy := true; busy; {
		var log, moved int
		if err := db.QueryRow("PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &log, &moved); err != nil {
			t.Fatal(err)
		}
	}
}

func openFile(t testing.TB, file string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// lockHistory holds the lock for writers until the test ends.
func lockHistory(t testing.TB, file string) {
	t.Helper()
	db := openFile(t, file)
	conn, err := db.Conn(context.Background())
	if err == nil {
		_, err = conn.ExecContext(context.Background(), "BEGIN IMMEDIATE")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(); _ = db.Close() })
}
