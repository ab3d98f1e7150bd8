package wholefile

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/elision"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/reply"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// comesFirst matches a line above which nothing should be added, such as a comment about the file or a package clause.
var comesFirst = lazyregexp.New(`^\s*(?:$|#(?:[^i]|if)|//|/\*|--|;|%|["'{<]|@charset|(?:package|module|namespace|syntax|pragma|edition)\b)`)

// top returns the line above which new lines at the beginning of the file go: the first line, or the first one like the
// new lines. In the second case, or if the first line is of another sort and no blank line is given, sure is false.
func (s sentence) top(lines *place.Lines, new []string) (at place.Block, sure, ok bool) {
	for i := range lines.Count() {
		line := lines.Line(i)
		alike := isAlike(line, new)
		if alike && text.Indentation(line) == "" || i == 0 && !comesFirst.MatchString(line) {
			return place.Block{First: i, End: i + 1}, i == 0 && (alike || strings.HasSuffix(text.WithEOL(s.New, text.LF), "\n\n")), true
		}
	}
	return at, false, false
}

// there finds the new lines next to the place, or, if the place was found by them, at its end. It returns the place
// without them, and the lines of both. Commas at the ends of lines do not count.
func (s sentence) there(lines *place.Lines, at place.Block, new []string) (alone, both place.Block, ok bool) {
	blank := func(i int) bool { return i >= 0 && i < lines.Count() && text.IsBlank(lines.Line(i)) }
	bare := func(line string) string { return strings.TrimRight(line, ", \t\r\n") }
	same := func(first int) bool {
		i := first - 1
		return first >= 0 && first+len(new) <= lines.Count() && !slices.ContainsFunc(new, func(line string) bool { i++; return bare(line) != bare(lines.Line(i)) })
	}
	alone, both = at, at
	switch s.Where {
	case reply.Below:
		for blank(both.End) {
			both.End++
		}
		if same(both.End) {
			both.End += len(new)
			return alone, both, true
		}
		both.End, alone.End = at.End, at.End-len(new)
		if !same(alone.End) {
			return at, at, false
		}
		for blank(alone.End - 1) {
			alone.End--
		}
		if alone.End <= alone.First && alone.End > 0 {
			alone.First, both.First = alone.End-1, alone.End-1
		}
	case reply.Above:
		for blank(both.First - 1) {
			both.First--
		}
		if same(both.First - len(new)) {
			both.First -= len(new)
			return alone, both, true
		}
		if both.First = at.First; !same(at.First) {
			return at, at, false
		}
		for alone.First += len(new); blank(alone.First); alone.First++ {
		}
		alone.End = min(alone.First+1, lines.Count())
		both.End = alone.End
	}
	return alone, both, alone.End > alone.First && both != alone
}

// eachSorted is the cost of each byte of a file whose lines are compared with the new ones, in units of the meter.
const eachSorted = 40

// lastIn returns the last member of the block to which the new lines belong: the block that the sentence names, or the
// only block at the margin that has a member like the new lines.
func (s sentence) lastIn(lines *place.Lines, new []string) (last place.Block, ok bool) {
	if !lines.Meter().Pay(eachSorted * len(lines.Text())) {
		return last, false
	}
	for i := range lines.Count() {
		if !s.opens(lines.Line(i)) {
			continue
		}
		at, fits := lastMember(lines, i, new, s.Anchor != "")
		if fits && ok {
			return last, false
		}
		if fits {
			last, ok = at, true
		}
	}
	return last, ok
}

// opens reports whether the sentence may mean the block that a line begins.
func (s sentence) opens(line string) bool {
	if s.Anchor == "" {
		return text.Indentation(line) == "" && !text.IsBlank(line)
	}
	line = strings.TrimSpace(line)
	rest, begins := strings.CutPrefix(line, s.Anchor)
	return begins && strings.Trim(rest, " {[(:=>") == "" || defines(line, s.name())
}

// lastMember returns the last member of the block or the section that begins on a line. A member must be like the new
// lines. If the sentence names the block, it may also be a declaration as they are.
func lastMember(lines *place.Lines, first int, new []string, named bool) (last place.Block, ok bool) {
	head, end := lines.Line(first), place.BlockEnd(lines, first)
	if opensSection.MatchString(strings.TrimRight(head, " \t\r\n")) {
		for end = first + 1; end < lines.Count() && !strings.HasPrefix(lines.Line(end), head[:1]); end++ {
		}
	}
	trim := func() {
		for end > first+1 && text.IsBlank(lines.Line(end-1)) {
			end--
		}
	}
	if trim(); end-1 > first && isClosing(lines.Line(end-1)) && text.Indentation(lines.Line(end-1)) == text.Indentation(head) {
		end--
		trim()
	}
	inner := ""
	for i := first + 1; i < end; i++ {
		line := lines.Line(i)
		if text.IsBlank(line) || last.First > 0 && text.Indentation(line) != inner || isClosing(line) || strings.TrimSpace(line) == "{" {
			continue
		}
		inner, last = text.Indentation(line), place.Block{First: i, End: end}
		ok = ok || isAlike(line, new) || named && isDeclaration(line, new[attached(new)])
	}
	return last, ok && !others.MatchString(strings.TrimSpace(lines.Line(last.First)))
}

// literalHead matches a line that opens an object or a list, whose members need commas between them.
var literalHead = lazyregexp.New(`(?:^|[=(:,\[>?]\s*|return\s+)[{\[(]$`)

