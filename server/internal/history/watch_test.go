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
	until, err := s.Watch(ctx)
	must(t, err)
	for i, by := range []*Store{other, s} {
		must(t, by.Record(ctx, apply("k", did("a", stands("1"), stands("2")))))
		if i == 0 {
			go func() { ended <- until(time.Millisecond, func() { told <- struct{}{} }) }() // it tells of the change before this
		}
		<-told
		for len(told) > 0 {
			<-told
		}
	}
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
}
