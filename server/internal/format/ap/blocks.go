package ap

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/match"
)

// scopeEnd is where the block ends that the snippet opens (ap 3.2 §2.5).
func (r *run) scopeEnd(j job, snippet region) int {
	end, ok := r.t.blockEnd(snippet)
	if !ok {
		r.scopeless = append(r.scopeless, j.number)
		return snippet.end
	}
	return end
}

// blockEnd is the line behind the block that a region opens: by brackets where it
// leaves one open, else by indentation. Ok is false where it opens none.
func (t *target) blockEnd(at region) (end int, ok bool) {
	open := 0
	for i := at.start; i < at.end; i++ {
		open += nesting(t.at(i).text)
	}
	next := t.solidFrom(at.end)
	if open <= 0 && next < len(t.cur) && strings.HasPrefix(strings.TrimSpace(t.at(next).text), "{") {
		for i := at.end; i <= next; i++ {
			open += nesting(t.at(i).text)
		}
		at.end = next + 1
		if open <= 0 {
			return at.end, true
		}
	}
	if open > 0 {
		return t.bracketEnd(at.end, open)
	}
	return t.indentEnd(at)
}

func (t *target) bracketEnd(i, open int) (end int, ok bool) {
	for ; i < len(t.cur); i++ {
		if open += nesting(t.at(i).text); open <= 0 {
			return i + 1, true
		}
	}
	return 0, false
}

// closer is a line that ends a block of words.
var closer = regexp.MustCompile(`^(?:end|fi|done|esac|endif|endfor|endwhile|endfunction|\}|\)|\])\b?[;,]?$`)

func (t *target) indentEnd(at region) (end int, ok bool) {
	base := len(match.Indentation(t.at(at.start).text))
	end = at.end
	for i := t.solidFrom(at.end); i < len(t.cur); i = t.solidFrom(i + 1) {
		s := t.at(i).text
		if len(match.Indentation(s)) <= base {
			if end > at.end && len(match.Indentation(s)) == base && closer.MatchString(strings.TrimSpace(s)) {
				end = i + 1
			}
			break
		}
		end = i + 1
	}
	return end, end > at.end
}

// solidFrom is the first line from i on that is not blank.
func (t *target) solidFrom(i int) int {
	for i < len(t.marks) && t.marks[i] == 0 {
		i++
	}
	return i
}

// nesting is how many brackets a line opens and does not close, strings and line
// comments left out.
func nesting(line string) int {
	n := 0
	quote := byte(0)
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '`', c == '\'' && strings.IndexByte(line[i+1:], '\'') >= 0:
			quote = c
		case c == '/' && strings.HasPrefix(line[i:], "//"):
			return n
		case strings.IndexByte("([{", c) >= 0:
			n++
		case strings.IndexByte(")]}", c) >= 0:
			n--
		}
	}
	return n
}

var declaration = regexp.MustCompile(`^(?:(?:export|default|public|private|protected|internal|static|abstract|final|async|pub(?:\([a-z]+\))?|unsafe|inline|virtual|override)\s+)*(?:func|def|class|type|struct|interface|enum|impl|trait|fn|function|module|namespace|template|record|object)\b`)

// declares reports whether a line begins a declaration.
func declares(line string) bool { return declaration.MatchString(strings.TrimSpace(line)) }

// guarded moves an insertion out of a block where the content is a declaration in
// the first column: the model has named the header of what it wants to come next to
// (ap 3.2 §3.6, "Nesting Guard").
func (r *run) guarded(j job, at region) region {
	inserts := j.action == kwInsertAfter || j.action == kwInsertBefore
	if r.version != v32 || !inserts || j.scopeEnd || len(j.content) == 0 || match.Indentation(j.content[0]) != "" || !declares(j.content[0]) || !opensBlock(j.content) {
		return at
	}
	top := at.start
	for top > 0 && (r.t.marks[top] == 0 || match.Indentation(r.t.at(top).text) != "") {
		top--
	}
	if top >= len(r.t.cur) || j.action == kwInsertBefore && top == at.start {
		return at
	}
	end, ok := r.t.blockEnd(region{start: top, end: max(top+1, min(at.end, top+(at.end-at.start)))})
	if !ok || end <= at.end && j.action == kwInsertAfter {
		return at
	}
	if j.action == kwInsertBefore {
		if end <= at.start {
			return at
		}
		return region{start: top, end: top}
	}
	return region{start: end, end: end}
}

func opensBlock(content []string) bool {
	n := 0
	for _, line := range content {
		if nesting(line) > 0 || strings.HasSuffix(strings.TrimSpace(line), ":") {
			return true
		}
		n += nesting(line)
	}
	return strings.Contains(strings.Join(content, "\n"), "{")
}

// moved warns of an insertion that the guard moved, and of a scope_end that had
// nothing to end.
func (r *run) moved(j job, from, to region) {
	r.report(j, diag.Warning, diag.APNesting, j.act.line, fmt.Sprintf(
		"the content is a declaration in the first column, and line %d lies inside of a block; it is inserted at line %d, outside of it", r.t.number(from.start), r.t.number(to.start)))
}

// balance warns where the brackets of a file were balanced and are not any more
// (ap 3.2 §3.4).
func (r *run) balance() {
	if r.version != v32 {
		return
	}
	var before, after [3]int
	count(&before, r.in.Text)
	for _, k := range r.t.cur {
		count(&after, r.t.lines[k].text)
	}
	for i, pair := range []string{"()", "[]", "{}"} {
		if before[i] == 0 && after[i] != 0 {
			r.report(r.jobs[0], diag.Warning, diag.APUnbalanced, r.jobs[0].act.line,
				fmt.Sprintf("the brackets %s of %s are balanced now, and would not be after this patch (%+d)", pair, r.path, after[i]))
		}
	}
}

func count(n *[3]int, s string) {
	for i := range len(s) {
		switch s[i] {
		case '(':
			n[0]++
		case ')':
			n[0]--
		case '[':
			n[1]++
		case ']':
			n[1]--
		case '{':
			n[2]++
		case '}':
			n[2]--
		}
	}
}
