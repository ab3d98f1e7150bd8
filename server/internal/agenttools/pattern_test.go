package agenttools

import (
	"context"
	"strings"
	"testing"
)

// A slow expression stops when the search is cancelled, even within one long line.
func TestSearchEndsInALine(t *testing.T) {
	p, err := newPattern("(.?){1000}z")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	line := strings.Repeat("y", maxSearched)
	cancel()
	read := &endingReader{ctx: ctx, each: 16, Reader: strings.NewReader(line)}
	if p.MatchReader(read) || read.read > 16 {
		t.Errorf("%d characters were read after the end", read.read)
	}
	if q := (query{patterns: []pattern{p}}); q.matches(ctx, []string{line, "z"}) != nil {
		t.Error("a search that has ended has matches")
	}
	for _, line := range []string{line + "z", "z", strings.Repeat("é", 5_000) + "z"} {
		small, err := newPattern("(?:yy|é)*z$")
		if err != nil {
			t.Fatal(err)
		}
		small.size = max(small.size, atOnce) // treat it like a large one
		if !small.matches(context.Background(), line) || small.matches(context.Background(), line+"x") {
			t.Errorf("a line of %d bytes is read another way", len(line))
		}
	}
}
