package history

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/aptix-dev/aptix/server/internal/sqlitefile"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// ErrAmbiguous means that several applies have ids that begin with the given characters.
var ErrAmbiguous = errors.New("the ids of several changes begin with this; write more characters of the id")

// List returns the applies in `root`, latest first, or the applies in every root if `root` is "". It returns at most
// `limit` applies, or all if the limit is 0. Their files have no Data.
func (s *Store) List(ctx context.Context, root string, limit int) ([]Apply, error) {
	if limit <= 0 {
		limit = -1 // in SQLite, a negative limit means no limit
	}
	if root != "" {
		root = filepath.Clean(root)
	}
	applies, err := s.query(ctx, listing, root, limit)
	return applies, s.wrap(err)
}

// LastInForce returns the id of the latest apply in `root` that is still in force and is not a revert. The error is
// [ErrNotFound], or an error of reading the history.
func (s *Store) LastInForce(ctx context.Context, root string) (id string, err error) {
	err = s.db.QueryRowContext(ctx, "SELECT id FROM apply WHERE root = ? AND NOT pending AND NOT reverted AND undoes = '' ORDER BY seq DESC LIMIT 1",
		filepath.Clean(root)).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrNotFound
	}
	return id, s.wrap(err)
}

// LastOf returns, for each key, the latest apply in `root` that is not reverted. The list begins with the latest of
// these applies. A key names a whole apply, or one of its blocks. The files of the applies have no Data.
func (s *Store) LastOf(ctx context.Context, root string, keys []string) ([]Apply, error) {
	list, err := json.Marshal(keys)
	if err != nil {
		return nil, err
	}
	applies, err := s.query(ctx, ofKeys, filepath.Clean(root), string(list))
	if err == nil && len(applies) > 0 {
		err = s.readBlocks(ctx, applies, string(list))
	}
	return applies, s.wrap(err)
}

// readBlocks sets the field Blocks of each apply to its keys among `keys`, a JSON array.
func (s *Store) readBlocks(ctx context.Context, applies []Apply, keys string) error {
	byApply := map[string][]string{}
	err := each(ctx, s.db, func(scan scanner) error {
		var id, key string
		err := scan(&id, &key)
		byApply[id] = append(byApply[id], key)
		return err
	}, "SELECT a.id, b.key FROM applied_block b JOIN apply a ON a.seq = b.apply WHERE b.key IN (SELECT value FROM json_each(?))", keys)
	for i := range applies {
		applies[i].Blocks = byApply[applies[i].ID]
	}
	return err
}

// Get returns an apply with the contents of its files. The id may be shortened, if no other id begins with the same
// characters. The error is [ErrNotFound], [ErrAmbiguous], or an error of reading the history.
func (s *Store) Get(ctx context.Context, id string) (Apply, error) {
	a, err := s.get(ctx, strings.ToLower(id))
	return a, s.during(id, err)
}

func (s *Store) get(ctx context.Context, prefix string) (Apply, error) {
	if prefix == "" {
		return Apply{}, ErrNotFound
	}
	// The character "~" is sorted after all characters of ids.
	applies, err := s.query(ctx, contents, prefix, prefix+"~")
	switch {
	case err != nil:
		return Apply{}, err
	case len(applies) == 0:
		return Apply{}, ErrNotFound
	case len(applies) > 1:
		return Apply{}, ErrAmbiguous
	}
	return applies[0], nil
}

