package convert

import (
	"fmt"
	"strconv"

	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// difference describes how the actual file differs from the intended one.
func difference(want, got plan.File) string {
	w, g := want.After, got.After
	switch {
	case got.Path == "":
		return "it would stay as it is"
	case w.Exists != g.Exists:
		return "the format cannot say whether it exists at the end"
	case w.Data == g.Data:
		return fmt.Sprintf("it would have the permissions %v, not %v", g.Mode, w.Mode)
	}
	return lineDifference(text.SplitLines(w.Data), text.SplitLines(g.Data))
}

func lineDifference(want, got []string) string {
	n := 0
	for n < min(len(want), len(got)) && want[n] == got[n] {
		n++
	}
	w, g := lineAt(want, n), lineAt(got, n)
	if bw, bg := text.TrimEOL(w), text.TrimEOL(g); bw == bg && w != g {
		return fmt.Sprintf("line %d would end in %q, not in %q", n+1, g[len(bg):], w[len(bw):])
	}
	return fmt.Sprintf("line %d would be %s, not %s", n+1, strconv.Quote(text.Cut(g, 60)), strconv.Quote(text.Cut(w, 60)))
}

func lineAt(lines []string, n int) string {
	if n < len(lines) {
		return lines[n]
	}
	return ""
}
