package gitdiff

import (
	"slices"
	"strings"
	"time"

	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

type name struct {
	at      text.Span // with its quotes, but without the text after it
	line    int
	raw     string // without quotes, but with its prefix
	devNull bool
	stamp   string // the text after the name, usually a time
	bare    bool   // on a line without prefixes, such as `rename from`
	tabbed  bool   // the text after a tab is no time, so it may belong to the name
}

func (n name) ok() bool { return n.raw != "" }

// cut splits a name after its first folder, as -p1 does.
func (n name) cut() (first, rest string) {
	i := strings.IndexByte(n.raw, '/')
	return n.raw[:i+1], n.raw[i+1:]
}

// stampPattern matches the time that diff writes after a name, even if spaces replaced the tab.
var stampPattern = lazyregexp.New(`[ \t]+\((?:original|old|before|current|modified|new|updated|after)\) *$|(\t| +)(\d\d)?\d\d-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?( [-+]\d\d:?\d\d)? *$`)

// timePattern matches the text that programs write after a name and a tab: a time, a year, or a remark in
// parentheses.
var timePattern = lazyregexp.New(`^\t+(\(|.*\d:\d\d|.*\b\d{4}\b)`)

var extensionPattern = lazyregexp.New(`\.\w*[A-Za-z]\w*$`)

// fileName reads the name on a `---` or `+++` line. The name begins at the byte offset `from` of line i and ends at
// a tab.
func (s *source) fileName(i, from int) name {
	span := s.line(i)
	span.Start += from
	line := span.In(s.body)
	n := name{at: span, line: i}
	if raw, size, ok := diff.UnquoteName(line); ok {
		n.at.End, n.raw, n.stamp = n.at.Start+size, raw, line[size:]
		return n
	}
	end := len(line)
	if tab := strings.IndexByte(line, '\t'); tab >= 0 {
		end = tab
	}
	n.raw, n.stamp, n.at.End = line[:end], line[end:], n.at.Start+end
	n.tabbed = !isTime(n.stamp)
	n.devNull = n.raw == "/dev/null" || strings.HasPrefix(n.raw, "/dev/null ")
	return n
}

// isTime reports whether the text after a name, from one tab to the next, is a time. Any other text may be part of
// the name. So may a time with a file extension at its end.
func isTime(stamp string) bool {
	rest := strings.TrimLeft(stamp, "\t")
	first, _, _ := strings.Cut(rest, "\t")
	return strings.TrimSpace(stamp) == "" || timePattern.MatchString("\t"+first) && !extensionPattern.MatchString(first)
}

// withoutStamp returns the name without a time after it.
func (n name) withoutStamp() name {
	if cut := stampPattern.FindStringIndex(n.raw); cut != nil && n.at.Len() == len(n.raw) {
		n.stamp = n.raw[cut[0]:]
		n.at.End -= len(n.stamp)
		n.raw = n.raw[:cut[0]]
	}
	return n
}

// wholeName reads a name up to the end of line i, such as the name on a `rename from` line.
func (s *source) wholeName(i, from int) name {
	span := s.line(i)
	span.Start += from
	n := name{at: span, line: i, raw: span.In(s.body), bare: true}
	if raw, size, ok := diff.UnquoteName(n.raw); ok {
		n.raw, n.at.End = raw, span.Start+size
	}
	return n
}

// epoch reports whether the time after a name is 1970-01-01, which diff writes for a missing file.
func (n name) epoch() bool {
	stamp := n.stamp[strings.LastIndexByte(n.stamp, '\t')+1:]
	return slices.ContainsFunc([]string{"2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05 -07:00"}, func(layout string) bool {
		t, err := time.Parse(layout, stamp)
		return err == nil && t.Equal(time.Unix(0, 0))
	})
}

// gitNames returns the two names on a `diff --git` line. It returns false if spaces hide where the second name
// begins.
func (s *source) gitNames(i int) (old, new name, ok bool) {
	span := s.line(i)
	span.Start += len("diff --git ")
	line := span.In(s.body)
	// A blank at the end belongs to the second name only if the names cannot be separated without it.
	if line != "" && line[0] != '"' && splitNames(line) < 0 {
		line = strings.TrimRight(line, " \t")
	}
	at := func(start, end int, raw string) name {
		return name{at: text.Span{Start: start, End: end}.Shift(span.Start), line: i, raw: raw}
	}
	if raw, size, quoted := diff.UnquoteName(line); quoted {
		rest := strings.TrimLeft(line[size:], " \t")
		start := len(line) - len(rest)
		old = at(0, size, raw)
		if raw, n, quoted := diff.UnquoteName(rest); quoted {
			return old, at(start, start+n, raw), n == len(rest)
		}
		return old, at(start, len(line), rest), rest != ""
	}
	if q := strings.Index(line, ` "`); q > 0 && strings.HasSuffix(line, `"`) {
		if raw, n, quoted := diff.UnquoteName(line[q+1:]); quoted && q+1+n == len(line) {
			return at(0, q, line[:q]), at(q+1, len(line), raw), true
		}
	}
	cut := splitNames(line)
	if cut < 0 {
		return name{}, name{}, false
	}
	return at(0, cut, line[:cut]), at(cut+1, len(line), line[cut+1:]), true
}

// maxLongNames is the largest length, in bytes, of a `diff --git` line in which splitNames looks for prefixes of
// several folders.
const maxLongNames = 4096

// splitNames returns the offset of the blank between two names that are equal or differ only in their first folder,
// or else the offset of the only blank, or else -1.
func splitNames(line string) int {
	only, long, slash := -1, -1, 0
	o := strings.IndexByte(line, '/') + 1
	for i := range len(line) {
		if line[i] != ' ' && line[i] != '\t' {
			continue
		}
		if slash >= 0 && slash <= i { // a slash after i is still the next slash
			if slash = strings.IndexByte(line[i+1:], '/'); slash >= 0 {
				slash += i + 1
			}
		}
		old, new := line[:i], line[i+1:]
		if n := slash - i; old == new || slash >= 0 && 0 < o && o < i && i-o == len(new)-n && old[o:] == new[n:] {
			return i
		}
		if long < 0 && len(line) <= maxLongNames {
			if prefix, _ := longPrefixes(old, new); prefix != "" {
				long = i
			}
		}
		if only >= 0 {
			only = len(line)
		} else {
			only = i
		}
	}
	switch {
	case long >= 0 && only == len(line):
		return long
	case only == len(line) || only == 0:
		return -1
	}
	return only
}

// movedNames returns the two names on the `diff --git` line of a rename or copy, even if they contain spaces. `from`
// and `to` are the names on other lines. It returns false if the names disagree.
func (s *source) movedNames(i int, from, to string) (old, new name, ok bool) {
	span := s.line(i)
	span.Start += len("diff --git ")
	line := span.In(s.body)
	raw, size, quoted := diff.UnquoteName(line)
	for start := 0; !quoted && size == 0; {
		if rest, found := strings.CutPrefix(line[start:], from+" "); found && endsIn(rest, to) {
			size = start + len(from)
			raw = line[:size]
		}
		next := strings.IndexByte(line[start:], '/') + 1
		if next == 0 {
			break
		}
		start += next
	}
	if size == 0 || size+1 >= len(line) {
		return name{}, name{}, false
	}
	old = name{at: text.Span{Start: 0, End: size}.Shift(span.Start), line: i, raw: raw}
	new = name{at: text.Span{Start: span.Start + size + 1, End: span.End}, line: i, raw: line[size+1:]}
	if raw, n, quoted := diff.UnquoteName(new.raw); quoted {
		new.raw, new.at.End = raw, new.at.Start+n
	}
	return old, new, endsIn(old.raw, from) && endsIn(new.raw, to)
}

func endsIn(written, name string) bool {
	if raw, size, quoted := diff.UnquoteName(written); quoted && size == len(written) {
		written = raw
	}
	return written == name || strings.HasSuffix(written, "/"+name)
}

type spot struct {
	name
	old  bool
	file bool // on a `---` or `+++` line
}

func (s spot) set(prefix, value string) text.Edit {
	raw := prefix + value
	if s.bare {
		raw = value
	}
	if s.file && s.stamp == "" {
		return text.Edit{Span: s.at, New: diff.NameInLine(raw)}
	}
	return text.Edit{Span: s.at, New: diff.QuoteName(raw)}
}

// spots returns the places of all names in a section's header, from top to bottom, except `/dev/null`.
func (s *section) spots() []spot {
	var spots []spot
	add := func(n name, old, file bool) {
		if n.ok() && !n.devNull && !(n.bare && (n.line == s.oldName.line && s.oldName.ok() || n.line == s.newName.line && s.newName.ok())) {
			spots = append(spots, spot{n, old, file})
		}
	}
	if s.gitNamesOK {
		add(s.gitOld, true, false)
		add(s.gitNew, false, false)
	}
	add(s.from, true, false)
	add(s.to, false, false)
	add(s.oldName, true, true)
	add(s.newName, false, true)
	return spots
}

// literal returns the section's old or new path. If several lines have the path, the span covers all of them, and a
// fix changes them all. Diagnostics underline only the last.
func (s *section) literal(old bool) intent.Literal {
	spots := text.Only(s.spots(), func(spot spot) bool { return !s.moves() || spot.old == old })
	if len(spots) == 0 {
		return intent.Literal{Span: s.header()}
	}
	span, quoted := spots[0].at, false
	for _, spot := range spots {
		quoted = quoted || strings.HasPrefix(spot.at.In(s.body), `"`)
		span.Start, span.End = min(span.Start, spot.at.Start), max(span.End, spot.at.End)
	}
	return intent.Literal{Span: span, Name: spots[len(spots)-1].at, As: headerNames{span.In(s.body), span.Start, spots, s.names}, Quoted: quoted}
}

// headerNames is the notation of a path that several lines of a header have.
type headerNames struct {
	text  string // the lines with the path
	start int    // the offset of `text` in the body
	spots []spot
	names pair
}

func (h headerNames) Write(value string) string {
	var edits []text.Edit
	for _, spot := range h.spots {
		prefix := h.names.newPrefix
		if spot.old {
			prefix = h.names.oldPrefix
		}
		e := spot.set(prefix, value)
		edits = append(edits, text.Edit{Span: e.Span.Shift(-h.start), New: e.New})
	}
	written, err := text.Apply(h.text, edits)
	if err != nil {
		return strings.Clone(h.text) // never happens, because spots do not overlap
	}
	return written
}

// A verbatim is the notation of content that no fix changes.
type verbatim string

func (v verbatim) Write(string) string { return string(v) }
