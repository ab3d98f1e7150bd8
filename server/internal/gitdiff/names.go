package gitdiff

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A name is a file's name as one line of a header has it.
type name struct {
	at      text.Span // as written, quotes included; without what follows it
	line    int
	raw     string // unquoted, its prefix included
	devNull bool
	stamp   string // what follows: a timestamp, mostly
	bare    bool   // its line has no prefixes: rename and copy
	tabbed  bool   // what follows it after a tab is no time, and may be of the name
}

func (n name) ok() bool { return n.raw != "" }

// cut cuts a name after its first folder, as -p1 does.
func (n name) cut() (first, rest string) {
	i := strings.IndexByte(n.raw, '/')
	return n.raw[:i+1], n.raw[i+1:]
}

// stampPattern is what diff writes after a name; spaces are a tab that was lost.
var stampPattern = lazyregexp.New(`(\t| +)(\d\d)?\d\d-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?( [-+]\d\d:?\d\d)? *$`)

// timePattern is what programs write after a name and a tab: a time, a year, or a remark in
// parentheses.
var timePattern = lazyregexp.New(`^\t+(\(|.*\d:\d\d|.*\b\d{4}\b)`)

var extensionPattern = lazyregexp.New(`\.\w*[A-Za-z]\w*$`)

// fileName reads the name of a `---` or `+++` line, which begins at byte from of
// line i. A tab ends it.
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

// isTime reports whether what follows a name, from its tab to the next one, is no part of
// the name: a name goes on with more than a time, or ends as a file's does.
func isTime(stamp string) bool {
	rest := strings.TrimLeft(stamp, "\t")
	first, _, _ := strings.Cut(rest, "\t")
	return strings.TrimSpace(stamp) == "" || timePattern.MatchString("\t"+first) && !extensionPattern.MatchString(first)
}

// withoutStamp takes a timestamp off that follows a name without a tab.
func (n name) withoutStamp() name {
	if cut := stampPattern.FindStringIndex(n.raw); cut != nil && n.at.Len() == len(n.raw) {
		n.stamp = n.raw[cut[0]:]
		n.at.End -= len(n.stamp)
		n.raw = n.raw[:cut[0]]
	}
	return n
}

// wholeName reads a name that goes to the end of its line, as in `rename from`.
func (s *source) wholeName(i, from int) name {
	span := s.line(i)
	span.Start += from
	n := name{at: span, line: i, raw: span.In(s.body), bare: true}
	if raw, size, ok := diff.UnquoteName(n.raw); ok {
		n.raw, n.at.End = raw, span.Start+size
	}
	return n
}

var epochPattern = lazyregexp.New(`\t(1969-12-31|1970-01-01) (\d\d):(\d\d):00(?:\.0+)? ([-+])(\d\d):?(\d\d)$`)

// epoch reports whether a file's time is that by which diff says that it does not
// exist.
func (n name) epoch() bool {
	m := epochPattern.FindStringSubmatch(n.stamp)
	if m == nil {
		return false
	}
	number := func(s string) int { return int(s[0]-'0')*10 + int(s[1]-'0') }
	zone := number(m[5])*60 + number(m[6])
	if m[4] == "-" {
		zone = -zone
	}
	want := 0
	if m[1] == "1969-12-31" {
		want = 24 * 60
	}
	return number(m[2])*60+number(m[3])-zone == want
}

// gitNames are the two names of a `diff --git` line; not ok where spaces leave it
// open which they are.
func (s *source) gitNames(i int) (old, new name, ok bool) {
	span := s.line(i)
	span.Start += len("diff --git ")
	line := span.In(s.body)
	if line != "" && line[0] != '"' && splitNames(line) < 0 { // else a blank at the end is a name's own
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

// maxLongNames is how long a `diff --git` line may be, in bytes, for names with
// prefixes of several folders to be looked for.
const maxLongNames = 4096

// splitNames is the offset of the blank between two names that are the same, or
// that differ in their first folder alone; else that of the only blank.
func splitNames(line string) int {
	only, long, slash := -1, -1, 0
	o := strings.IndexByte(line, '/') + 1
	for i := range len(line) {
		if line[i] != ' ' && line[i] != '\t' {
			continue
		}
		if slash >= 0 && slash <= i { // else it is still the first one after i
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

// movedNames are the two names of the `diff --git` line of a rename or copy, whose
// other lines have them too: spaces do not matter then. Not ok where they differ.
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

// endsIn reports whether a name, as written, is the other but for folders in front.
func endsIn(written, name string) bool {
	if raw, size, quoted := diff.UnquoteName(written); quoted && size == len(written) {
		written = raw
	}
	return written == name || strings.HasSuffix(written, "/"+name)
}
