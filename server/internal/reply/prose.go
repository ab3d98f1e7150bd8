package reply

import (
	"slices"
	"sort"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// eachSaid is the cost of searching prose for words, in steps of the meter for each byte.
const eachSaid = 250

// prose lists what is outside of fences: elements, calls, commands between backticks, and sentences that ask for an
// edit.
func (a *lister) prose() {
	at := 0
	for _, part := range a.proseParts() {
		at = part.Start
		a.tags(part)
		lastLine := part.Start + len(strings.TrimRight(part.In(a.doc), " \t\r\n>"))
		for at < part.End && !a.isFull() && !a.files.Meter.Spent() {
			end, next := text.LineEnd(a.doc, at)
			line := text.Span{Start: at, End: min(end, part.End, at+mostLine)}
			if s := strings.TrimSpace(line.In(a.doc)); s != "" {
				if value := a.valueAt(s, at, part.End); value != "" && a.json(value, line) {
					next = at + len(value)
				} else if a.files.Meter.Pay(eachSaid*len(s) + len(a.used)) {
					a.line(line, end >= lastLine && part.End < len(a.doc))
				}
			}
			at = max(next, at+1)
		}
	}
}

const mostValues = 20

// valueAt returns the text from offset at to the probable end of a JSON value. It returns "" if no value begins on the
// line, or if enough values were parsed.
func (a *lister) valueAt(line string, at, until int) string {
	if a.values == 0 || line[0] != '{' && !strings.HasPrefix(line, "[{") {
		return ""
	}
	a.values--
	return paragraph(a.doc[at:until])
}

// paragraph returns the beginning of a text, up to the first `}` before a blank line, or the first `}` or `]` before a
// line with an end tag.
func paragraph(s string) string {
	for _, end := range []string{"}\n\n", "}\n</", "]\n</"} {
		if i := strings.Index(s, end); i >= 0 {
			return s[:i+1]
		}
	}
	return strings.TrimRight(s, " \t\r\n")
}

// proseParts returns the parts of the document outside of fences that no format reads.
func (a *lister) proseParts() []text.Span {
	taken := append([]text.Span{}, a.document.Read...)
	for _, b := range a.document.Fences {
		taken = append(taken, b.Span)
	}
	sort.Slice(taken, func(i, j int) bool { return taken[i].Start < taken[j].Start })
	var parts []text.Span
	at := 0
	for _, t := range taken {
		if t.Start > at {
			parts = append(parts, text.Span{Start: at, End: t.Start})
		}
		at = max(at, t.End)
	}
	if at < len(a.doc) {
		parts = append(parts, text.Span{Start: at, End: len(a.doc)})
	}
	return parts
}

// line lists what a line of prose asks for. introduces is true if a fence or a block follows the line.
func (a *lister) line(at text.Span, introduces bool) {
	line := at.In(a.doc)
	if !strings.ContainsAny(line, "`*/.") || a.isUsed(at) {
		return
	}
	for _, m := range codeSpan.FindAllStringSubmatch(line, 20) {
		if strings.ContainsAny(strings.TrimSpace(m[1]), " \t") {
			a.shell(m[1], "a command", false, func(int) text.Span { return at })
		}
	}
	a.instruction(at, introduces)
}

func (a *lister) isUsed(at text.Span) bool {
	for _, u := range a.used {
		if u.Start < at.End && at.Start < u.End {
			return true
		}
	}
	return false
}

// instruction lists a sentence that asks for an edit. If introduces is true, a fence follows the sentence. Most
// sentences are then not listed, because the fence is read or listed by itself.
func (a *lister) instruction(at text.Span, introduces bool) {
	line := at.In(a.doc)
	names := a.mentions(line)
	name := a.files.only()
	if len(names) > 0 {
		name = names[0].name
	}
	_, made := a.files.Made[name]
	switch {
	case name == "":
	case len(names) > 0 && !made && names[0].code && a.files.isFile(name) && Asks(line, Delete) && isObject(line, names[0].at):
		a.add(Unread{Kind: Instruction, At: at, Path: name, What: "an instruction to delete " + name, Sure: true})
	case len(names) > 0 && !made && names[0].code && a.files.isFile(name) && Asks(line, Rename) && isObject(line, names[0].at):
		a.add(Unread{Kind: Instruction, At: at, Path: name, What: "an instruction to rename " + name, Sure: true})
	case len(names) == 1 && !made && a.files.isFile(name) && a.listsDeletions(at):
		a.add(Unread{Kind: Instruction, At: at, Path: name, What: "an instruction to delete " + name, Sure: true})
	case a.mayGo(line, names) != "":
		name = a.mayGo(line, names)
		a.add(Unread{Kind: Instruction, At: at, Path: name, What: "an instruction to delete " + name, Sure: true})
	case a.swaps(line, names):
		a.add(Unread{Kind: Instruction, At: at, Path: name, What: "an old and a new text of " + name, Sure: true})
	case introduces:
	case a.newCode(line, name, names) && Asks(line, Add, Change):
		a.add(Unread{Kind: Instruction, At: at, Path: name, What: "an instruction for " + name, Sure: true})
	case len(names) > 0 && !made && names[0].code && Asks(line, Add, Change, Create):
		a.add(Unread{Kind: Instruction, At: at, Path: name, What: "an instruction for " + name, Sure: !a.files.isFile(name) && Asks(line, Create)})
	}
}

var item = lazyregexp.New(`^[ \t>]*(?:[-*+•]|\d+[.)])[ \t]+`)

// listsDeletions reports whether a line is an item in a list of files to delete. The item must be only a path, and the
// label above the list must ask for the deletions.
func (a *lister) listsDeletions(at text.Span) bool {
	if line := at.In(a.doc); !item.MatchString(line) || !isPath(line) {
		return false
	}
	for range mostUnread {
		if at = LineAbove(a.doc, 0, at.Start); !item.MatchString(at.In(a.doc)) {
			break
		}
	}
	label := wordsOf(at.In(a.doc))
	_, gone := say(label, GoneFile)
	return endsAsLabel(label) && (gone || Asks(label, Delete))
}

func isPath(line string) bool {
	_, ok := PathIn(line)
	return ok
}

// partOf matches words before a path such as "from": the path is then not the object of the verb, but the place of the
// action.
var partOf = lazyregexp.New(`(?i)\b(?:from|in|of|inside|within|out of|de|del|da|do|dans|en|aus|von|vom|in|из|в|from the)\s+(?:the\s+|the file\s+|file\s+)?[` + "`" + `*"]*$`)

// isObject reports whether a path is the object of a verb. A path after another name between backticks, or after a word
// such as "from", is not the object.
func isObject(line string, at text.Span) bool {
	before := line[:at.Start]
	return strings.Count(before, "`") <= 1 && !partOf.MatchString(before)
}

// mayGo returns the named file that a sentence asks to delete, or "". The words that ask for the deletion may be
// anywhere in the sentence. Questions and sentences about a later time do not count.
func (a *lister) mayGo(line string, names []mention) (found string) {
	names = slices.DeleteFunc(slices.Clone(names), func(m mention) bool {
		_, made := a.files.Made[m.name]
		return made || !m.code || !a.files.isFile(m.name) || !isObject(line, m.at)
	})
	if len(names) == 0 || strings.ContainsAny(line, "?？") {
		return ""
	}
	words := wordsOf(line)
	said, ok := say(words, MayGo)
	for _, v := range []Verb{NotNow, Optional} {
		_, speaks := say(words, v)
		ok = ok && !speaks
	}
	for _, m := range names {
		if ok && (found == "" || m.at.Start < said.Start) {
			found = m.name
		}
	}
	return found
}

// swaps reports whether a line has two similar texts between backticks, and the named file has only the first one:
// "`port: 80` becomes `port: 8080`", or a row of a table.
func (a *lister) swaps(line string, names []mention) bool {
	if len(names) == 0 || names[0].name != names[len(names)-1].name || !a.files.isFile(names[0].name) {
		return false
	}
	spans := codeSpan.FindAllStringSubmatch(line, 20)
	for i := range len(spans) - 1 {
		old, new := strings.TrimSpace(spans[i][1]), strings.TrimSpace(spans[i+1][1])
		if old == new || !isSimilar(old, new) {
			continue
		}
		t := a.files.texts(names[0].name)
		if len(t) > 0 && a.files.Meter.Pay(len(t[len(t)-1])/searched) && strings.Contains(t[len(t)-1], old) && !strings.Contains(t[len(t)-1], new) {
			return true
		}
	}
	return false
}

// isSimilar reports whether two texts have so much in common at their start and end that the rest is at most half of
// the longer text.
func isSimilar(a, b string) bool {
	same, end := 0, 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	for end < min(len(a), len(b))-same && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	return 2*(same+end) >= max(len(a), len(b))
}

// newCode reports whether a line has code between backticks that the file contains neither before nor after the reply.
func (a *lister) newCode(line, name string, names []mention) bool {
	if len(names) == 0 {
		if _, placed := say(wordsOf(line), InFile); !placed {
			return false
		}
	}
	for _, m := range codeSpan.FindAllStringSubmatch(line, 20) {
		code := strings.TrimSpace(m[1])
		if !strings.ContainsAny(code, " =()[]{};") || IsPath(code) || len(effects(code)) > 0 {
			continue
		}
		found := false
		for _, t := range a.files.texts(name) {
			found = found || a.files.Meter.Pay(len(t)/searched) && strings.Contains(t, code)
		}
		if !found {
			return true
		}
	}
	return false
}

// otherLeads matches words of other languages that may come before a verb, such as "vous devez" ("you must").
const otherLeads = `(?:vous devez|tu dois|il faut|il faudra|ensuite|puis|enfin|et)(?: aussi| également| ensuite)?|también|además|luego|después|y|(?:debes|debe|tienes que|hay que)(?: también)?|du musst(?: auch| noch)?|sie müssen(?: auch| noch)?|dann|danach|außerdem|anschließend|zusätzlich|und|você (?:também )?(?:deve|precisa)(?: também)?|também|depois|em seguida|e|и|также|затем|потом|(?:вам )?(?:нужно|необходимо|надо)(?: также)?|ثم|كما|أيضًا|أيضا|devi(?: anche)?|anche|poi|inoltre|infine|por último|finalmente|por fim|наконец|zuletzt|schließlich`

var (
	// Marks and words that may come before the verb of an instruction.
	lead = lazyregexp.New(`^(?:[\s>#*_\-+•.\d)(:]|\[[ xX]?\]|(?i:step \d+[:.)]|(?:then|also|next|now|finally|first|second|lastly|please|and|additionally|afterwards|remember to|don't forget to|make sure to|be sure to|you(?:'ll| will)?(?: also| then| still)* (?:(?:may |might )?want to|should|must|need to|have to)(?: also| then)?|manually|just|simply|` + otherLeads + `)[ ,]+))*`)
	// Words before a verb that name a place: "On line 4".
	place = lazyregexp.New("(?i)^(?:on|in|at|inside|within|en|dans|auf|em|na|no|nel|nella|alla|à la|в|на)\\s+(?:the\\s+)?(?:(?:file|line|ligne|zeile|línea|linha|riga|строке)\\s+)*(?:\\d+|`[^`]*`)(?:\\s+(?:of|in|de|von|di|в)\\s+`[^`]*`)?\\s*$")
	// Endings and subjects which show that the action was done already, or that the sentence is not an instruction.
	past = lazyregexp.New(`(?i)しました|した。|ました|했습니다|하였|됩니다|했다|已经?|删除了|添加了|修改了|दिया|किया|गया|\b(?:I|we|I've|I have|we've|I'll|this|that|it|which) (?:\w+ )?$`)
)

// Asks reports whether a line asks for an action that one of the verbs names. The words for the verb must come first,
// or after a clause that names the place. In languages that put the verb last, the words may be anywhere.
func Asks(line string, verbs ...Verb) bool {
	words := wordsOf(line)
	for _, v := range verbs {
		at, ok := say(words, v)
		if !ok {
			continue
		}
		if isUnspaced(line[at.Start:at.End]) {
			if _, notNow := say(words, NotNow); !notNow && !past.MatchString(line) {
				return true
			}
			continue
		}
		before := line[len(lead.FindString(line)):max(at.Start, len(lead.FindString(line)))]
		if before == "" || isPlaceClause(before) {
			return true
		}
	}
	return false
}

// isPlaceClause reports whether the words before a verb only name the place: "In `src/app.py`, ".
func isPlaceClause(before string) bool {
	if place.MatchString(before) {
		return true
	}
	before = strings.TrimRight(before, " *_")
	return len(strings.Fields(before)) <= 8 && (strings.HasSuffix(before, ",") || strings.HasSuffix(before, ":") || strings.HasSuffix(before, "：") || strings.HasSuffix(before, "，"))
}

func isUnspaced(word string) bool {
	for _, r := range word {
		// Languages with letters from U+0900 on put the verb last, or write no spaces between words.
		return r >= 0x0900
	}
	return false
}
