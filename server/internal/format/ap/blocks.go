package ap

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/locate"
)

// scopeEnd returns the end of the block that the snippet opens (rule A23).
func (r *run) scopeEnd(j job, snippet region) int {
	end, ok := r.t.blockEnd(snippet)
	if !ok {
		r.scopeless = append(r.scopeless, j.number)
		return snippet.end
	}
	return end
}

// blockEnd returns the line after the block that a region opens. If the region leaves a bracket
// open, the matching bracket ends the block; otherwise the indentation does. ok is false if the
// region opens no block.
func (t *target) blockEnd(at region) (end int, ok bool) {
	if at.start == at.end { // the region is one end of the file
		return at.end, false
	}
	c := counter{language: t.language}
	for i := at.start; i < at.end; i++ {
		c.line(t.line(i).text)
	}
	end = at.end
	if c.depth > 0 {
		if end, ok = t.bracketEnd(&c, end); !ok { // the brackets were miscounted
			return t.indentEnd(&counter{language: t.language}, at.start, at.end)
		} else if c.closed == '}' {
			return end, true
		}
	}
	if end, ok, braces := t.bodyEnd(c, end); braces {
		return end, ok
	}
	if body, ok := t.indentEnd(&c, at.start, end); ok {
		return body, true
	}
	return end, end > at.end
}

// continued matches a line that continues the header of a block before its brace.
var continued = lazyregexp.New(`^(?:where|throws|requires|noexcept|const|override)\b|^(?::|->)`)

// bodyEnd returns the line after a body in braces that are on lines of their own. The first brace
// is on line i, or below blank lines and the rest of the block's header.
func (t *target) bodyEnd(c counter, i int) (end int, ok, braces bool) {
	for i = t.solidFrom(i); i < t.count(); i++ {
		s := strings.TrimSpace(t.line(i).text)
		starts := strings.HasPrefix(s, "{")
		if !starts && !braces && !continued.MatchString(s) {
			return 0, false, false
		}
		braces = true
		c.line(t.line(i).text)
		switch {
		case c.depth > 0:
			end, ok = t.bracketEnd(&c, i+1)
			return end, ok, ok
		case starts:
			return i + 1, true, true
		case strings.HasSuffix(s, ";"):
			return 0, false, false
		}
	}
	return 0, false, false
}

func (t *target) bracketEnd(c *counter, i int) (end int, ok bool) {
	for ; i < t.count(); i++ {
		if c.line(t.line(i).text); c.depth <= 0 {
			return i + 1, true
		}
	}
	return 0, false
}

// closer matches a line that ends a block by a word or a bracket.
var closer = lazyregexp.New(`^(?:end|fi|done|esac|endif|endfor|endwhile|endfunction|\}|\)|\])\b?[;,]?$`)

// indentEnd returns the line after the lines, from line i on, that are indented more than the
// header. Lines in a string belong to the block at any indentation. So does a comment if more of
// the block follows.
func (t *target) indentEnd(c *counter, header, i int) (end int, ok bool) {
	base := len(locate.Indentation(t.line(header).text))
	for first := i; i < t.count(); i++ {
		s, within := t.line(i).text, c.until != ""
		c.line(s)
		switch deep := len(locate.Indentation(s)); {
		case within:
			if c.until == "" {
				end = i + 1
			}
		case t.isBlank(i), deep <= base && isBlank(s[:c.code]):
		case deep > base:
			end = i + 1
		case end > first && deep == base && closer.MatchString(strings.TrimSpace(s[:c.code])):
			return i + 1, true
		default:
			return end, end > first
		}
	}
	return end, end > 0
}

var declaration = lazyregexp.New(`^(?:(?:export|default|public|private|protected|internal|static|abstract|final|async|pub(?:\([a-z]+\))?|unsafe|inline|virtual|override)\s+)*(?:func|def|class|type|struct|interface|enum|impl|trait|fn|function|module|namespace|template|record|object)\b`)

// declares reports whether a line begins a declaration.
func declares(line string) bool { return declaration.MatchString(strings.TrimSpace(line)) }

// guarded moves an insertion out of a block if the content is a declaration in the first column.
// In that case, the model named the header of the declaration that should be the neighbour (rule
// A56). The ends of the file are in no block.
func (r *run) guarded(j job, at region) region {
	inserts := j.action == kwInsertAfter || j.action == kwInsertBefore
	if r.version != v32 || !inserts || at.start == at.end || j.scopeEnd || len(j.content) == 0 || locate.Indentation(j.content[0]) != "" || !declares(j.content[0]) || !opensBlock(j.content) {
		return at
	}
	top := at.start
	for top > 0 && (r.t.isBlank(top) || locate.Indentation(r.t.line(top).text) != "") {
		top--
	}
	if top >= r.t.count() || j.action == kwInsertBefore && top == at.start {
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
	return slices.ContainsFunc(content, func(line string) bool {
		return nesting(line) > 0 || strings.HasSuffix(strings.TrimSpace(line), ":") || strings.Contains(line, "{")
	})
}

// moved warns about an insertion that guarded has moved.
func (r *run) moved(j job, from, to region) {
	r.report(j, diag.Warning, diag.APNesting, j.act.line, fmt.Sprintf(
		"the content is a declaration in the first column, but line %d is inside a block; it is inserted at line %d, outside the block", r.t.number(from.start), r.t.number(to.start)))
}

// balance warns if the brackets of a file were balanced before the changes and are not balanced
// afterwards (rule A42).
func (r *run) balance() {
	if r.version != v32 {
		return
	}
	before, after := r.in.Text.String(), strings.Join(r.t.textsOf(region{end: r.t.count()}), "\n")
	for _, pair := range []string{"()", "[]", "{}"} {
		if n := surplus(after, pair); n != 0 && surplus(before, pair) == 0 {
			r.report(r.jobs[0], diag.Warning, diag.APUnbalanced, r.jobs[0].act.line,
				fmt.Sprintf("the brackets %s of %s match now, but would not match after this patch (%+d)", pair, r.path, n))
		}
	}
}

// surplus returns the number of opening brackets of a kind, minus that of closing ones.
func surplus(s, pair string) int { return strings.Count(s, pair[:1]) - strings.Count(s, pair[1:]) }
