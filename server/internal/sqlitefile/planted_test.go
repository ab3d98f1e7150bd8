package sqlitefile

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"testing"
)

// A database that another program planted must not make a statement run for ever, or do anything besides.
func TestPlantedSchema(t *testing.T) {
	const own = "CREATE TABLE IF NOT EXISTS kept (a INTEGER PRIMARY KEY, b TEXT UNIQUE)"
	migrate := func(ctx context.Context, db *sql.DB) error {
		_, err := db.ExecContext(ctx, own+"; CREATE INDEX IF NOT EXISTS kept_b ON kept (b) WHERE b != ''; INSERT INTO kept (b) VALUES (NULL)")
		return err
	}
	for name, planted := range map[string]string{
		"nothing":         own,
		"a newer table":   own + "; CREATE TABLE newer (a TEXT PRIMARY KEY) STRICT, WITHOUT ROWID",
		"an endless view": "CREATE VIEW kept AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS a, i AS b FROM n",
		"a trigger":       own + "; CREATE TRIGGER more AFTER INSERT ON kept BEGIN DELETE FROM kept; END",
		"a computed part": "CREATE TABLE kept (a INTEGER PRIMARY KEY, b TEXT AS (hex(zeroblob(a))))",
		"a virtual table": "CREATE VIRTUAL TABLE kept USING fts5(a, b)",
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.db")
			db, err := sql.Open("sqlite", path)
			must(t, err)
			_, err = db.Exec(planted)
			must(t, err)
			must(t, db.Close())
			good := name == "nothing" || name == "a newer table"
			db, err = Open(t.Context(), path, migrate)
			if good != (err == nil) || !good && !Damaged(err) {
				t.Errorf("opened: %v", err)
			}
			if err == nil {
				must(t, db.Close())
			}
			db, aside, err := OpenOrReplace(t.Context(), path, migrate)
			must(t, err)
			defer db.Close()
			if good != (aside == "") {
				t.Errorf("moved to %q", aside)
			}
			if _, err := os.Stat(aside); !good && err != nil {
				t.Error(err)
			}
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
