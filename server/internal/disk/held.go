package disk

import (
	"errors"
	"fmt"
	"sync"
	"time"
)

// On Windows, a program can open a file so that no other program can read, rename or remove the file. A virus scanner
// or an indexer does this for a moment, an office program for hours.

// All operations of a transaction together wait for files that other programs have open, but at most for the time
// `patience`. After that, no operation waits at all for the time `rest`. Without these limits, a scanner that has a
// thousand files open, one after the other, could delay a transaction by a thousand seconds.
const (
	patience = time.Second
	rest     = 10 * time.Second
	retryGap = 20 * time.Millisecond
)

// ErrHeld means that another program has opened or locked a file.
var ErrHeld = errors.New("another program has the file open")

// A wait limits how long all operations of a transaction or recovery together wait for files that other programs have
// open.
type wait struct {
	mu    sync.Mutex
	until time.Time
}

// deadline returns the time until which to repeat an operation that failed at the time `now`.
func (w *wait) deadline(now time.Time) time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	if now.Sub(w.until) > rest {
		w.until = now.Add(patience)
	}
	return w.until
}

// patiently performs an operation, and repeats it while another program has the file open, until the deadline.
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
