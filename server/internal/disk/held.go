package disk

import (
	"errors"
	"fmt"
	"sync"
	"time"
)

// On Windows, a program can open a file so that no other program can read, rename or remove it. A virus scanner or an
// indexer does this for a moment, an office program for hours.

// All operations of a transaction together wait at most for the time `patience` while other programs have files open.
// After that, no operation waits during the time `rest`. Without these limits, a scanner that opens a thousand files,
// one after the other, could delay a transaction by a thousand seconds.
const (
	patience = time.Second
	rest     = 10 * time.Second
	retryGap = 20 * time.Millisecond
)

// ErrHeld means that another program has opened or locked a file.
var ErrHeld = errors.New("another program has the file open")

// A wait limits how long operations together wait for files that other programs have open. Each transaction and each
// recovery has a wait.
type wait struct {
	mu    sync.Mutex
	until time.Time
}

// deadline returns the time until which to repeat an operation that failed at `now`.
func (w *wait) deadline(now time.Time) time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	if now.Sub(w.until) > rest {
		w.until = now.Add(patience)
	}
	return w.until
}

// patiently performs an operation. It repeats the operation until the deadline while another program has the file open.
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
