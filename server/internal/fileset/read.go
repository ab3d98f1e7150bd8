package fileset

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// errDamaged means that the stored content differs from the uploaded content. It must not reach a file.
var errDamaged = errors.New("the content does not have the SHA-256 that it was uploaded with")

// inOneQuery limits the number of docPaths in a query. SQLite accepts only 32,766 parameters.
const inOneQuery = 1000

const entryColumns = "doc_path, revision, sha256, length(content), updated_at, updated_by"

// Get returns a file of the set, or [ErrNotFound].
func (s *Set) Get(ctx context.Context, docPath string) (File, error) {
	ctx, cancel := s.bounded(ctx)
	defer cancel()
	f, err := s.get(ctx, docPath)
	if err != nil {
		return File{}, s.wrap(fmt.Errorf("%q: %w", docPath, err))
	}
	return f, nil
}

func (s *Set) get(ctx context.Context, docPath string) (f File, err error) {
	defer answered(&err)
	if err := checkKey(docPath); err != nil {
		return File{}, err
	}
	row := s.db.QueryRowContext(ctx, "SELECT "+entryColumns+", content FROM aptix_file WHERE doc_path = $1 AND sha256 <> ''", docPath)
	var content []byte
	e, err := scanEntry(row.Scan, &content)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return File{}, ErrNotFound
	case err != nil:
		return File{}, err
	case e.DocPath != docPath:
		return File{}, errForeign
	case text.SumHex(string(content)) != e.SHA256:
		return File{}, errDamaged
	}
	return File{e, string(content)}, nil
}

// List returns at most `limit` files whose docPaths follow `after`, sorted by the bytes of their docPaths. `after` is
// the last docPath of the page before, or "" for the first page.
func (s *Set) List(ctx context.Context, after string, limit int) ([]Entry, error) {
	ctx, cancel := s.bounded(ctx)
	defer cancel()
	all, err := entries(ctx, s.db, max(limit, 0), "doc_path > $1 AND sha256 <> '' ORDER BY doc_path LIMIT $2", after, max(limit, 0))
	return all, s.wrap(err)
}

// Known returns, by docPath, the entries of the given files. It leaves out files that the set does not have.
func (s *Set) Known(ctx context.Context, docPaths []string) (map[string]Entry, error) {
	ctx, cancel := s.bounded(ctx)
	defer cancel()
	known, err := standing(ctx, s.db, docPaths)
	if err != nil {
		return nil, s.wrap(err)
	}
	for docPath, e := range known {
		if !e.Holds() {
			delete(known, docPath)
		}
	}
	return known, nil
}

type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// standing returns the rows of some docPaths, including deleted files.
func standing(ctx context.Context, db querier, docPaths []string) (map[string]Entry, error) {
	found := make(map[string]Entry, len(docPaths))
	for some := range slices.Chunk(docPaths, inOneQuery) {
		var places []string
		var args []any
		for _, docPath := range some {
			// Only a valid key can be in the set.
			if checkKey(docPath) == nil {
				args = append(args, docPath)
				places = append(places, fmt.Sprintf("$%d", len(args)))
			}
		}
		if len(args) == 0 {
			continue
		}
		rows, err := entries(ctx, db, len(args), "doc_path IN ("+strings.Join(places, ", ")+")", args...)
		if err != nil {
			return nil, err
		}
		for _, e := range rows {
			found[e.DocPath] = e
		}
	}
	return found, nil
}

// errForeign means that the database returned data that this program did not write.
var errForeign = errors.New("the database returned data that is not from a file set")

// longestName is the size of the longest name of a front end, in bytes.
const longestName = 1000

// entries reads at most `most` rows. If the database sends more rows, it returns an error, because the rows cannot be
// trusted.
func entries(ctx context.Context, db querier, most int, where string, args ...any) (all []Entry, err error) {
	defer answered(&err)
	rows, err := db.QueryContext(ctx, "SELECT "+entryColumns+" FROM aptix_file WHERE "+where, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		e, err := scanEntry(rows.Scan)
		if err != nil {
			return nil, err
		}
		if all = append(all, e); len(all) > most {
			return nil, errForeign
		}
	}
	return all, rows.Err()
}

// scanEntry reads the columns in entryColumns into an entry, and the columns after these into `more`.
func scanEntry(scan func(...any) error, more ...any) (Entry, error) {
	var e Entry
	var at int64
	err := scan(append([]any{&e.DocPath, &e.Revision, &e.SHA256, &e.Size, &at, &e.UpdatedBy}, more...)...)
	e.UpdatedAt = time.UnixMicro(at).UTC()
	if err == nil && (checkKey(e.DocPath) != nil || len(e.UpdatedBy) > longestName || len(e.SHA256) > 2*sha256.Size || e.Size < 0) {
		return Entry{}, errForeign
	}
	return e, err
}
