package disk

import (
	"errors"
	"fmt"
	"sync"
	"time"
)

// On Windows a program can open a file so that no other program can read, rename or remove
// it. A virus scanner or an indexer does so for a moment, an office program for hours.

// patience is the time that all operations of a transaction together wait for files held by other
// programs. Afterwards, no operation waits until the time rest is over: a scanner that holds a
// thousand files must not take a thousand seconds.
const (
	patience = time.Second
	rest     = 10 * time.Second
	retryGap = 20 * time.Millisecond
)

// ErrHeld means that another program has a file open, or locked.
var ErrHeld = errors.New("another program has the file open")

// A wait limits the waiting of all operations of a transaction or a recovery together.
type wait struct {
	mu    sync.Mutex
	until time.Time
}

// deadline returns the time until which an operation that fails at now is repeated.
func (w *wait) deadline(now time.Time) time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	if now.Sub(w.until) > rest {
		w.until = now.Add(patience)
	}
	return w.until
}

// patiently performs an operation, and repeats it while the file is held and there is time.
func (w *wait) patiently(perform func() error) error {
	err := perform()
	if w == nil || !held(err) {
		return err
	}
	for deadline := w.deadline(time.Now()); held(err) && time.Now().Before(deadline); err = perform() {
		time.Sleep(retryGap)
	}
	if held(err) {
		return fmt.Errorf("%w: %w", ErrHeld, err)
	}
	return err
}
