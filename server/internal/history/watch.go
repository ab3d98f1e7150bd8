package history

import (
	"context"
	"errors"
	"time"
)

// Watch begins to watch the history, and returns a function that calls `changed` after each change since then, by any
// process. That function reads the version of the file at the interval `every`, because SQLite does not notify other
// processes. It ends when `ctx` ends, or if the file is found to be damaged. Its error is the error of `ctx`, or an
// error of reading the history. It must be called exactly once.
func (s *Store) Watch(ctx context.Context) (until func(every time.Duration, changed func()) error, err error) {
	// PRAGMA data_version counts only writes through other connections, so nothing is written through this one.
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return nil, s.wrap(err)
	}
	version := func() (now int64, err error) {
		err = s.wrap(conn.QueryRowContext(ctx, "PRAGMA data_version").Scan(&now))
		return now, err
	}
	last, err := version()
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return func(every time.Duration, changed func()) error {
		defer conn.Close()
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			if s.damage.Load() != nil {
				return s.wrap(errors.New("changes by other programs are no longer noticed"))
			}
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-tick.C:
			}
			now, err := version()
			if err != nil {
				return err
			}
			if now != last {
				last = now
				changed()
			}
		}
	}, nil
}
