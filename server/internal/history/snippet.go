package history

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
)

// A Snippet is a range of lines that a search returned. No patch can be based on it (rule
// R31).
type Snippet struct {
	SHA        string // SHA-256 of the returned lines, in lower case
	DocPath    string
	Start, End int // lines, from 1, the last included
}

// keptSnippets is the number of snippets that are remembered, enough for a few hundred
// searches.
const keptSnippets = 4096

// RememberSnippet remembers snippets by hash and docPath. If there are more than
// keptSnippets, it forgets the oldest.
func (s *Store) RememberSnippet(ctx context.Context, snippets []Snippet) error {
	return s.during("recording snippets", s.transact(ctx, func(tx *sql.Tx) error {
		for _, n := range snippets {
			// Replacing a row gives it a new number, so it becomes the latest.
			if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO snippet (sum, doc_path, first, last) VALUES (?, ?, ?, ?)", n.SHA, n.DocPath, n.Start, n.End); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, "DELETE FROM snippet WHERE n <= (SELECT max(n) FROM snippet) - ?", keptSnippets)
		return err
	}))
}

// Snippet returns the first and last line of the remembered snippet that has a hash in a
// file. It returns false if there is none.
func (s *Store) Snippet(ctx context.Context, docPath, sha string) (start, end int, ok bool, err error) {
	err = s.db.QueryRowContext(ctx, "SELECT first, last FROM snippet WHERE sum = ? AND doc_path = ?", sha, docPath).Scan(&start, &end)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, 0, false, nil
	}
	return start, end, err == nil, s.wrap(err)
}

// Version returns the id of the latest apply to root that changed a file, if the hash, in
// hexadecimal digits, is that of the file's bytes before or after the apply. Otherwise it
// returns "".
func (s *Store) Version(ctx context.Context, root, path, sha string) (apply string, before bool, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT a.id, f.before_sum IS unhex(?1) FROM file f JOIN apply a ON a.seq = f.apply
		WHERE (f.before_sum = unhex(?1) OR f.after_sum = unhex(?1)) AND f.path = ?2 AND a.root = ?3 AND NOT a.pending
		ORDER BY a.seq DESC LIMIT 1`, sha, path, filepath.Clean(root)).Scan(&apply, &before)
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	}
	return apply, before, s.wrap(err)
}
