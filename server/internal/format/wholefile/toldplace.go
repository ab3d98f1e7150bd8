package wholefile

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/elision"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/reply"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// name returns the name that the anchor defines or calls, without what contains it.
func (s sentence) name() string {
	name := strings.TrimSuffix(s.Anchor, "()")
	return name[1+strings.LastIndexAny(name, ".:#"):]
}

// attached counts the comments and decorators above a definition.
func attached(lines []string) int {
	return max(0, slices.IndexFunc(lines, func(line string) bool { return !elision.Attached.MatchString(line) }))
}

// place returns the only block that the sentence names: the line that equals the anchor, or else the block that
// defines the name, or else the line that contains the code. Only a definition can be replaced, or a line that begins an
// entry of the same sort as the new text with the same code. A line that only contains the code cannot be removed.
func (s sentence) place(lines *place.Lines, new []string) (at place.Block, ok bool) {
	var found [3][]int
	name := s.name()
	for i := range lines.Count() {
		switch line := strings.TrimSpace(lines.Line(i)); {
		case strings.TrimRight(line, ",;") == strings.TrimRight(s.Anchor, ",;"):
			found[0] = append(found[0], i)
		case defines(line, name) && !strings.HasSuffix(line, ";"):
			found[1] = append(found[1], i)
		case reply.HasCode(line, s.Anchor):
			found[2] = append(found[2], i)
		}
	}
	if s.Called {
		found[1] = nil
	}
	for i := range found {
		found[i] = s.inScope(lines, found[i])
	}
	adds := s.Where == reply.Below || s.Where == reply.Above
	if s.New != "" && (adds || len(found[1]) == 0) {
		found = likest(lines, found, s.Anchor, new)
	}
	if s.Where == reply.Change && (!s.Swaps || len(found[1]) > 0 || len(found[2]) != 1 || !reply.HasCode(new[attached(new)], s.Anchor)) {
		i := attached(new)
		found[0], found[2], ok = nil, nil, defines(strings.TrimSpace(new[i]), name)
		if !ok {
			return at, false
		}
		// The other lines may use the name without defining it.
		if head, _, _ := strings.Cut(strings.TrimSpace(new[i]), name); len(found[1]) > 1 {
			found[1] = slices.DeleteFunc(found[1], func(k int) bool { return !strings.HasPrefix(strings.TrimSpace(lines.Line(k)), head+name) })
		}
	}
	sort := slices.IndexFunc(found[:], func(lines []int) bool { return len(lines) > 0 })
	if sort < 0 || len(found[sort]) > 1 || sort == 2 && !adds && s.Where != reply.Change || sort == 1 && s.Where == reply.Changed {
		return at, false
	}
	first := found[sort][0]
	if sort == 2 && adds {
		first = entryAround(lines, first, new)
	}
	at = place.BlocksOf(lines, lines.Line(first), []place.Block{{First: first, End: first + 1}})[0]
	if s.Where == reply.Changed && !isBlock(new) {
		at.End = first + 1
	}
	for at.End > first+1 && text.IsBlank(lines.Line(at.End-1)) {
		at.End--
	}
	if sort == 0 && at.End > first+1 && s.Where == reply.Below {
		return at, false // the sentence may mean below the line or below its block
	}
	if s.Where == reply.Above || s.Where == reply.Delete || s.Where == reply.Change && elision.Attached.MatchString(new[0]) {
		for at.First > 0 && isAttached(lines, at.First-1, first) {
			at.First--
		}
	}
	return at, true
}

// isAttached reports whether a line is a comment or a decorator of the definition that begins on the line `first`. The
// header of a section is not: `[main]` above `port = 80`. Nor are the entries of a list above another one.
func isAttached(lines *place.Lines, i, first int) bool {
	line, definition := lines.Line(i), lines.Line(first)
	isPair := slices.Contains([]string{"", "=", ":"}, sortOf(definition))
	return elision.Attached.MatchString(line) && !elision.Attached.MatchString(definition) && !(isPair && strings.HasPrefix(line, "[")) &&
		text.Indentation(line) == text.Indentation(definition)
}

// isBlock reports whether new lines are one block of several lines.
func isBlock(new []string) bool {
	return len(new) > 1 && place.BlockEnd(place.NewLines(strings.Join(new, ""), place.AfterEOL, nil), attached(new)) == len(new)
}