// Each statement returns one row for each file, with the same columns. The rows of an apply follow one another.
const (
	listing = columns + `(SELECT * FROM apply WHERE ?1 IN (root, '') AND NOT pending ORDER BY seq DESC LIMIT ?2)` + withFiles
	ofKeys  = columns + `(SELECT * FROM apply WHERE seq IN (SELECT max(a.seq) FROM apply a JOIN
		(SELECT seq, key FROM apply WHERE root = ?1 AND key IN (SELECT value FROM json_each(?2))
			UNION ALL SELECT apply, key FROM applied_block WHERE key IN (SELECT value FROM json_each(?2))) k ON k.seq = a.seq
		WHERE a.root = ?1 AND NOT a.pending AND NOT a.reverted AND a.undoes = '' GROUP BY k.key))` + withFiles

	columns = `SELECT a.seq, a.id, a.time, a.root, a.key, a.label, a.source, a.undoes, a.part, a.reverted, ` + partly + `, f.path, f.added, f.removed, f.agreed, f.after_text,
			f.before_sum, f.before_mode, NULL, NULL, f.after_sum, f.after_mode, NULL, NULL
		FROM `
	partly    = `EXISTS (SELECT 1 FROM apply p WHERE p.undoes = a.id AND p.part = 1 AND NOT p.pending AND NOT p.reverted)`
	withFiles = ` a JOIN file f ON f.apply = a.seq ORDER BY a.seq DESC, f.n`

	contents = `SELECT a.seq, a.id, a.time, a.root, a.key, a.label, a.source, a.undoes, a.part, a.reverted, ` + partly + `, f.path, f.added, f.removed, f.agreed, f.after_text,
			f.before_sum, f.before_mode, b.size, b.data, f.after_sum, f.after_mode, c.size, c.data
		FROM (SELECT * FROM apply WHERE id >= ? AND id < ? AND NOT pending ORDER BY id LIMIT 2) a JOIN file f ON f.apply = a.seq
		LEFT JOIN blob b ON b.sum = f.before_sum LEFT JOIN blob c ON c.sum = f.after_sum
		ORDER BY a.seq DESC, f.n`
)

// A scanner copies the columns of a row into variables, like [sql.Rows.Scan].
type scanner func(into ...any) error

// errEnough ends [each] early: if `row` returns it, [each] returns nil.
var errEnough = errors.New("enough rows")

