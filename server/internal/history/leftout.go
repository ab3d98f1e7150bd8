package history

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
)

// A LeftOut is what a person left out of a block, until they include it again.
type LeftOut struct {
	Parts   []int `json:"parts,omitempty"`   // indexes of its parts
	Missing []int `json:"missing,omitempty"` // indexes of the replacements that are left out as long as their find is missing
}

// None reports whether nothing is left out.
func (l LeftOut) None() bool { return len(l.Parts)+len(l.Missing) == 0 }

// keptLeftOut is the number of blocks whose left-out parts are remembered.
const keptLeftOut = 4096

// LeaveOut remembers what is left out of a block in the workspace at root. block is a hash of
// the block's text. If there are more than keptLeftOut, the oldest are forgotten.
func (s *Store) LeaveOut(ctx context.Context, root, block string, l LeftOut) error {
	data, err := json.Marshal(l)
	if err != nil {
		return err
	}
	root = filepath.Clean(root)
	err = s.transact(ctx, func(tx *sql.Tx) error {
		if l.None() {
			_, err := tx.ExecContext(ctx, "DELETE FROM left_out WHERE root = ? AND block = ?", root, block)
			return err
		}
		// Replacing a row gives it a new number, so it becomes the latest.
		if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO left_out (root, block, data) VALUES (?, ?, ?)", root, block, string(data)); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "DELETE FROM left_out WHERE n <= (SELECT max(n) FROM left_out) - ?", keptLeftOut)
		return err
	})
	if err != nil {
		return s.wrap(fmt.Errorf("recording the left-out parts: %w", err))
	}
	return nil
}

// LeftOut returns what is left out of the blocks in the workspace at root, by the hash of the
// block's text.
func (s *Store) LeftOut(ctx context.Context, root string) (map[string]LeftOut, error) {
	rows, err := s.db.QueryContext(ctx, "SELECT block, data FROM left_out WHERE root = ?", filepath.Clean(root))
	if err != nil {
		return nil, s.wrap(err)
	}
	defer rows.Close()
	all := map[string]LeftOut{}
	for rows.Next() {
		var block, data string
		if err := rows.Scan(&block, &data); err != nil {
			return nil, s.wrap(err)
		}
		var l LeftOut
		if err := json.Unmarshal([]byte(data), &l); err != nil {
			return nil, s.wrap(fmt.Errorf("what is left out of a block: %w", err))
		}
		all[block] = l
	}
	if err := rows.Err(); err != nil {
		return nil, s.wrap(err)
	}
	return all, nil
}
