package history

import (
	"context"
	"path/filepath"
	"time"
)

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
