package doubt

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

func (c *Change) at(r Run) Part {
	if c.Whole {
		return c.textAt()
	}
	return r.At
}

// keeping returns the fix that replaces new line i with the old lines, or nil if another new line has words, too.
// Blank lines around line i stay, so the fix does not write them a second time.
func (c *Change) keeping(r Run, i int) []diag.Fix {
	if countWithWords(r.New) > 1 {
		return nil
	}
	from, to := 0, len(r.Old)
	for ; from < min(i, to) && strings.TrimSpace(r.Old[from]) == ""; from++ {
	}
	for ; to > max(from, len(r.Old)-(len(r.New)-1-i)) && strings.TrimSpace(r.Old[to-1]) == ""; to-- {
	}
	if from == to {
		return nil
	}
	kept := make([]int, to-from)
	for k := range kept {
		kept[k] = r.Line - 1 + from + k
	}
	return c.writing("Keep "+lineRanges(kept), r, i, 1, r.Old[from:to])
}

func (c *Change) leavingOut(r Run, i int) []diag.Fix {
	return c.writing("Leave out "+fmt.Sprintf("%q", strings.TrimSpace(r.New[i])), r, i, 1, nil)
}

// writing returns the fix that replaces n lines, beginning with new line i, with `instead`. It returns nil if the
// text in the block is not in one piece, or if line i is not unique in it.
func (c *Change) writing(title string, r Run, i, n int, instead []string) []diag.Fix {
	w := r.Written
	if c.Whole {
		w = intent.Written{Text: c.Content, At: c.ContentAt}
	}
	lines := text.SplitLines(w.Text)
	at := r.NewLine - 1 + i
	if !c.Whole {
		is := func(line string) bool { return strings.TrimSpace(line) == strings.TrimSpace(r.New[i]) }
		if at = slices.IndexFunc(lines, is); at >= 0 && slices.ContainsFunc(lines[at+1:], is) {
			at = -1
		}
	}
	if w.At.Span == (text.Span{}) || at < 0 || at+n > len(lines) {
		return nil
	}
	var b strings.Builder
	b.WriteString(strings.Join(lines[:at], ""))
	eol := lines[at][len(text.TrimEOL(lines[at])):]
	for k, line := range instead {
		b.WriteString(line)
		if eol == "" && k < len(instead)-1 {
			b.WriteString("\n")
		}
		b.WriteString(eol)
	}
	b.WriteString(strings.Join(lines[at+n:], ""))
	return []diag.Fix{{Title: title, Edits: []text.Edit{w.At.Set(b.String())}}}
}
