package mdblock

import (
	"strings"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/edittools"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Mark is the kind of a line by which an edit outside of fences is recognized.
type Mark uint8

// The marks. The first three are the marks of a SEARCH/REPLACE block, in their order.
const (
	NoMark      Mark = iota
	SearchMark       // the line `<<<<<<< SEARCH`
	DivideMark       // the line `=======`
	ReplaceMark      // the line `>>>>>>> REPLACE`
	LikeMark         // a line that resembles `<<<<<<< SEARCH`
	PatchMark        // the line `*** Begin Patch`
	SectionMark      // a line such as `*** Update File: PATH`
	HunkMark         // a line such as `@@ -1,2 +1,2 @@`
	DiffMark         // any other line that may begin a diff
	CallMark         // a line such as `<write_to_file>`
	FileMark         // a line such as `<file path="PATH">`
	FileEndMark      // a line such as `</file>`
	TagMark          // another tag that may begin a file
	ValueMark        // a line that begins with `{`, `[` or `Action Input:`
	TokenMark        // a line with a special token of a model's template and JSON directly behind it
	BannerMark       // a line such as `=== PATH ===` or `--- BEGIN PATH ---`
)

// A Marked is a line with a mark outside of fences, or the whole block that begins with this line.
type Marked struct {
	Mark       Mark
	Whole      bool // the block that begins with the mark is complete
	start, end int32
}

// Span returns the whole lines of the block, or only its first line if the end of the block is
// unknown.
func (m Marked) Span() text.Span { return text.Span{Start: int(m.start), End: int(m.end)} }

func lineMark(line string) Mark {
	trimmed := strings.TrimLeft(line, " ")
	if trimmed == "" || strings.IndexByte("<>-=+*@{[d#A", trimmed[0]) < 0 && trimmed[0] < utf8.RuneSelf {
		return NoMark
	}
	if mark := MarkOf(line); mark == SearchMark || mark == ReplaceMark {
		return mark
	}
	if _, ok := LikeSearch(line); ok {
		return LikeMark
	}
	if isBanner(line) {
		return BannerMark
	}
	switch {
	case BeginsPatch(line):
		return PatchMark
	case sectionMark.MatchString(line):
		return SectionMark
	case BeginsHunk(line):
		return HunkMark
	case diffMark.MatchString(line):
		return DiffMark
	case OpensCall(line):
		return CallMark
	case trimmed[0] == '<':
		return tagMark(line)
	case line[0] == '{' || line[0] == '[' || strings.HasPrefix(line, "Action Input:"):
		return ValueMark
	}
	return NoMark
}

func tagMark(line string) Mark {
	if _, ok := OpeningTag(line); ok {
		return FileMark
	}
	if ClosingTag(line) != "" {
		return FileEndMark
	}
	return TagMark
}

var (
	searchMark  = lazyregexp.New(`^(?:<{5,9} ?(?:SEARCH|ORIGINAL)|-{5,9} ?SEARCH)>?[ \t]*$`)
	divideMark  = lazyregexp.New(`^={5,9}[ \t]*$`)
	replaceMark = lazyregexp.New(`^(?:>{5,9} ?(?:REPLACE|UPDATED)|\+{5,9} ?REPLACE)<?[ \t]*$`)
	likeSearch  = lazyregexp.New(`^ {0,3}(?:(?i:(?:<{3,}|[<«‹]*[«‹][<«‹]+|[<«‹]+[«‹])[ \t]*(?:search|original)\b[ \t]*:?[ \t]*(.*?))|(?:[-–—―−]*[–—―−][-–—―−]+|[-–—―−]+[–—―−])[ \t]*SEARCH>?)[ \t]*$`)
	bannerLine  = lazyregexp.New(`^(?:[-=#*]{3,} *(?i:(?:begin|start)(?: of)?(?: file)?|file):? +|={3,} *)[\x60"']?([^\s\x60"'=]+)[\x60"']? *[-=#*]{3,}[ \t]*$`)
	bannerEnd   = lazyregexp.New(`^[-=#*]{3,} *(?i:end)(?i:(?: of)?(?: file)?):?(?: +\S+)? *[-=#*]{3,}[ \t]*$`)
	diffMark    = lazyregexp.New(`^(?:@@|diff --|--- |\+\+\+ |\*\*\* )`)
	sectionMark = lazyregexp.New(`^\*\*\* (?:Add|Update|Delete) File:`)
)

// LikeSearch reports whether a line looks like the first mark of a SEARCH/REPLACE block with a mistake:
//
//   - The word is in lower case, or a text follows it (`rest`).
//   - There are too few or too many of the characters `<`.
//   - A word processor replaced these characters with guillemets or long dashes.
func LikeSearch(line string) (rest string, ok bool) {
	// This quick test rules out most lines. The expression would be slow for a long list, because items may begin with
	// the same character.
	begin := strings.TrimLeft(line, " ")
	if !strings.HasPrefix(begin, "<<<") && !strings.ContainsFunc(begin, func(r rune) bool { return r >= utf8.RuneSelf }) || MarkOf(line) != NoMark {
		return "", false
	}
	m := likeSearch.FindStringSubmatch(line)
	if m == nil {
		return "", false
	}
	return m[1], true
}

// MarkOf returns the mark of a SEARCH/REPLACE block on a line without its ending. The mark must begin in the first
// column, because an indented mark is content.
func MarkOf(line string) Mark {
	if len(line) < 5 || strings.IndexByte("<-=>+", line[0]) < 0 {
		return NoMark
	}
	switch {
	case searchMark.MatchString(line):
		return SearchMark
	case divideMark.MatchString(line):
		return DivideMark
	case replaceMark.MatchString(line):
		return ReplaceMark
	}
	return NoMark
}

const (
	beginPatch = "*** Begin Patch"
	endPatch   = "*** End Patch"
)

// BeginsPatch reports whether a line, without its ending, begins a patch for `apply_patch`. The line may be indented by
// up to three spaces.
func BeginsPatch(line string) bool {
	rest := strings.TrimLeft(line, " ")
	return len(line)-len(rest) < 4 && BeginsNext(rest)
}

// BeginsNext reports whether a line inside a patch for `apply_patch` begins another patch. The line must not be
// indented, because an indented line is context.
func BeginsNext(line string) bool { return strings.TrimRight(line, " \t") == beginPatch }

func EndsPatch(line string) bool { return strings.TrimRight(line, " \t") == endPatch }

// A marked is the state of reading a block that has its own marks instead of fences.
type marked interface {
	Read(line string) (over bool) // Read reads the next line. `over` is true if the block ends with this line, or before it.
	Whole() bool
}

func markedBy(line string) marked {
	switch {
	case MarkOf(line) == SearchMark:
		return &pairing{}
	case BeginsPatch(line):
		return &bounded{ends: EndsPatch, begins: BeginsNext}
	case OpensCall(line):
		if e := (&element{tag: callTag(line)}); !e.Read(line) {
			return e
		}
	}
	if e := BeginsTagged(line); e != nil {
		return e
	}
	return nil
}

type pairing struct{ divided, complete bool }

func (p *pairing) Whole() bool { return p.complete }

func (p *pairing) Read(line string) (over bool) {
	switch MarkOf(line) {
	case SearchMark:
		return true
	case DivideMark:
		p.divided = true
	case ReplaceMark:
		p.complete = p.divided
		return true
	}
	return false
}

// A bounded is the state of reading a block that ends at a line of a known form. The block is
// incomplete if another block of this form begins before that line.
type bounded struct {
	ends, begins func(line string) bool
	complete     bool
}

func (b *bounded) Whole() bool { return b.complete }

func (b *bounded) Read(line string) (over bool) {
	b.complete = b.ends(line)
	return b.complete || b.begins(line)
}

// begunBy is like [markedBy], for a line outside of fences, which may also begin a hunk, or a file below a banner `===
// PATH ===`.
func begunBy(line string) marked {
	if h := beginsHunk(line); h != nil {
		return h
	}
	if isBanner(line) {
		return &bounded{ends: bannerEnd.MatchString, begins: isBanner}
	}
	return markedBy(line)
}

func isBanner(line string) bool {
	_, ok := Banner(line)
	return ok
}

// Banner returns the span of the path on a line such as `=== PATH ===`, which begins a file outside
// of fences. It returns false for any other line.
func Banner(line string) (path text.Span, ok bool) {
	if len(line) < 3 || strings.Trim(line[:3], "-=#*") != "" {
		return path, false // this quick test rules out most lines
	}
	m := bannerLine.FindStringSubmatchIndex(line)
	if m == nil {
		return path, false
	}
	path = text.Span{Start: m[2], End: m[3]}
	return path, isFileName(path.In(line)) && strings.Contains(path.In(line), ".")
}

// beginsMarked reports whether the following rows begin with a SEARCH mark, a complete apply_patch patch, a call that
// is written as tags, or a file between tags. Another line may come first, such as a path, a command or a tag.
func (r reader) beginsMarked() bool {
	for range 2 {
		w := r.peek()
		for w.ok && isBlankLine(r.content(w)) {
			w = r.peek()
		}
		if !w.ok || w.fence {
			return false
		}
		line := r.content(w)
		if MarkOf(line) == SearchMark {
			return true
		}
		if m := markedBy(line); m != nil {
			ahead := r
			return ahead.skip(m)
		}
	}
	return false
}

// skip moves past a block whose first mark was read. If the block is not complete, skip does not move and returns
// false.
func (r *reader) skip(m marked) bool {
	ahead := *r
	for w := ahead.peek(); w.ok; w = ahead.peek() {
		if m.Read(ahead.content(w)) {
			break
		}
	}
	if m.Whole() {
		r.at = ahead.at
	}
	return m.Whole()
}

// marked records the mark on the line of the cursor, outside of fences, and returns the offset after the block that
// the mark begins. It returns false if there is no complete block. Fences inside a complete block are content.
func (s *scanner) marked(c cursor) (int, bool) {
	line := c.doc[c.start:c.end]
	mark := lineMark(line)
	if (mark == NoMark || strings.HasPrefix(line, "<|") || strings.HasPrefix(line, "[TOOL_CALLS]")) && JSONBehindToken(line) >= 0 {
		mark = TokenMark
	}
	if mark == NoMark || s.inComment() {
		return 0, false
	}
	m := Marked{Mark: mark, start: int32(c.start), end: int32(c.next)}
	if b := begunBy(line); b != nil {
		m.end, m.Whole = s.extent(b, c)
	}
	s.marks = append(s.marks, m)
	return int(m.end), m.Whole
}

// jsonBehindToken matches a special token of a model's template and the beginning of JSON directly behind it.
var jsonBehindToken = lazyregexp.New(`(?:\|>|\[TOOL_CALLS\]|\[ARGS\])[{\[]`)

// JSONBehindToken returns the offset of the first JSON on a line that is directly behind a special token of a model's
// template, or -1.
func JSONBehindToken(line string) int {
	if !strings.Contains(line, "|>") && !strings.Contains(line, "[TOOL_CALLS]") {
		return -1 // a quick test, because almost no line has a token
	}
	at := jsonBehindToken.FindStringIndex(line)
	if at == nil {
		return -1
	}
	return at[1] - 1
}

// extent returns the offset after the block that begins on the line of the cursor, and whether the
// block is complete. An incomplete block reaches to the next block, or to the end of the document.
// If the budget is spent, the block has only its first line.
func (s *scanner) extent(b marked, c cursor) (end int32, whole bool) {
	for at := c.next; at < len(s.doc); {
		l := newCursor(s.doc, at)
		if s.budget -= l.next - l.start + 1; s.budget < 0 {
			return int32(c.next), false
		}
		switch line := s.doc[l.start:l.end]; {
		case !b.Read(line):
			at = l.next
		case !b.Whole() && begunBy(line) != nil:
			return int32(l.start), false
		default:
			return int32(l.next), b.Whole()
		}
	}
	return int32(len(s.doc)), false
}

// EditMark returns the mark on a line, without its ending, if the line certainly begins an edit, and otherwise
// [NoMark].
func EditMark(line string) Mark {
	switch mark := lineMark(line); mark {
	case SearchMark, PatchMark, SectionMark, CallMark:
		return mark
	case HunkMark, DiffMark:
		if strings.HasPrefix(line, "@@ ") || strings.HasPrefix(line, "diff --git ") || strings.HasPrefix(line, "--- a/") {
			return DiffMark
		}
	}
	return NoMark
}

// EndsEdit reports whether a line, without its ending, certainly ends an edit: it is the last line of a SEARCH/REPLACE
// block, of a patch for `apply_patch`, or of a call that is written as tags.
func EndsEdit(line string) bool {
	return MarkOf(line) == ReplaceMark || strings.TrimRight(line, " \t") == endPatch || edittools.InTags(ClosingTag(line))
}