func isClosing(line string) bool {
	line = strings.TrimSpace(line)
	return line != "" && strings.ContainsRune("})]", rune(line[0])) || strings.HasPrefix(line, "end") || strings.HasPrefix(line, "</")
}

// separated puts commas between the entries of a list or an object. It returns the entry at the place, with a comma if
// it was the last one and new ones follow, and the new entries, with a comma behind the last one if another entry follows.
func (s sentence) separated(lines *place.Lines, at place.Block, old string, new []string) (entry string, entries []string) {
	comma := func(i int) bool {
		return i >= 0 && i < lines.Count() && strings.HasSuffix(strings.TrimSpace(lines.Line(i)), ",")
	}
	matches := func(r *lazyregexp.Regexp, i int) bool {
		return i >= 0 && r.MatchString(strings.TrimSpace(lines.Line(i)))
	}
	before := at.First - 1
	inList := comma(before) || matches(opensList, before) || isAlike(lines.Line(at.First), new)
	if s.Where != reply.Below && s.Where != reply.Above || !inList {
		return old, new
	}
	last := len(new) - 1
	body := strings.TrimRight(new[last], " \t\r\n")
	switch {
	case comma(at.End-1) || s.Where == reply.Above && comma(before):
		body = strings.TrimSuffix(body, ",") + ","
	case s.Where == reply.Below && (comma(before) || matches(literalHead, before)) && at.End < lines.Count() && isClosing(lines.Line(at.End)):
		entry := strings.TrimRight(old, " \t\r\n")
		old, body = entry+","+old[len(entry):], strings.TrimSuffix(body, ",")
	default:
		return old, new
	}
	return old, append(new[:last:last], body+"\n")
}

// wasLast reports whether a block that is deleted was the last entry of a list, so that the entry above loses its comma.
func wasLast(lines *place.Lines, at place.Block) bool {
	above, last := strings.TrimSpace(lines.Line(at.First-1)), strings.TrimSpace(lines.Line(at.End-1))
	return strings.HasSuffix(above, ",") && !strings.HasSuffix(last, ",") && at.End < lines.Count() && isClosing(lines.Line(at.End))
}

// withoutComma removes the comma at the end of a line.
func withoutComma(line string) string {
	body := strings.TrimRight(line, " \t\r\n")
	return strings.TrimSuffix(body, ",") + line[len(body):]
}

// isEnd reports whether only closing lines follow a block.
func isEnd(lines *place.Lines, at place.Block) bool {
	for i := at.End; i < lines.Count(); i++ {
		if line := lines.Line(i); !text.IsBlank(line) && !isClosing(line) {
			return false
		}
	}
	return true
}

// isAlike reports whether a line and the first of the new lines begin entries of the same sort: both are imports, methods,
// or pairs of a key and a value, for example.
func isAlike(line string, new []string) bool {
	sort := sortOf(new[attached(new)])
	return sort != "" && !elision.Attached.MatchString(line) && sortOf(line) == sort
}

// declaration matches the declaration of a column, a field or a variant: a name, perhaps with a type behind it.
var declaration = lazyregexp.New(`^[\pL_]\w*( +[\pL_*\[].*)?[,;]?$`)

// isDeclaration reports whether two lines are declarations, both with a type or both without one.
func isDeclaration(line, other string) bool {
	a, b := declaration.FindStringSubmatch(strings.TrimSpace(line)), declaration.FindStringSubmatch(strings.TrimSpace(other))
	return a != nil && b != nil && (a[1] == "") == (b[1] == "") && !others.MatchString(a[0]) && !others.MatchString(b[0])
}

// isVersionOf reports whether two lines begin entries of the same sort and name.
func isVersionOf(line, other string) bool {
	name := func(line string) string { return entryName.FindString(strings.TrimSpace(line)) }
	return text.HasWord(name(line)) && name(line) == name(other) && sortOf(line) == sortOf(other)
}

// keepsEntries reports whether new lines have a version of each line of a block.
func keepsEntries(lines *place.Lines, at place.Block, new []string) bool {
	for i := at.First; i < at.End; i++ {
		if line := lines.Line(i); text.HasWord(line) && !slices.ContainsFunc(new, func(other string) bool { return isVersionOf(line, other) }) {
			return false
		}
	}
	return true
}

// hasAlike reports whether a line at the margin of the file begins an entry of the same sort as the new lines.
func hasAlike(lines *place.Lines, new []string) bool {
	for i := range lines.Count() {
		if line := lines.Line(i); text.Indentation(line) == "" && isAlike(line, new) {
			return true
		}
	}
	return false
}

var (
	entryName = lazyregexp.New(`^(?:[#@.]?[\pL_$][\pL\d_$-]*|"[^"]*"|'[^']*'|<[\w.:-]+|[-*|+]|\d+\.)`)
	called    = lazyregexp.New(`\)[^()]*\{$`)
)

// sortOf returns the sort of entry that a line begins: its first word, or the sign after its name. It returns "" for a
// statement, or if neither exists.
func sortOf(line string) string {
	line = strings.TrimSpace(line)
	if called.MatchString(line) && !others.MatchString(line) {
		return "(){"
	}
	name := entryName.FindString(line)
	rest := strings.TrimLeft(line[len(name):], " \t?!")
	switch {
	case name != "" && rest != "" && strings.ContainsRune(":=(", rune(rest[0])) && name[0] != '<':
		return rest[:1]
	case strings.HasSuffix(line, "{"):
		return "{"
	}
	return name
}
