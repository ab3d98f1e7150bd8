package cli

import (
	"fmt"
	"io"
	"time"
)

// showProgress prints a line on a terminal if the work takes longer than a second. stop
// removes the line.
func showProgress(w io.Writer, what string) (stop func()) {
	w = unescaped(w) // the line is rewritten with control characters
	if !isTerminal(w) {
		return func() {}
	}
	done, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		begin := time.Now()
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				fmt.Fprintf(w, "\raptix: %s, %d s (Ctrl-C stops it, nothing is half-written)", what, int(time.Since(begin).Seconds()))
			case <-done:
				if time.Since(begin) >= time.Second {
					fmt.Fprint(w, "\r\x1b[K")
				}
				return
			}
		}
	}()
	return func() { close(done); <-gone }
}