// likest leaves out lines that begin entries of another sort than the new text, if only one of those that contain the code
// begins one of the same sort: "add the import below the one of `os`". Of several lines that contain the code, it keeps the
// only one that begins with it.
func likest(lines *place.Lines, found [3][]int, anchor string, new []string) [3][]int {
	alike := func(i int) bool { return isAlike(lines.Line(i), new) }
	if like := text.Only(found[2], alike); len(like) == 1 && len(found[0]) == 0 && !slices.ContainsFunc(found[1], alike) {
		return [3][]int{2: like}
	}
	begins := func(i int) bool {
		rest, ok := strings.CutPrefix(strings.TrimLeft(lines.Line(i), " \t\"'`"), anchor)
		return ok && rest != "" && strings.ContainsAny(rest[:1], " \t\"'`:=(")
	}
	if of := text.Only(found[2], begins); len(of) == 1 {
		found[2] = of
	}
	return found
}

// inScope returns the lines within the blocks that the sentence names as the scope of the place. It returns all lines if
// there are not several of them, or if none of them is in such a block.
func (s sentence) inScope(lines *place.Lines, found []int) []int {
	for _, scope := range s.Scopes {
		if within := text.Only(found, func(i int) bool { return isWithin(lines, i, scope) }); len(found) > 1 && len(within) > 0 {
			found = within
		}
	}
	return found
}

// isEnclosed reports whether the place is in all blocks that the sentence may name as its scope.
func (s sentence) isEnclosed(lines *place.Lines, at place.Block) bool {
	return !slices.ContainsFunc(s.Scopes, func(scope string) bool { return !isWithin(lines, at.First, scope) })
}

// isWithin reports whether a line is in a block or a section whose first line has a code.
func isWithin(lines *place.Lines, at int, code string) bool {
	indent, header := len(text.Indentation(lines.Line(at))), false
	for i := at; i >= 0 && lines.Meter().Pay(meter.Line); i-- {
		line := lines.Line(i)
		isHeader := !header && strings.HasPrefix(line, "[")
		if text.IsBlank(line) || len(text.Indentation(line)) >= indent && !isHeader && i < at {
			continue
		}
		if reply.HasCode(line, code) {
			return true
		}
		indent, header = len(text.Indentation(line)), header || isHeader
	}
	return false
}

// entryAround returns the first line of the call or the list whose arguments are on lines of their own, and which contains
// a line, if it is of the same sort as the new lines. Otherwise, it returns the line.
func entryAround(lines *place.Lines, at int, new []string) int {
	if isAlike(lines.Line(at), new) {
		return at
	}
	indent := text.Indentation(lines.Line(at))
	for i := at - 1; i >= 0 && indent != ""; i-- {
		line := lines.Line(i)
		if text.IsBlank(line) || len(text.Indentation(line)) >= len(indent) {
			continue
		}
		if !opensList.MatchString(line) {
			break
		}
		if isAlike(line, new) {
			return i
		}
		indent = text.Indentation(line)
	}
	return at
}

// opensList matches a line below which the arguments of a call or the entries of a list stand.
var opensList = lazyregexp.New(`[(\[]\{?[ \t]*[\r\n]*$`)

// lines returns the lines of the file that the fence quotes, if the file has them exactly once. White space around a line
// does not matter.
func (s sentence) lines(lines *place.Lines) (at place.Block, ok bool) {
	old := text.Each(text.SplitLines(strings.Trim(text.WithEOL(s.Old, text.LF), "\n")), strings.TrimSpace)
	all := text.Each(text.SplitLines(lines.Text()), strings.TrimSpace)
	for i := range all {
		if i+len(old) > len(all) || !slices.Equal(all[i:i+len(old)], old) {
			continue
		}
		if ok {
			return at, false
		}
		at, ok = place.Block{First: i, End: i + len(old)}, true
	}
	return at, ok
}

// others matches the first words of statements that do not define a name.
var others = lazyregexp.New(`^(?:return|if|elif|else|while|for|foreach|switch|match|case|when|await|new|throw|raise|yield|import|from|use|using|include|require|assert|del|delete|not|and|or|in)\b`)

// named matches the text before the name that a line defines: words, types, and the receiver of a method in Go.
var named = lazyregexp.New(`^(?:[\w<>\[\]*&,@:"' ?]|\((?:crate|super)\)|func \([^()]*\))*$`)

var (
	// otherName matches the rest of a name, as of `valid?` after "valid".
	otherName = lazyregexp.New(`^(?:\?[^:.\w]|\?$|![^=])`)
	// isType matches the text after the type of a method or a variable: `<Order> find(`.
	isType  = lazyregexp.New(`^(?:<[^()]*>)?(?:\[\])*[?&*]* +[\pL_]\w* *[(=;]`)
	keyword = lazyregexp.New(`(?:^| )(?:let|def|fn|func|fun|function|sub|proc|rec)$`)
)

