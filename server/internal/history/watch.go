package history

import (
	"context"
	"errors"
	"time"
)

// Watch calls changed after the history was changed, by this process or another, until
// ctx ends, or the file is found damaged. It looks every so often: SQLite tells nobody. The
// error is ctx's, or about the file.
func (s *Store) Watch(ctx context.Context, every time.Duration, changed func()) error {
	conn, err := s.db.Conn(ctx) // the version counts what others than this connection wrote
	if err != nil {
		return s.wrap(err)
	}
	defer conn.Close()
	tick := time.NewTicker(every)
	defer tick.Stop()
	for last := int64(-1); ; {
		var now int64
		if err := conn.QueryRowContext(ctx, "PRAGMA data_version").Scan(&now); err != nil {
			return s.wrap(err)
		}
		if last >= 0 && now != last {
			changed()
		}
		last = now
		if s.damage.Load() != nil {
			return s.wrap(errors.New("it is not watched any longer"))
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}
