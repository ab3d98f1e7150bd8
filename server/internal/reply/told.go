package reply

import (
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Told is an edit that a sentence describes in words. Its place is relative to a line or a block of code that the
// sentence quotes in backticks.
type Told struct {
	File  string // the file that the sentence or the nearest line above names
	Named bool   // the sentence names the file
	Asked bool   // the sentence has a word for an edit or for a new text
	// [Below], [Above], [AtTop], [AtEnd] or [Add] for new lines; [Change] to replace the block, [Changed] to replace only
	// the code; or [Delete]. Add means anywhere in the block that Anchor names.
	Where  Verb
	Anchor string   // the code that names the line or the block; "" for the ends of the file, or if the fence has the lines to delete
	Line   int      // the 1-based line that is replaced, if the sentence only has its number; 0 otherwise
	Scopes []string // the codes that may name the blocks around the place: "in `main`, after"
	Part   bool     // the end may be that of a part of the file: "at the end of the class"
	OfFile bool     // the end is that of the file: "at the end of the file"
	Called bool     // the sentence is about a call of Anchor
	Swaps  bool     // the sentence asks to replace or to change something
	Within bool     // words after the new code may limit the edit: "on Windows"
	New    string
	Old    string         // the lines to delete; "" if the sentence names them
	Fence  *format.Region // the fence with the new lines; nil if they are in backticks, or if there are no new lines
	At     text.Span      // the sentence, including the fence
	Open   bool           // the reply may still be growing: the sentence ends the document, or the fence is not closed
}

// Tells returns the edits that sentences of a document describe. It skips the parts that a format claims, and files
// outside of the tree. It does not check whether the quoted code has exactly one place in the file: the caller does.
func Tells(d format.Document) (found []Told) {
	if _, titled := Titled(d); titled || d.Tree == nil {
		return nil
	}
	fences := text.Each(d.Fences, func(f *format.Region) mdblock.Block { return f.Block })
	a := &lister{doc: d.Text, document: Document{Read: d.Claimed, Fences: fences}}
	for _, part := range a.proseParts() {
		for line := range text.EachLine(part.In(d.Text)) {
			line = line.Shift(part.Start)
			line.End = min(line.End, line.Start+mostLine)
			if !strings.ContainsAny(line.In(d.Text), "`*") && !endsAsLabel(line.In(d.Text)) || !d.Meter.Pay(eachSaid*line.Len()) {
				continue
			}
			all := Sentences(line.In(d.Text))
			for i, s := range all {
				var f *format.Region
				if i == len(all)-1 || all[i+1].Empty() {
					f = fenceBelow(d, line.End)
				}
				t, ok := a.tellsPlace(d, line, s.Shift(line.Start), f)
				if !ok && f != nil && f.IsCommands() { // the fence has commands to run afterwards
					t, ok = a.tellsPlace(d, line, s.Shift(line.Start), nil)
				}
				if ok {
					found = append(found, t)
				}
			}
		}
	}
	return found
}

// runsBelow reports whether a fence with commands follows a line.
func runsBelow(d format.Document, at int) bool {
	f := fenceBelow(d, at)
	return f != nil && f.IsCommands()
}

// fenceBelow returns the next fence after offset `at` if only blank lines come before the fence and no format claims
// it. Otherwise, it returns nil.
func fenceBelow(d format.Document, at int) *format.Region {
	i := sort.Search(len(d.Fences), func(i int) bool { return d.Fences[i].Open.Start >= at })
	if i == len(d.Fences) || d.IsTaken(d.Fences[i].Span) || strings.Trim(d.Text[at:d.Fences[i].Open.Start], " \t\r\n>") != "" {
		return nil
	}
	return d.Fences[i]
}

// tellsPlace returns the edit that a sentence describes. `f` is the fence below the sentence, or nil.
func (a *lister) tellsPlace(d format.Document, line, at text.Span, f *format.Region) (t Told, ok bool) {
	s := at.In(d.Text)
	codes := codesIn(s, 6)
	if m := boldName.FindStringSubmatchIndex(s); m != nil && (len(codes) == 0 || m[1] <= codes[0].at.Start) && IsFileName(s[m[2]:m[3]]) {
		codes = slices.Insert(codes, 0, code{at: text.Span{Start: m[0], End: m[1]}, text: text.Span{Start: m[2], End: m[3]}})
	}
	words, explains := wordsOf(s), len(s)
	if f == nil && len(codes) > 0 {
		from := codes[0].at.End // "The fix is one line: in `a.conf`, replace"
		if m := clauseEnd.FindStringIndex(words[from:]); m != nil {
			explains = from + m[0]
		}
	}
	deletes := f != nil && endsAsLabel(s) && Asks(s, Delete)
	last, _ := utf8.DecodeLastRuneInString(s)
	labels := f != nil && (endsAsLabel(s) || unicode.IsLetter(last) || introducesNew(words) || bracket.MatchString(s) && saysAny(words, AtEnd)) // `src/a.css` (append at the end)
	if len(codes) == 6 || len(codes) == 0 && !saysAny(words, AtEnd, AtTop, InFile) && !deletes || !isTold(s, explains) || f != nil && !labels || f == nil && endsAsLabel(s) && !runsBelow(d, line.End) {
		return t, false
	}
	t = Told{At: at, Fence: f, Open: f == nil && at.End == len(d.Text) || f != nil && !f.Closed}
	others, object := t.quote(d, s, codes)
	if !t.tell(s, others, object, deletes) {
		return t, false
	}
	if f != nil {
		t.At.End = f.Span.End
	}
	if t.File == "" {
		t.File = a.fileAbove(0, line, d.Meter, func(written string) string { return fileOf(d, written) })
	}
	ok = t.File != "" && (f == nil || f.Kind() != mdblock.Patch && (!f.IsCommands() || isScript(&f.Block, t.File)) && MayBeText(&f.Block, t.File))
	return t, ok && !saidElsewhere(d, t)
}

// quote sets the file and the place that a sentence names. It returns the codes that are neither the file nor the place,
// and whether the first code except the file may be the object of the verb.
func (t *Told) quote(d format.Document, s string, codes []code) (others []string, object bool) {
	words, anchor := wordsOf(s), -1
	for i, c := range codes {
		if where := placeOf(words, s, codes, i); where != Nothing && !codeIsFile(d, s, c, i, codes) {
			anchor, t.Where = i, where
		}
	}
	if end, ends := sayLast(words, AtEnd); anchor < 0 && ends {
		t.Where = AtEnd
		t.Part, t.OfFile = isPartOf(s, end)
	} else if anchor < 0 && saysAny(words, AtTop) {
		t.Where = AtTop
	}
	object = len(codes) > 0 && isObject(s, codes[0].text)
	var all []string // others and the scopes, in order
	for i, c := range codes {
		code := c.text.In(s)
		name := ""
		if i != anchor && IsPath(code) && d.Meter.Pay(eachLook) {
			name = fileOf(d, code)
		}
		switch {
		case i == anchor:
			t.Anchor = code
		case name != "" && t.File == "":
			t.File = name
			if i == 0 && len(codes) > 1 { // "In `src/a.py`, delete `load`."
				object = isObject(s[c.at.End:], codes[1].text.Shift(-c.at.End))
			}
		case name == "" && scopeOf.MatchString(s[:c.at.Start]) && !IsFileName(code):
			t.Scopes, all = append(t.Scopes, code), append(all, code)
		case name == "" || t.File != name:
			others, all = append(others, code), append(all, code)
		}
	}
	if t.Where == Nothing && (t.Fence != nil && len(others) == 0 || t.Fence == nil && len(others) == 1) {
		others, t.Scopes = all, nil // "replace the value in `x` with `y`"
	}
	t.Called = slices.ContainsFunc(codes, func(c code) bool { return calls.MatchString(around(words, c.at)) })
	t.Named, t.Asked = t.File != "", saysAny(words, Add, Change, Delete, Shows, AtEnd)
	t.Swaps = Asks(s, Change)
	return others, object
}

// tell sets what happens at the place, and reports whether the sentence says it. `deletes` is true if the fence has lines
// to delete. See [Told.quote] for `others` and `object`.
func (t *Told) tell(s string, others []string, object, deletes bool) bool {
	words, isEnd := wordsOf(s), t.Where == AtEnd || t.Where == AtTop
	_, adds := say(words, Add)
	switch {
	case deletes && len(others) <= 1 && t.Fence.Kind() == mdblock.OtherCode:
		t.Where, t.Anchor, t.Old = Delete, "", t.Fence.Body
		return true
	case deletes, t.Where != Nothing && !adds && t.Swaps, // "replace everything after `x` with:"
		saysAny(words, Both, Stays, Keeps):
		return false
	case t.Where == AtEnd && t.Fence != nil && len(others)+len(t.Scopes) == 1:
		t.Anchor, t.Scopes, t.New = append(others, t.Scopes...)[0], nil, t.Fence.Body
		return true
	case isEnd && (t.Fence != nil && len(others) > 0 || len(t.Scopes) > 0 || saysAny(words, Above)):
		return false // "at the end, before the main guard"
	case t.Fence == nil:
		return t.tellInline(s, others, object)
	}
	return t.tellFenced(s, others, adds)
}

// tellInline is [Told.tell] for a sentence with its new code in code marks.
func (t *Told) tellInline(s string, others []string, object bool) bool {
	wordsAfter := func(code string) (rest string, n int) {
		_, rest, _ = strings.Cut(s, "`"+code+"`")
		free := strings.TrimLeftFunc(wordsOf(rest), unicode.IsLetter) // without the ending of a word: "`x`으로 바꾸세요"
		return rest, countWords(withoutWords(clause.FindString(free), Change))
	}
	switch {
	case t.Where != Nothing && len(others) == 1 && Asks(s, Add):
		t.New = others[0]
		return true
	case t.Where == Nothing && len(others) == 1 && Asks(s, Delete) && object:
		t.Where, t.Anchor = Delete, others[0]
		_, n := wordsAfter(others[0])
		t.Within = n >= mostBetween // "the `coupon` field and its uses"
		return true
	case t.Where == Nothing && len(others) == 2 && t.Swaps && joined(s, others[0], others[1]):
		t.Where, t.Anchor, t.New = Changed, others[0], others[1]
		rest, n := wordsAfter(others[1])
		t.Within = n >= fewestLimits && len(Mentioned(rest)) == 0
		return true
	}
	return false
}

// tellFenced is [Told.tell] for a sentence with its new lines in a fence. `adds` is true if the sentence has a word for
// adding.
func (t *Told) tellFenced(s string, others []string, adds bool) bool {
	f, words, left := t.Fence, wordsOf(s), outOf(t.Fence.Body, others)
	t.New = f.Body
	switch {
	case t.Where != Nothing:
		t.Scopes = append(t.Scopes, left...)
		return (adds || f.Kind() == mdblock.OtherCode) && len(left) <= 1 // more are another instruction in the same sentence
	case len(others) == 0 && t.Swaps:
		t.Where, t.Line = Changed, lineTold(words)
		return t.Line > 0
	case Asks(s, Add) && len(left) == 1:
		t.Where, t.Anchor = Add, left[0]
		return true
	case len(others) == 1:
		t.Where, t.Anchor = Change, others[0]
		if strings.ContainsAny(strings.TrimSuffix(t.Anchor, "()"), " =()[]{};\"'") && t.Swaps && introducesNew(words) {
			t.Where, t.Anchor = Changed, strings.TrimSpace(t.Anchor)
		}
		return !saysAny(words, Before)
	}
	return false
}

// sayLast finds the last words for a verb.
func sayLast(line string, v Verb) (last text.Span, ok bool) {
	for at, more := say(line, v); more; at, more = say(line[last.End:], v) {
		last, ok = at.Shift(last.End), true
	}
	return last, ok
}

// isPartOf reports whether the words next to the words for an end may name a part of the file, such as a class, and
// whether they have a word for the file. If the path of the file is next to the end, the end is that of the file.
func isPartOf(s string, end text.Span) (part, file bool) {
	beside := clause.FindString(s[end.End:])
	if isUnspaced(s[end.Start:]) {
		before := s[:end.Start]
		beside = before[1+strings.LastIndexAny(before, "`*\"',.:;!?，。：、「」"):]
	}
	if fileWord.MatchString(beside) {
		return false, true
	}
	code := strings.IndexAny(beside, "`*")
	return countWords(beside) > 1 && (code < 0 || countWords(beside[:code]) > mostBeforeFile), false
}

// mostBeforeFile limits the words between "append" and the file: "the following to your".
const mostBeforeFile = 4

// fileWord matches a word for a file.
var fileWord = lazyregexp.New(`(?i)\b(?:file|script|datei|archivo|fichero|fichier|arquivo|ficheiro)\b|файл|文件|फ़ाइल|ملف|ファイル|파일`)

// scopeOf matches a word before a piece of code that names the block around a place: "in the `main` function".
var scopeOf = lazyregexp.New(`(?i)(?:^|[^\pL])(?:in|inside|within|im|dans|en|em|no|na|nel|nella|в)\s+(?:the\s+|der\s+|dem\s+|la\s+|el\s+|le\s+|o\s+|a\s+)?(?:\pL+\s+)?$`)

// lineTold returns the number of the only line in words such as "change line 3 to:", or 0.
func lineTold(words string) int {
	at, _ := say(words, InFile)
	isDigit := func(r rune) bool { return '0' <= r && r <= '9' }
	all := strings.FieldsFunc(words, func(r rune) bool { return !isDigit(r) })
	if len(all) != 1 || !strings.Contains(at.In(words), all[0]) {
		return 0
	}
	n, _ := strconv.Atoi(all[0])
	return n
}

// outOf returns the names that a text does not have.
func outOf(body string, names []string) []string {
	return text.Only(names, func(name string) bool { return !HasCode(body, name) })
}

// around returns the few characters before and after a piece of code.
func around(words string, at text.Span) string {
	before, after := []rune(words[:at.Start]), []rune(words[at.End:])
	return string(before[max(0, len(before)-20):]) + " " + string(after[:min(len(after), 8)])
}

// calls matches words for calling a function: "before you call `load`".
var calls = lazyregexp.New(`(?i)\b(?:call|calls|calling|called|invoke|invocation|aufruf|aufrufs|aufrufst|aufrufen|appel|appelez|llamada|llamas|chamada|chiamata|chiami)\b|вызов|вызыва|调用|呼び出|呼ぶ|호출|बुला|استدعا`)

// clause matches the rest of a clause.
var clause = lazyregexp.New(`^[^,.;:!()（），。；：–—]*`)

// fewestLimits is the least number of words that limit an edit. A single word, such as "everywhere", says little.
const fewestLimits = 2

// joined reports whether the words or the arrow between two pieces of code say that the second replaces the first.
func joined(s, old, new string) bool {
	_, rest, _ := strings.Cut(s, "`"+old+"`")
	between, _, ok := strings.Cut(rest, "`"+new+"`")
	at, after := say(between, After)
	after = after && countWords(between[:at.Start])+countWords(between[at.End:]) <= mostBetween
	if amount.MatchString(new) && !strings.ContainsAny(old, "0123456789") && by.MatchString(between) {
		return false // "increase `retries` by `2`"
	}
	return ok && !strings.Contains(between, "`") && (after || becomes.MatchString(between) || arrow.MatchString(between))
}

var (
	amount = lazyregexp.New(`^[-+]?\d`)
	// by matches a word between a name and the amount by which its value changes.
	by = lazyregexp.New(`(?i)^[^\pL]*(?:by|um|de|por|di|на)[^\pL]*$`)
)

// placeOf returns the place, relative to a piece of code, that a sentence names. A word such as "after" must be close
// before the code or, in languages that put these words last, close after the code.
func placeOf(words, s string, codes []code, i int) Verb {
	start, end := 0, len(s)
	if i > 0 {
		start = codes[i-1].at.End
	}
	if i+1 < len(codes) {
		end = codes[i+1].at.Start
	}
	before, behind := words[start:codes[i].at.Start], words[codes[i].at.End:end]
	nearest, place := len(before), Nothing
	for _, v := range []Verb{Below, Above} {
		for from := 0; ; {
			at, ok := say(before[from:], v)
			if !ok {
				break
			}
			if from += at.End; len(before)-from < nearest && countWords(before[from:]) <= mostBetween && !isUnspaced(before[from-at.Len():]) {
				nearest, place = len(before)-from, v // "put the following right above `x`"
			}
		}
		if at, ok := say(behind, v); ok && place == Nothing && countWords(behind[:at.Start]) <= mostBetween && isUnspaced(behind[at.Start:]) {
			return v
		}
	}
	return place
}

// codeIsFile reports whether a piece of code in backticks names a file, and no earlier piece of code in the sentence
// does.
func codeIsFile(d format.Document, s string, c code, i int, codes []code) bool {
	isFile := func(c code) bool {
		return IsPath(c.text.In(s)) && d.Meter.Pay(eachLook) && fileOf(d, c.text.In(s)) != ""
	}
	return isFile(c) && !slices.ContainsFunc(codes[:i], isFile)
}

const mostAbove = 40

// fileAbove returns the file that a line names, or else the file that the nearest line above it names, outside of
// fences and below the offset `from`. `named` returns the file with a name that the document writes, or "". fileAbove
// returns "" if a line names several files, or if a diff comes before a line that names a file.
func (a *lister) fileAbove(from int, line text.Span, m *meter.Meter, named func(string) string) string {
	fences := a.document.Fences
	for range mostAbove {
		if !m.Pay(eachSigned * line.Len()) {
			return ""
		}
		found := ""
		for _, at := range wordsIn(line.In(a.doc), 200) {
			written := at.In(line.In(a.doc))
			if !IsFileName(written) || !m.Pay(eachLook) {
				continue
			}
			name := named(written)
			if name != "" && found != "" && name != found {
				return ""
			}
			if name != "" {
				found = name
			}
		}
		if found != "" {
			return found
		}
		line = LineAbove(a.doc, from, line.Start)
		i := sort.Search(len(fences), func(i int) bool { return fences[i].Span.End >= line.End })
		if i < len(fences) && fences[i].Span.Contains(line) && !line.Empty() {
			if fences[i].Kind() == mdblock.Patch {
				return ""
			}
			line = text.Span{Start: fences[i].Span.Start, End: fences[i].Span.Start}
		}
	}
	return ""
}

// saidElsewhere reports whether a block of another format adds the new lines or removes the quoted code, so that the
// sentence only describes that block.
func saidElsewhere(d format.Document, t Told) bool {
	lines := strings.TrimSpace(t.New)
	if t.Where == Delete {
		lines = t.Anchor
	}
	return slices.ContainsFunc(d.Claimed, func(at text.Span) bool {
		has := d.Meter.Pay(at.Len()) && lines != ""
		for line := range strings.Lines(lines) {
			has = has && strings.Contains(at.In(d.Text), strings.TrimSpace(line))
		}
		return has
	})
}