// defines reports whether a line defines a name. Only words may precede the name. If none does, the line must open a
// block or give the name a value.
func defines(line, name string) bool {
	i := strings.Index(line, name)
	if i < 0 || !reply.HasCode(line, name) || others.MatchString(line) || !named.MatchString(line[:i]) {
		return false
	}
	before, after := strings.Trim(line[:i], `"' `), strings.TrimLeft(line[i+len(name):], `"' `)
	if otherName.MatchString(line[i+len(name):]) || isType.MatchString(line[i+len(name):]) && !keyword.MatchString(before) {
		return false
	}
	if strings.HasSuffix(line[:i], ".") || after != "" && strings.ContainsRune(".,)]", rune(after[0])) {
		return false
	}
	return strings.HasSuffix(line[:i], " ") && before != "" ||
		after != "" && (after[0] == ':' || after[0] == '=' && !strings.HasPrefix(after, "==")) ||
		strings.HasSuffix(line, "{")
}

// adapted gives the new lines the indentation of the block. It drops lines at their beginning and end that the file
// already has around the place.
func (s sentence) adapted(lines *place.Lines, at place.Block, new []string) ([]string, bool) {
	same := func(line string, i int) bool {
		return i >= 0 && i < lines.Count() && strings.TrimSpace(line) == strings.TrimSpace(lines.Line(i)) && text.HasWord(line)
	}
	edge := at.End // the line above which the new lines go
	if s.Where == reply.Above {
		edge = at.First
	}
	head, tail := len(new)-1, len(new)-1
	for ; head > 0; head-- {
		if i := edge - head; !slices.ContainsFunc(new[:head], func(line string) bool { i++; return !same(line, i-1) }) {
			break
		}
	}
	for ; tail > 0; tail-- {
		if i := edge; !slices.ContainsFunc(new[len(new)-tail:], func(line string) bool { i++; return !same(line, i-1) }) {
			break
		}
	}
	// If `done` is true, the file already has all new lines around the place.
	switch done := head+tail >= len(new); {
	case s.Where == reply.Below && head > 0 && done:
		new = new[head:]
	case s.Where == reply.Above && tail > 0 && done:
		new = new[:len(new)-tail]
	case s.Where == reply.Below && head > 0 || s.Where == reply.Above && tail > 0:
		new = new[head : len(new)-tail]
	}
	own, from := text.Indentation(lines.Line(at.First)), text.Indentation(new[0])
	if s.Where == reply.Above && isClosing(lines.Line(at.First)) {
		i := at.First - 1
		for i > 0 && text.IsBlank(lines.Line(i)) {
			i--
		}
		if inner := text.Indentation(lines.Line(max(i, 0))); strings.HasPrefix(inner, own) {
			own = inner // like the last line of the block
		}
	}
	out, ok := place.Adapt([]string{from + "x"}, []string{own + "x"}, new, nil, lines.Text())
	return out.Lines, ok
}

// gap returns the blank lines between a block and the new lines next to it: as many as the file has around the block, or
// as the new text has on that side. `sure` is false if the block has no neighbour that shows the number.
func (s sentence) gap(lines *place.Lines, at place.Block, new []string) (gap string, sure bool) {
	fence := text.WithEOL(s.New, text.LF)
	own := len(fence) - len(strings.TrimLeft(fence, "\n"))
	if s.Where == reply.Above {
		own = max(0, len(fence)-len(strings.TrimRight(fence, "\n"))-1)
	}
	blank := func(i, by int) (n int) {
		for ; i >= 0 && i < lines.Count() && text.IsBlank(lines.Line(i)); i += by {
			n++
		}
		return n
	}
	if above, below := blank(at.First-1, -1), blank(at.End, +1); at.End-at.First == 1 && above > 0 && below > 0 && (isBlock(new) || slices.ContainsFunc(new, text.IsBlank)) {
		if s.Where == reply.Above {
			return strings.Repeat("\n", max(own, above)), true
		}
		return strings.Repeat("\n", max(own, below)), true
	}
	if len(new) == 1 || s.Where != reply.AtEnd && at.End-at.First == 1 {
		return strings.Repeat("\n", own), true
	}
	indent := 0
	if at.First < lines.Count() {
		indent = len(text.Indentation(lines.Line(at.First)))
	}
	ends := func(i int) bool { return i < 0 || i >= lines.Count() || len(text.Indentation(lines.Line(i))) < indent }
	n, alone := blank(at.End, +1), false
	if ends(at.End + n) {
		for at.First > 0 && elision.Attached.MatchString(lines.Line(at.First-1)) {
			at.First--
		}
		n = blank(at.First-1, -1)
		alone = ends(at.First - 1 - n)
	}
	return strings.Repeat("\n", max(n, own)), own > 0 || !alone
}
