package history

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestWatch(t *testing.T) {
	dir := t.TempDir()
	s, other := open(t, dir), open(t, dir)
	ctx, stop := context.WithCancel(context.Background())
	told, ended := make(chan struct{}, 100), make(chan error)
	go func() { ended <- s.Watch(ctx, time.Millisecond, func() { told <- struct{}{} }) }()
	for _, by := range []*Store{other, s} {
		// Watch may start only after the first of these changes.
		for n := 0; len(told) == 0; n++ {
			must(t, by.Record(ctx, apply("k", did("a", stands("1"), stands("2")))))
			if n == 10_000 {
				t.Fatal("nothing was told")
			}
		}
		for len(told) > 0 {
			<-told
		}
	}
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
}
