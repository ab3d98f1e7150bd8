package history

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
)

// A Snippet is a range of lines that a search returned. It is recorded because no patch may be based on it (rule R31).
type Snippet struct {
	SHA        string // the SHA-256 of the lines, in lower case
	DocPath    string
	Start, End int // the first and the last line, counted from 1
}

// keptSnippets is the number of snippets that are kept, enough for a few hundred searches.
const keptSnippets = 4096

// RememberSnippet records snippets by their hash and docPath. If there are more than keptSnippets, the oldest are
// dropped.
func (s *Store) RememberSnippet(ctx context.Context, snippets []Snippet) error {
	return s.during("recording snippets", s.transact(ctx, func(tx *sql.Tx) error {
		for _, n := range snippets {
			// A row that is replaced gets a new number, and therefore counts as the latest.
			if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO snippet (sum, doc_path, first, last) VALUES (?, ?, ?, ?)", n.SHA, n.DocPath, n.Start, n.End); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, "DELETE FROM snippet WHERE n <= (SELECT max(n) FROM snippet) - ?", keptSnippets)
		return err
	}))
}

// Snippet returns the first and the last line of a recorded snippet, given the file and the hash of its lines. ok is
// false if the snippet is not recorded.
func (s *Store) Snippet(ctx context.Context, docPath, sha string) (start, end int, ok bool, err error) {
	err = s.db.QueryRowContext(ctx, "SELECT first, last FROM snippet WHERE sum = ? AND doc_path = ?", sha, docPath).Scan(&start, &end)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, 0, false, nil
	}
	return start, end, err == nil, s.wrap(err)
}

// Version returns the id of the latest apply in `root` that changed a file from or to bytes with the hash `sha`, in
// hexadecimal digits. `before` is true if the file had these bytes before the apply, and false if it had them after it.
// If there is no such apply, the id is "".
func (s *Store) Version(ctx context.Context, root, path, sha string) (apply string, before bool, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT a.id, f.before_sum IS unhex(?1) FROM file f JOIN apply a ON a.seq = f.apply
		WHERE (f.before_sum = unhex(?1) OR f.after_sum = unhex(?1)) AND f.path = ?2 AND a.root = ?3 AND NOT a.pending
		ORDER BY a.seq DESC LIMIT 1`, sha, path, filepath.Clean(root)).Scan(&apply, &before)
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	}
	return apply, before, s.wrap(err)
}