func each(ctx context.Context, db interface {
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
}, row func(scanner) error, statement string, args ...any) error {
	rows, err := db.QueryContext(ctx, statement, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	scan := func(into ...any) error {
		err := rows.Scan(into...)
		if err != nil && ctx.Err() == nil { // the types of the columns are strict
			err = sqlitefile.NotOurs(err)
		}
		return err
	}
	for rows.Next() {
		if err := row(scan); err == errEnough {
			return nil
		} else if err != nil {
			return err
		}
	}
	return rows.Err()
}

func (s *Store) query(ctx context.Context, statement string, args ...any) (applies []Apply, err error) {
	var seqs []int64
	err = each(ctx, s.db, func(scan scanner) error {
		seq, a, err := applyIn(scan, statement == contents)
		if n := len(applies); n > 0 && seqs[n-1] == seq {
			applies[n-1].Files = append(applies[n-1].Files, a.Files...)
		} else {
			applies, seqs = append(applies, a), append(seqs, seq)
		}
		return err
	}, statement, args...)
	if err != nil || len(applies) == 0 {
		return nil, err
	}
	return applies, s.readFolders(ctx, applies, seqs)
}

// readFolders sets the folders of applies. `seqs` are their numbers, with the highest first. The folders of a recorded
// apply never change, so this read need not be in the same transaction as the other reads.
func (s *Store) readFolders(ctx context.Context, applies []Apply, seqs []int64) error {
	return each(ctx, s.db, func(scan scanner) error {
		var seq int64
		var made bool
		var path string
		if err := scan(&seq, &made, &path); err != nil {
			return err
		}
		i, ok := slices.BinarySearchFunc(seqs, seq, func(a, b int64) int { return cmp.Compare(b, a) })
		switch {
		case !ok: // the apply of this folder is not in the list
		case made:
			applies[i].Made = append(applies[i].Made, path)
		default:
			applies[i].Pruned = append(applies[i].Pruned, path)
		}
		return nil
	}, "SELECT apply, made, path FROM folder WHERE apply BETWEEN ? AND ? ORDER BY apply, made, n", seqs[len(seqs)-1], seqs[0])
}

func applyIn(scan scanner, withData bool) (seq int64, a Apply, err error) {
	var (
		f             File
		micros        int64
		before, after storedContent
		left          []byte
	)
	err = scan(&seq, &a.ID, &micros, &a.Root, &a.Key, &a.Label, &a.Source, &a.Undoes, &a.Part, &a.Reverted, &a.Partly, &f.Path, &f.Added, &f.Removed, &f.Agreed, &left,
		&before.sum, &before.mode, &before.size, &before.packed, &after.sum, &after.mode, &after.size, &after.packed)
	if err != nil {
		return 0, Apply{}, err
	}
	f.left = leftFile{f.Path, left, before.sum, before.mode, after.mode}
	f.NotKept = before.notKept() || after.notKept()
	if f.Before, err = before.content(withData, ""); err == nil {
		f.After, err = after.content(withData, f.Before.Data)
	}
	if err != nil {
		return 0, Apply{}, fmt.Errorf("%s: %w", f.Path, err)
	}
	a.Time, a.Files = time.UnixMicro(micros), []File{f}
	return seq, a, nil
}

type storedContent struct {
	sum    []byte // nil if the file does not exist
	mode   sql.NullInt64
	size   sql.NullInt64
	packed []byte
}

func (c storedContent) notKept() bool { return c.size.Valid && c.size.Int64 == notKeptSize }

// content unpacks the content. A delta is applied to the content `before`.
func (c storedContent) content(withData bool, before string) (text.Content, error) {
	if c.sum == nil {
		return text.Content{}, nil
	}
	content := text.Content{Exists: true, Mode: fs.FileMode(c.mode.Int64)}
	if !withData || c.notKept() {
		return content, nil
	}
	data, err := unpack(c.packed, c.size.Int64, c.sum, before)
	content.Data = data
	return content, err
}

// A Version is the content of a file before or after an apply.
type Version struct {
	Data  string
	Apply string // the id of the apply before or after which the file had this content
	Time  time.Time
}

const (
	mostVersions = 50       // the applies of a file that are read
	versionBytes = 32 << 20 // the bytes of contents that are returned
)

// Versions returns the contents that a file below `root` had before and after its latest applies, newest first. It
// returns at most 32 MB, and leaves out damaged contents.
func (s *Store) Versions(ctx context.Context, root, path string) (versions []Version, err error) {
	most := versionBytes
	err = each(ctx, s.db, func(scan scanner) error {
		var v Version
		var micros int64
		var before, after storedContent
		err := scan(&v.Apply, &micros, &before.sum, &before.mode, &before.size, &before.packed, &after.sum, &after.mode, &after.size, &after.packed)
		if err != nil {
			return err
		}
		v.Time = time.UnixMicro(micros)
		for _, v := range v.sides(after, before) {
			if most -= len(v.Data); most < 0 {
				return errEnough
			}
			versions = append(versions, v)
		}
		return nil
	}, `SELECT a.id, a.time, f.before_sum, f.before_mode, b.size, b.data, f.after_sum, f.after_mode, c.size, c.data
		FROM file f JOIN apply a ON a.seq = f.apply
		LEFT JOIN blob b ON b.sum = f.before_sum LEFT JOIN blob c ON c.sum = f.after_sum
		WHERE f.path = ? AND a.root = ? AND NOT a.pending ORDER BY a.seq DESC LIMIT ?`, path, filepath.Clean(root), mostVersions)
	return versions, s.wrap(err)
}

// sides returns the versions of a file after and before the apply of `v`. It leaves out a version if the file did not
// exist, or if its content is damaged or not kept.
func (v Version) sides(after, before storedContent) (versions []Version) {
	old, errBefore := before.content(true, "")
	new, errAfter := after.content(true, old.Data)
	if new.Exists && errAfter == nil && !after.notKept() {
		versions = append(versions, Version{new.Data, v.Apply, v.Time})
	}
	if old.Exists && errBefore == nil && !before.notKept() {
		versions = append(versions, Version{old.Data, v.Apply, v.Time})
	}
	return versions
}
