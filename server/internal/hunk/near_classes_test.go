package hunk

import (
	"math/rand/v2"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// A class is a kind of mistake that models make.
type class struct {
	name    string
	make    func(r *rand.Rand) trial
	certain int // the least percentage of trials that --fix corrects
	offered int // the least percentage of trials for which some fixes are correct
}

// broken returns a generator of trials with a damaged patch.
func broken(f func(r *rand.Rand, t *trial)) func(r *rand.Rand) trial {
	return brokenIn(nil, f)
}

func brokenIn(edit func(r *rand.Rand, lines []string) []string, f func(r *rand.Rand, t *trial)) func(r *rand.Rand) trial {
	return func(r *rand.Rand) trial {
		t := newTrial(r, edit)
		f(r, &t)
		return t
	}
}

var classes = []class{
	{"exact", broken(func(*rand.Rand, *trial) {}), 100, 0},
	{"counts", broken(uncounted), 100, 0},
	{"numbers", broken(misnumbered), 70, 90},
	{"placeholders", broken(unnumbered), 70, 90},
	{"the function for numbers", broken(sectioned), 70, 90},
	{"white space at line ends lost", brokenIn(untidy, trimmedBody), 70, 80},
	{"white space at line ends added", broken(func(r *rand.Rand, t *trial) {
		t.body = eachLine(t.body, func(op byte, line string) string {
			if op == '+' || r.IntN(3) > 0 {
				return line
			}
			return bodyOf(line) + "  \n"
		})
	}), 70, 80},
	{"LF for CRLF", broken(func(_ *rand.Rand, t *trial) {
		t.src, t.truth = text.WithEOL(t.src, text.CRLF), text.WithEOL(t.truth, text.CRLF)
	}), 85, 90},
	{"CRLF for LF", broken(func(_ *rand.Rand, t *trial) {
		t.body = eachLine(t.body, func(_ byte, line string) string { return bodyOf(line) + "\r\n" })
	}), 85, 90},
	{"endings unknown", broken(func(_ *rand.Rand, t *trial) {
		t.src, t.truth, t.unknown = text.WithEOL(t.src, text.CRLF), text.WithEOL(t.truth, text.CRLF), true
	}), 100, 0},
	{"tabs to spaces", brokenIn(tabbed, func(_ *rand.Rand, t *trial) {
		t.body = eachLine(t.body, func(_ byte, line string) string { return strings.ReplaceAll(line, "\t", "    ") })
	}), 60, 75},
	{"tabs to spaces but for added lines", brokenIn(tabbed, func(_ *rand.Rand, t *trial) {
		t.body = eachLine(t.body, func(op byte, line string) string {
			if op == '+' {
				return line
			}
			return strings.ReplaceAll(line, "\t", "    ")
		})
	}), 50, 75},
	{"spaces to tabs", brokenIn(spaced, func(_ *rand.Rand, t *trial) {
		t.body = eachLine(t.body, func(_ byte, line string) string { return line[:1] + strings.ReplaceAll(line[1:], "    ", "\t") })
	}), 60, 75},
	{"marker lost", func(r *rand.Rand) trial {
		t := unended(r)
		t.body = strings.ReplaceAll(t.body, noNewline+"\n", "")
		return t
	}, 20, 90},
	{"marker too many", func(r *rand.Rand) trial {
		t := unended(r)
		t.src += "\n"
		t.truth = strings.TrimSuffix(t.truth, "\n") + "\n"
		return t
	}, 20, 80},
	{"mark lost", func(r *rand.Rand) trial {
		lines := program(r, 20)
		after := changed(r, lines, 1)
		after[r.IntN(3)] = "changed"
		body := patchOf(joined(lines), joined(after), 3)
		return trial{src: mark + joined(lines), truth: mark + joined(after), body: body}
	}, 60, 60},
	{"out of order", broken(func(r *rand.Rand, t *trial) { t.body = shuffled(r, t.body) }), 70, 0},
	{"no context after", broken(cutTrailing), 70, 80},
	{"no context before", broken(cutLeading), 70, 80},
	{"indentation shifted", broken(func(r *rand.Rand, t *trial) {
		t.body = eachLine(t.body, func(op byte, line string) string {
			if strings.TrimSpace(line[1:]) == "" {
				return line
			}
			return string(op) + "  " + line[1:]
		})
	}), 50, 60},
	{"a word changed", broken(func(r *rand.Rand, t *trial) {
		t.body = eachLine(t.body, func(op byte, line string) string {
			if op == '+' || r.IntN(8) > 0 {
				return line
			}
			return strings.Replace(line, "e", "ee", 1)
		})
	}), 0, 50},
	{"counts, numbers and white space", brokenIn(untidy, func(r *rand.Rand, t *trial) {
		uncounted(r, t)
		misnumbered(r, t)
		trimmedBody(r, t)
	}), 60, 80},
	{"placeholders, no context after, CRLF", broken(func(r *rand.Rand, t *trial) {
		cutTrailing(r, t)
		unnumbered(r, t)
		t.src, t.truth = text.WithEOL(t.src, text.CRLF), text.WithEOL(t.truth, text.CRLF)
	}), 50, 60},
	{"moved, and white space at line ends lost", brokenIn(untidy, func(r *rand.Rand, t *trial) {
		trimmedBody(r, t)
		top := strings.Repeat("# more\n", 1+r.IntN(9))
		t.src, t.truth = top+t.src, top+t.truth
	}), 60, 80},
	{"one hunk done", broken(func(r *rand.Rand, t *trial) {
		for _, h := range parse(t.body) {
			if r.IntN(2) == 0 {
				t.src, _ = text.Apply(t.src, []text.Edit{editOf(t.src, h)})
				break
			}
		}
	}), 70, 0},
	{"placeholders, the same elsewhere indented", brokenIn(func(r *rand.Rand, lines []string) []string {
		at := r.IntN(len(lines) - 15)
		for _, line := range lines[at : at+15] {
			lines = append(lines, "    "+line)
		}
		return lines
	}, unnumbered), 70, 90},
	{"indentation shifted, tabs", brokenIn(tabbed, func(_ *rand.Rand, t *trial) {
		t.body = eachLine(t.body, func(op byte, line string) string {
			if strings.TrimSpace(line[1:]) == "" {
				return line
			}
			return string(op) + "\t" + line[1:]
		})
	}), 50, 60},
	{"indentation of context shifted", broken(func(_ *rand.Rand, t *trial) {
		t.body = eachLine(t.body, func(op byte, line string) string {
			if op != ' ' || strings.TrimSpace(line) == "" {
				return line
			}
			return " " + line
		})
	}), 0, 0},
	{"spaces of context lost", broken(func(_ *rand.Rand, t *trial) {
		t.body = eachLine(t.body, func(op byte, line string) string {
			if op == ' ' {
				return line[1:]
			}
			return line
		})
	}), 50, 60},
	{"spaces of context lost, signs in the file", brokenIn(func(r *rand.Rand, lines []string) []string {
		for i := range lines {
			if r.IntN(4) == 0 {
				lines[i] = []string{"+", "-"}[r.IntN(2)] + lines[i]
			}
		}
		return lines
	}, func(_ *rand.Rand, t *trial) {
		t.body = eachLine(t.body, func(op byte, line string) string {
			if op == ' ' {
				return line[1:]
			}
			return line
		})
	}), 0, 0},
	{"spaces of context before text lost", broken(func(_ *rand.Rand, t *trial) {
		t.body = eachLine(t.body, func(op byte, line string) string {
			if op == ' ' && len(line) > 2 && line[1] != ' ' {
				return line[1:]
			}
			return line
		})
	}), 60, 60},
	{"tabs to spaces in context", brokenIn(tabbed, func(_ *rand.Rand, t *trial) {
		t.body = eachLine(t.body, func(op byte, line string) string {
			if op != ' ' {
				return line
			}
			return strings.ReplaceAll(line, "\t", "    ")
		})
	}), 30, 60},
}
