package fileset

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// maxKey is the size of the longest docPath, in bytes. PostgreSQL can index at most 2,704 bytes.
const maxKey = 2048

// An Upload is the next revision of a file.
type Upload struct {
	DocPath string
	Base    Base
	Content string // the raw bytes of the file
}

// A Base is the revision on which an upload is based, given by its number, its SHA-256, or both. The zero Base means
// that the set does not have the file.
type Base struct {
	Revision int64
	SHA256   string // in lower case
}

func (b Base) is(e Entry) bool {
	if b == (Base{}) {
		return !e.Holds()
	}
	return e.Holds() && (b.Revision == 0 || b.Revision == e.Revision) && (b.SHA256 == "" || b.SHA256 == e.SHA256)
}

// Put writes all uploads or none. If a file has changed since the base of its upload, the error is a [*ConflictError]
// that names each changed file. If the set already has the content of an upload, the upload counts as done and creates
// no revision, whatever its base is. A call can therefore be repeated after the connection broke.
//
// `source` is the name of the front end in the history. The returned entries describe the files after the call, in the
// order of the uploads.
func (s *Set) Put(ctx context.Context, source string, uploads []Upload) ([]Entry, error) {
	return s.put(ctx, source, text.Each(uploads, Upload.hashed))
}

func (u Upload) hashed() upload {
	return upload{u.DocPath, u.Content, text.SumHex(u.Content), u.Base, u.Base.is}
}

type upload struct {
	docPath, content string
	sha256           string           // hash of the content; "" if the file is deleted
	base             Base             // for messages
	mayReplace       func(Entry) bool // whether the upload is based on this entry
}

func (s *Set) put(ctx context.Context, source string, uploads []upload) ([]Entry, error) {
	if err := checkUploads(uploads); err != nil {
		return nil, err
	}
	ctx, cancel := s.bounded(ctx)
	defer cancel()
	var stored []Entry
	err := s.transact(ctx, func(tx *sql.Tx) (err error) {
		stored, err = write(ctx, tx, source, uploads)
		return err
	})
	if conflict := new(ConflictError); errors.As(err, &conflict) {
		return nil, conflict
	}
	if err != nil {
		return nil, s.wrap(err)
	}
	return stored, nil
}

func checkUploads(uploads []upload) error {
	seen := map[string]bool{}
	for _, u := range uploads {
		if err := checkKey(u.docPath); err != nil {
			return fmt.Errorf("%q: %w", u.docPath, err)
		}
		if seen[u.docPath] {
			return fmt.Errorf("%q is uploaded twice in one call", u.docPath)
		}
		seen[u.docPath] = true
	}
	return nil
}

// checkKey returns an error if a text is not a docPath (rule R27) or is too long for a database.
func checkKey(docPath string) error {
	switch {
	case docPath == "":
		return errors.New("an empty docPath names no file")
	case !utf8.ValidString(docPath) || strings.ContainsRune(docPath, 0):
		return errors.New("a docPath must be UTF-8 text without NUL")
	case docPath != strings.ToLower(docPath):
		return errors.New("a docPath must be in lower case")
	case len(docPath) > maxKey:
		return fmt.Errorf("in a file set, a docPath can have up to %d bytes, but this one has %d", maxKey, len(docPath))
	}
	return nil
}

// write stores the uploads if the set still has the revisions on which they are based. If another client has changed
// any of these revisions, it writes nothing.
func write(ctx context.Context, tx *sql.Tx, source string, uploads []upload) ([]Entry, error) {
	docPaths := text.Each(uploads, func(u upload) string { return u.docPath })
	before, err := standing(ctx, tx, docPaths)
	if err != nil {
		return nil, err
	}
	if conflicts := conflicting(uploads, before); len(conflicts) > 0 {
		return nil, &ConflictError{conflicts}
	}
	stored := make([]Entry, len(uploads))
	for _, i := range inOrder(uploads) {
		if stored[i], err = uploads[i].swap(ctx, tx, source, before[docPaths[i]]); err != nil {
			return nil, fmt.Errorf("%q: %w", docPaths[i], err)
		}
	}
	return stored, nil
}

func conflicting(uploads []upload, before map[string]Entry) (conflicts []Conflict) {
	for _, u := range uploads {
		if e := before[u.docPath]; u.sha256 != e.SHA256 && !u.mayReplace(e) {
			conflicts = append(conflicts, Conflict{u.docPath, u.base, e})
		}
	}
	return conflicts
}

// inOrder returns the indexes of the uploads, sorted by docPath. All clients lock rows in this order, so they cannot
// deadlock.
func inOrder(uploads []upload) []int {
	order := make([]int, len(uploads))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(uploads[i].docPath, uploads[j].docPath) })
	return order
}

// swap writes the next revision over the old one. The error is errMoved if another client has replaced the old one.
func (u upload) swap(ctx context.Context, tx *sql.Tx, source string, old Entry) (Entry, error) {
	if u.sha256 == old.SHA256 {
		old.DocPath = u.docPath // if the upload deletes a file that the set never had, `old` has no docPath
		return old, nil
	}
	next := Entry{u.docPath, old.Revision + 1, u.sha256, int64(len(u.content)), time.Now().UTC().Truncate(time.Microsecond), source}
	const insert = `INSERT INTO aptix_file (doc_path, revision, sha256, content, updated_at, updated_by)
		VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (doc_path) DO NOTHING`
	const update = `UPDATE aptix_file SET revision = $2, sha256 = $3, content = $4, updated_at = $5, updated_by = $6
		WHERE doc_path = $1 AND revision = $7 AND sha256 = $8`
	statement, args := insert, []any{next.DocPath, next.Revision, next.SHA256, []byte(u.content), next.UpdatedAt.UnixMicro(), source}
	if old.Revision > 0 {
		statement, args = update, append(args, old.Revision, old.SHA256)
	}
	result, err := tx.ExecContext(ctx, statement, args...)
	if err != nil {
		return Entry{}, err
	}
	n, err := result.RowsAffected()
	if err == nil && n != 1 {
		err = errMoved
	}
	return next, err
}

// A Change describes the effect of an apply on a file. Before and After are the bytes on disk. For a file that is open
// in an editor, they are the bytes that saving the buffer will write.
type Change struct {
	DocPath       string
	Before, After text.Content
	// Saved is the file on disk before the apply, if Before was a buffer with unsaved changes to that file.
	Saved text.Content
}

// Upload updates the set after an apply (rule R32), completely or not at all. For each file, the effect depends on the
// content in the set:
//
//   - After: Upload changes nothing.
//   - Before, Saved, or no file: Upload writes After, or deletes the file.
//   - Any other content: Upload returns a [*ConflictError].
func (s *Set) Upload(ctx context.Context, source string, changes []Change) error {
	_, err := s.put(ctx, source, text.Each(changes, Change.upload))
	return err
}

func (c Change) upload() upload {
	u := upload{docPath: c.DocPath, mayReplace: c.startedFrom}
	if c.Before.Exists {
		u.base.SHA256 = text.SumHex(c.Before.Data)
	}
	if c.After.Exists {
		u.content, u.sha256 = c.After.Data, text.SumHex(c.After.Data)
	}
	return u
}

func (c Change) startedFrom(e Entry) bool {
	return !e.Holds() || holds(c.Before, e) || holds(c.Saved, e)
}

func holds(c text.Content, e Entry) bool { return c.Exists && text.SumHex(c.Data) == e.SHA256 }
