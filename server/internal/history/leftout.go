package history

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
)

// A LeftOut lists the parts of a block that a person has left out. They stay left out until the person includes them
// again.
type LeftOut struct {
	Parts []int `json:"parts,omitempty"` // the indexes of parts of the block
	// The indexes of replacements that a person left out because their find was missing. Each stays left out only as
	// long as its find is missing.
	Missing []int `json:"missing,omitempty"`
}

// None reports whether nothing is left out.
func (l LeftOut) None() bool { return len(l.Parts)+len(l.Missing) == 0 }

// keptLeftOut is the number of blocks whose left-out parts the history keeps.
const keptLeftOut = 4096

// LeaveOut records which parts of a block are left out in the workspace at `root`. `block` is a hash of the text of the
// block. If there are more than keptLeftOut blocks, the oldest are dropped.
func (s *Store) LeaveOut(ctx context.Context, root, block string, l LeftOut) error {
	data, err := json.Marshal(l)
	if err != nil {
		return err
	}
	root = filepath.Clean(root)
	return s.during("recording the left-out parts", s.transact(ctx, func(tx *sql.Tx) error {
		if l.None() {
			_, err := tx.ExecContext(ctx, "DELETE FROM left_out WHERE root = ? AND block = ?", root, block)
			return err
		}
		// A row that is replaced gets a new number, and therefore counts as the latest.
		if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO left_out (root, block, data) VALUES (?, ?, ?)", root, block, string(data)); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "DELETE FROM left_out WHERE n <= (SELECT max(n) FROM left_out) - ?", keptLeftOut)
		return err
	}))
}

// LeftOut returns the parts that are left out in the workspace at `root`. The keys are hashes of the text of the
// blocks.
func (s *Store) LeftOut(ctx context.Context, root string) (map[string]LeftOut, error) {
	all := map[string]LeftOut{}
	err := each(ctx, s.db, func(scan scanner) error {
		var block, data string
		if err := scan(&block, &data); err != nil {
			return err
		}
		var l LeftOut
		if err := json.Unmarshal([]byte(data), &l); err != nil {
			return fmt.Errorf("reading the left-out parts of a block: %w", err)
		}
		all[block] = l
		return nil
	}, "SELECT block, data FROM left_out WHERE root = ?", filepath.Clean(root))
	return all, s.wrap(err)
}
