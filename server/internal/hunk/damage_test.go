package hunk

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// eachLine changes the lines of hunks, except markers and headers.
func eachLine(body string, f func(op byte, line string) string) string {
	lines := gitLines(body)
	for i, line := range lines {
		if strings.ContainsRune(" +-", rune(line[0])) {
			lines[i] = f(line[0], line)
		}
	}
	return strings.Join(lines, "")
}

// eachHeader changes the headers of hunks.
func eachHeader(body string, f func(h Hunk) string) string {
	var edits []text.Edit
	for _, h := range parse(body) {
		edits = append(edits, text.Edit{Span: h.Header, New: f(h)})
	}
	out, err := text.Apply(body, edits)
	if err != nil {
		panic(err)
	}
	return out
}

func tabbed(_ *rand.Rand, lines []string) []string {
	for i, line := range lines {
		line = strings.ReplaceAll(line, "    ", "\t")
		lines[i] = strings.ReplaceAll(line, "  ", "\t")
	}
	return lines
}

func spaced(_ *rand.Rand, lines []string) []string {
	for i, line := range tabbed(nil, lines) {
		lines[i] = strings.ReplaceAll(line, "\t", "    ")
	}
	return lines
}

func untidy(r *rand.Rand, lines []string) []string {
	for i := range lines {
		lines[i] += []string{"", "", "", " ", "\t", "  "}[r.IntN(6)]
	}
	return lines
}

func uncounted(_ *rand.Rand, t *trial) {
	t.body = eachHeader(t.body, func(h Hunk) string {
		return fmt.Sprintf("@@ -%d,%d +%d,%d @@", h.Old.Start, h.Old.Count+2, h.New.Start, h.New.Count+1)
	})
}

func misnumbered(r *rand.Rand, t *trial) {
	t.body = eachHeader(t.body, func(h Hunk) string {
		return fmt.Sprintf("@@ -%d,%d +%d,%d @@", 300+r.IntN(200), h.Old.Count, 300+r.IntN(200), h.New.Count)
	})
}

func unnumbered(r *rand.Rand, t *trial) {
	t.body = eachHeader(t.body, func(Hunk) string { return []string{"@@", "@@ ... @@", "@@ @@"}[r.IntN(3)] })
}

func trimmedBody(_ *rand.Rand, t *trial) {
	t.body = eachLine(t.body, func(op byte, line string) string {
		if op == '+' {
			return line
		}
		return string(op) + strings.TrimRight(line[1:], " \t\n") + "\n"
	})
}

func cutTrailing(_ *rand.Rand, t *trial) { t.body = without(t.body, false) }
func cutLeading(_ *rand.Rand, t *trial)  { t.body = without(t.body, true) }

// without returns hunks without the context above or below their changes.
func without(body string, leading bool) string {
	var b strings.Builder
	for _, h := range parse(body) {
		before, after := edges(h.Lines)
		lines := h.Lines[:len(h.Lines)-after]
		old, now := h.Old, h.New
		if leading {
			lines = h.Lines[before:]
			old.Start, now.Start = old.Start+before, now.Start+before
		}
		x, y := sides(lines)
		fmt.Fprintf(&b, "@@ -%s +%s @@\n", diff.HunkRange(old.Start-1, old.Start-1+x.count()), diff.HunkRange(now.Start-1, now.Start-1+y.count()))
		for _, l := range lines {
			writeDiffLine(&b, string(l.Op), l.Text)
		}
	}
	return b.String()
}

// unended returns a trial on a file without a final newline. The patch may or may not change the end of the file.
func unended(r *rand.Rand) trial {
	for {
		lines := program(r, 30+r.IntN(40))
		lines[len(lines)-1] = "the last one"
		after := changed(r, lines, 1+r.IntN(2))
		if at := len(after) - 1 - r.IntN(3); at > 0 {
			after[at] = "changed here"
		}
		t := trial{src: strings.TrimSuffix(joined(lines), "\n"), truth: cutEnd(r, joined(after))}
		if r.IntN(3) > 0 {
			t.truth = strings.TrimSuffix(t.truth, "\n")
		}
		if t.body = patchOf(t.src, t.truth, 3); strings.Contains(t.body, noNewline) && !strings.HasSuffix(t.truth, "\n\n") {
			return t
		}
	}
}

// sectioned makes the header of each hunk name the least indented line above the hunk.
func sectioned(_ *rand.Rand, t *trial) {
	lines := strings.Split(t.src, "\n")
	t.body = eachHeader(t.body, func(h Hunk) string {
		for i := min(h.Old.Start+2, len(lines)-1); i >= 0; i-- {
			if strings.HasPrefix(lines[i], "def ") {
				return "@@ " + lines[i]
			}
		}
		return "@@"
	})
}
