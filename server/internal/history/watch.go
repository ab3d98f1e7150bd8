package history

import (
	"context"
	"errors"
	"time"
)

// Watch calls the function `changed` after each change of the history, by any process. It asks SQLite at the interval
// `every`, because SQLite does not notify other processes. It ends with ctx, or if the file is found to be damaged. The
// error is that of ctx, or an error of reading the history.
func (s *Store) Watch(ctx context.Context, every time.Duration, changed func()) error {
	// The version that is read below counts only writes through other connections, so nothing is written through this
	// one.
	conn, err := s.db.Conn(ctx)
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
