package gitoracle_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A section is the part of a patch for one file: the lines before the first hunk, the hunks, and
// the lines after them. Git wrote it, so all counts are correct.
type section struct {
	at    int // offset in the patch
	head  string
	hunks []hunk
	tail  string // lines after the hunks, such as the signature of a mail
}

type hunk struct {
	at                                     int // its offset in the patch
	oldStart, oldCount, newStart, newCount int
	tail                                   string   // the end of the header, with its newline
	body                                   []string // the hunk's lines, with their newlines
}

var hunkHeader = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? (@@.*\n)$`)

// sections splits a patch into sections. Text before the first section belongs to the head of
// that section.
func sections(patch string) []section {
	out := []section{{}}
	lines := slices.Collect(strings.Lines(patch))
	at := 0
	for i := 0; i < len(lines); {
		last := &out[len(out)-1]
		m := hunkHeader.FindStringSubmatch(lines[i])
		switch {
		case m != nil && strings.Contains(last.head, "\n+++ "):
			h := hunk{at, number(m[1], 0), number(m[2], 1), number(m[3], 0), number(m[4], 1), m[5], nil}
			n := h.size(lines[i+1:])
			h.body = lines[i+1 : i+1+n]
			last.hunks = append(last.hunks, h)
			i += 1 + n
			at += len(strings.Join(lines[i-1-n:i], ""))
			continue
		case strings.HasPrefix(lines[i], "diff ") && last.head != "":
			out = append(out, section{at: at, head: lines[i]})
		case len(last.hunks) > 0:
			last.tail += lines[i]
		default:
			last.head += lines[i]
		}
		at += len(lines[i])
		i++
	}
	return out
}

// contextFree reports whether the hunks of some file have no context at all. The patch may then
// be one of -U0, which git recognizes only by an option.
func contextFree(patch string) bool {
	return slices.ContainsFunc(sections(patch), func(s section) bool {
		return len(s.hunks) > 0 && !slices.ContainsFunc(s.hunks, hunk.hasContext)
	})
}

func (h hunk) hasContext() bool {
	return slices.ContainsFunc(h.body, func(line string) bool { return line[0] == ' ' })
}

func number(s string, missing int) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return missing
	}
	return n
}

// size counts the old and new lines of the hunk.
func (h hunk) size(lines []string) int {
	oldLeft, newLeft := h.oldCount, h.newCount
	for i, line := range lines {
		switch {
		case line[0] == '\\':
		case oldLeft == 0 && newLeft == 0:
			return i
		case line[0] == '-':
			oldLeft--
		case line[0] == '+':
			newLeft--
		default:
			oldLeft--
			newLeft--
		}
	}
	return len(lines)
}

func (h hunk) String() string {
	return fmt.Sprintf("@@ -%d,%d +%d,%d %s%s", h.oldStart, h.oldCount, h.newStart, h.newCount, h.tail, strings.Join(h.body, ""))
}

func join(sections []section) string {
	var b strings.Builder
	for _, s := range sections {
		b.WriteString(s.head)
		for _, h := range s.hunks {
			b.WriteString(h.String())
		}
		b.WriteString(s.tail)
	}
	return b.String()
}

// disturbPatch changes a patch in a way that git can still read. If the patch does not keep its
// meaning, the correct result of the trial becomes unknown.
func (r source) disturbPatch(t *trial) string {
	all := sections(t.text)
	var with []int // sections with hunks that change an existing file
	for i, s := range all {
		if len(s.hunks) > 0 && s.hunks[0].oldCount > 0 && s.hunks[0].newCount > 0 {
			with = append(with, i)
		}
	}
	if len(with) == 0 {
		return "not at all"
	}
	s := &all[pick(r, with)]
	s.hunks = slices.Clone(s.hunks)
	how, means := r.disturbSection(s)
	if !means {
		t.truth = nil
	}
	if how == "a section twice" {
		all = append(all, *s)
	}
	t.text = join(all)
	t.texts = []string{t.text}
	return how
}

// disturbSection changes a section, and reports whether the section keeps its meaning.
func (r source) disturbSection(s *section) (how string, means bool) {
	i := r.IntN(len(s.hunks))
	h := &s.hunks[i]
	switch r.weighted(5, 4, 4, 2, 1, 1, 3, 1, 1) {
	case 0:
		by := r.shift(min(h.oldStart, h.newStart) - 1)
		h.oldStart, h.newStart = h.oldStart+by, h.newStart+by
		return fmt.Sprintf("hunk %d moved by %d", i+1, by), true
	case 1:
		by := r.shift(min(s.hunks[0].oldStart, s.hunks[0].newStart) - 1)
		for j := range s.hunks {
			s.hunks[j].oldStart += by
			s.hunks[j].newStart += by
		}
		return fmt.Sprintf("all hunks moved by %d", by), true
	case 2:
		s.hunks = slices.Delete(s.hunks, i, i+1)
		if len(s.hunks) == 0 {
			s.head, s.tail = "", "" // a head without hunks would be a valid patch of its own
		}
		return fmt.Sprintf("hunk %d dropped", i+1), false
	case 3:
		h.newStart += r.shift(h.newStart - 1)
		return fmt.Sprintf("new start of hunk %d is %d", i+1, h.newStart), true
	case 4:
		j := r.IntN(len(s.hunks))
		s.hunks[i], s.hunks[j] = s.hunks[j], s.hunks[i]
		return fmt.Sprintf("hunks %d and %d swapped", i+1, j+1), true
	case 5:
		return "a section twice", true
	case 6:
		return h.shorten(r.one(2)) + fmt.Sprintf(" of hunk %d", i+1), true
	case 8:
		last := &s.hunks[len(s.hunks)-1]
		last.body = append(slices.Clone(last.body), pick(r, []string{"+one more\n", " one more\n", "-one more\n"}))
		return "a line behind the last hunk", false
	default:
		s.head = regexp.MustCompile(`(?m)^index .*\n`).ReplaceAllString(s.head, "")
		return "no index line", true
	}
}

// shift returns a random number by which line numbers are moved. It is at least -back.
func (r source) shift(back int) int {
	by := 1 + r.IntN(6)
	if r.one(2) && by <= back {
		return -by
	}
	return by
}

// shorten removes a line of context from the beginning or the end of the hunk.
func (h *hunk) shorten(begin bool) string {
	if begin {
		if h.body[0][0] == ' ' && len(h.body) > 2 && h.body[1][0] != '\\' {
			h.body = h.body[1:]
			h.oldStart, h.newStart = h.oldStart+1, h.newStart+1
			h.oldCount, h.newCount = h.oldCount-1, h.newCount-1
			return "one line less at the begin"
		}
		return "nothing less at the begin"
	}
	if last := len(h.body) - 1; h.body[last][0] == ' ' && last > 1 {
		h.body = h.body[:last]
		h.oldCount, h.newCount = h.oldCount-1, h.newCount-1
		return "one line less at the end"
	}
	return "nothing less at the end"
}
