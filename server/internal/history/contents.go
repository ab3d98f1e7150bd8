package history

import (
	"context"
	"path/filepath"
	"time"
)

// A Version is a content that a file had before or after an apply.
type Version struct {
	Data  string
	Apply string // its id
	Time  time.Time
}

// mostVersions is how many applies of a file are looked at.
const mostVersions = 50

// Versions are the contents that a file below root had after and before its latest
// applies, the newest first. A damaged one is left out.
func (s *Store) Versions(ctx context.Context, root, path string) ([]Version, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT a.id, a.time, b.sum, b.size, b.data FROM file f JOIN apply a ON a.seq = f.apply
		JOIN (SELECT 0 AS before UNION ALL SELECT 1) side
		JOIN blob b ON b.sum = CASE side.before WHEN 0 THEN f.after_sum ELSE f.before_sum END
		WHERE f.path = ? AND a.root = ? AND NOT a.pending ORDER BY a.seq DESC, side.before LIMIT ?`, path, filepath.Clean(root), 2*mostVersions)
	if err != nil {
		return nil, s.wrap(err)
	}
	defer rows.Close()
	var versions []Version
	for rows.Next() {
		var v Version
		var micros, size int64
		var name, packed []byte
		if err := rows.Scan(&v.Apply, &micros, &name, &size, &packed); err != nil {
			return nil, s.wrap(err)
		}
		v.Time = time.UnixMicro(micros)
		if v.Data, err = unpack(packed, size, name); err == nil {
			versions = append(versions, v)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, s.wrap(err)
	}
	return versions, nil
}
