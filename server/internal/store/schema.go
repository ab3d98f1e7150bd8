package store

import (
	"context"
	"database/sql"
	"fmt"
)

// steps is the ladder of the schema: the file's user_version counts how many of
// them it has behind it. A step that was released never changes. A new one may
// add tables, indexes, and columns that have a default; it may not change what
// the statements of older programs mean, as they go on with the file.
var steps = []string{
	// Contents are stored once each, by the SHA-256 of their raw bytes.
	`CREATE TABLE blob (
		sum  BLOB PRIMARY KEY,
		size INTEGER NOT NULL, -- bytes before compression
		data BLOB NOT NULL     -- DEFLATE (RFC 1951)
	) STRICT;
	CREATE TABLE apply (
		seq      INTEGER PRIMARY KEY, -- grows with every record, whatever the clocks say
		id       TEXT NOT NULL UNIQUE,
		time     INTEGER NOT NULL,    -- microseconds since 1970 UTC
		root     TEXT NOT NULL,
		key      TEXT NOT NULL,
		label    TEXT NOT NULL,
		source   TEXT NOT NULL,
		reverted INTEGER NOT NULL DEFAULT 0
	) STRICT;
	CREATE INDEX apply_root ON apply (root);
	CREATE INDEX apply_root_key ON apply (root, key);
	CREATE TABLE file (
		apply       INTEGER NOT NULL REFERENCES apply (seq) ON DELETE CASCADE,
		path        TEXT NOT NULL,
		n           INTEGER NOT NULL, -- place in the apply
		before_sum  BLOB REFERENCES blob (sum), -- NULL: there was no file
		before_mode INTEGER,
		after_sum   BLOB REFERENCES blob (sum), -- NULL: there is no file
		after_mode  INTEGER,
		after_text  BLOB, -- SHA-256 that tells whether the file still stands as it was left
		PRIMARY KEY (apply, path)
	) STRICT, WITHOUT ROWID;`,
}

// migrate brings the file up to the last step. The caller holds the lock that
// keeps other processes out. A file with more steps than this program knows is
// fine.
func migrate(ctx context.Context, db *sql.DB) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	var version int
	if err := conn.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	if version >= len(steps) {
		return nil
	}
	if version == 0 {
		// auto_vacuum can be set only before the file has any content, and WAL is
		// content. It lets old applies be dropped and their space given back.
		if _, err := conn.ExecContext(ctx, "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL"); err != nil {
			return err
		}
	}
	return climb(ctx, conn, version)
}

// climb takes the steps above version in one transaction.
func climb(ctx context.Context, conn *sql.Conn, version int) error {
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, step := range steps[version:] {
		if _, err := tx.ExecContext(ctx, step); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", len(steps))); err != nil {
		return err
	}
	return tx.Commit()
}
