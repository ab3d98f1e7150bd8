package parallel

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func recovered(f func()) (value any, stack string) {
	defer func() {
		if value = recover(); value != nil {
			stack = Stack(value)
		}
	}()
	f()
	return nil, ""
}

func boom() error { panic("boom") }

func TestPanicReachesWhoWaits(t *testing.T) {
	group, ctx := WithContext(t.Context(), 2)
	group.Go(boom)
	group.Go(func() error { <-ctx.Done(); return ctx.Err() }) // the panic cancels the context
	value, stack := recovered(func() { _ = group.Wait() })
	if fmt.Sprint(value) != "boom" || !strings.Contains(stack, "parallel.boom") || !strings.Contains(stack, "parallel.recovered") {
		t.Errorf("%v\n%s", value, stack)
	}
}

// A function of a group may itself run a group and wait for it.
func TestPanicOfAPanic(t *testing.T) {
	outer := New(1)
	outer.Go(func() error {
		inner := New(1)
		inner.Go(boom)
		return inner.Wait()
	})
	value, stack := recovered(func() { _ = outer.Wait() })
	if fmt.Sprint(value) != "boom" || !strings.Contains(stack, "parallel.boom") {
		t.Errorf("%v\n%s", value, stack)
	}
}

func TestErrors(t *testing.T) {
	refused := errors.New("refused")
	group, ctx := WithContext(context.Background(), 1)
	for _, err := range []error{nil, refused, errors.New("later")} {
		group.Go(func() error { return err })
	}
	if err := group.Wait(); err != refused || ctx.Err() == nil {
		t.Errorf("%v, and the context says %v", err, ctx.Err())
	}
}
