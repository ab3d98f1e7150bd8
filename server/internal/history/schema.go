package history

import (
	"context"
	"database/sql"
	"fmt"
)

// steps lists the steps that built the schema. The user_version of the file is the number of its steps so far. A
// released step never changes. A new step may add tables, indexes, and columns with a default value. It must not change
// the meaning of the statements of older programs, because these programs still use the file.
var steps = []string{
	// Each content is stored only once. Its key is the SHA-256 of its raw bytes.
	`CREATE TABLE blob (
		sum  BLOB PRIMARY KEY,
		size INTEGER NOT NULL, -- bytes before compression
		data BLOB NOT NULL     -- an S2 stream, or a delta (see delta.go); DEFLATE (RFC 1951) by older programs
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
		after_text  BLOB, -- SHA-256 that shows whether the file is still as it was left
		PRIMARY KEY (apply, path)
	) STRICT, WITHOUT ROWID;`,
	// The folders of applies by older programs are unknown.
	`CREATE TABLE folder (
		apply INTEGER NOT NULL REFERENCES apply (seq) ON DELETE CASCADE,
		made  INTEGER NOT NULL, -- 1: the apply made it, 0: it removed it
		n     INTEGER NOT NULL, -- place among those, parents first
		path  TEXT NOT NULL,
		PRIMARY KEY (apply, made, n)
	) STRICT, WITHOUT ROWID;`,
	// A pending apply also has reverted = 1, so that older programs treat it as not in force.
	`ALTER TABLE apply ADD COLUMN pending INTEGER NOT NULL DEFAULT 0;
	ALTER TABLE apply ADD COLUMN undoes TEXT NOT NULL DEFAULT ''; -- id of the apply that this one took back
	ALTER TABLE file ADD COLUMN added INTEGER NOT NULL DEFAULT 0; -- lines
	ALTER TABLE file ADD COLUMN removed INTEGER NOT NULL DEFAULT 0;
	CREATE INDEX apply_pending ON apply (seq) WHERE pending;
	CREATE INDEX file_before ON file (before_sum);
	CREATE INDEX file_after ON file (after_sum);
	CREATE TABLE bound (
		name  TEXT PRIMARY KEY,
		value INTEGER NOT NULL
	) STRICT;`,
	// Because of the foreign key, older programs delete a batch together with its apply.
	`CREATE TABLE batch (
		apply INTEGER NOT NULL REFERENCES apply (seq) ON DELETE CASCADE,
		n     INTEGER NOT NULL, -- place in the apply
		block TEXT NOT NULL,    -- SHA-256 of the block
		first TEXT NOT NULL,    -- the lowest of the ids in it
		last  TEXT NOT NULL,
		data  BLOB NOT NULL,    -- JSON, packed like contents
		PRIMARY KEY (apply, n)
	) STRICT;
	CREATE INDEX batch_block ON batch (block);
	CREATE INDEX batch_ids ON batch (first, last);
	CREATE TABLE snippet (
		n        INTEGER PRIMARY KEY, -- grows
		sum      TEXT NOT NULL,
		doc_path TEXT NOT NULL,
		first    INTEGER NOT NULL, -- lines, from 1
		last     INTEGER NOT NULL,
		UNIQUE (sum, doc_path)
	) STRICT;`,
	// Older programs ignore this table, so they apply the parts that are left out.
	`CREATE TABLE left_out (
		n     INTEGER PRIMARY KEY, -- grows
		root  TEXT NOT NULL,
		block TEXT NOT NULL, -- SHA-256 of the block
		data  TEXT NOT NULL, -- JSON
		UNIQUE (root, block)
	) STRICT;`,
	`CREATE TABLE applied_block (
		apply INTEGER NOT NULL REFERENCES apply (seq) ON DELETE CASCADE,
		key   TEXT NOT NULL, -- of one of several blocks, as of an apply of it alone
		PRIMARY KEY (apply, key)
	) STRICT, WITHOUT ROWID;
	CREATE INDEX applied_block_key ON applied_block (key);`,
	// To older programs, the revert of a part is a revert after which its apply is still in force.
	`ALTER TABLE apply ADD COLUMN part INTEGER NOT NULL DEFAULT 0; -- 1: it took back only a part of the apply
	CREATE INDEX apply_part ON apply (undoes) WHERE part = 1;`,
	// Older programs write the default, which means that nobody agreed to change a file.
	`ALTER TABLE file ADD COLUMN agreed INTEGER NOT NULL DEFAULT 0; -- 1: the file was protected, and a person agreed
	`,
}

func migrateAndProbe(ctx context.Context, db *sql.DB) error {
	if err := migrate(ctx, db); err != nil {
		return err
	}
	return probe(ctx, db)
}

// probe reads from the tables and indexes that every apply needs, because damage in these would make every command
// fail. It reads only a few pages, even if the file is large. Other damage is noticed later (see [Store.wrap]).
func probe(ctx context.Context, db *sql.DB) error {
	var found int
	return db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM apply WHERE root = '' AND key = '') + EXISTS (SELECT 1 FROM apply WHERE pending)
		+ EXISTS (SELECT 1 FROM file WHERE apply = 0) + EXISTS (SELECT 1 FROM blob WHERE sum = x'')`).Scan(&found)
}

// migrate applies the steps that the file lacks. The caller must hold the lock that keeps other processes out. A file
// with more steps than this program has is accepted as it is.
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
	if version < 0 || version >= len(steps) {
		return nil
	}
	if version == 0 {
		// The space of old applies can be freed only with auto_vacuum. It must be set while the file is empty, before
		// switching to WAL, which writes to the file.
		if _, err := conn.ExecContext(ctx, "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL"); err != nil {
			return err
		}
	}
	return climb(ctx, conn, version)
}

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
