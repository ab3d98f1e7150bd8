package history

import (
	"context"
	"errors"
	"time"
)

// Watch calls changed after each change of the history, by this process or another, until ctx
// ends or the file is found to be damaged. It polls, because SQLite does not notify other
// processes. The error is ctx's, or an error of reading the history.
func (s *Store) Watch(ctx context.Context, every time.Duration, changed func()) error {
	conn, err := s.db.Conn(ctx) // the version counts only writes through other connections
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
			return s.wrap(errors.New("it is no longer watched"))
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}
