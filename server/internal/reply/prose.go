package reply

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// eachSaid is the cost of searching prose for words, in steps of the meter for each byte.
const eachSaid = 250

// eachSigned is the cost of looking for the lines of a paragraph in the files, in steps of the meter for each byte.
const eachSigned = 48

// prose adds the unread parts outside of fences: elements, calls, commands in backticks, and sentences that ask for an
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
				if value, start := a.valueAt(s, at, part.End); value != "" && a.json(value, line) {
					next = start + len(value)
				} else if n := a.signed(line, part.End); n > 0 {
					next = at + n
				} else if a.files.Meter.Pay(eachSaid*len(s) + len(a.used)) {
					a.line(line, end >= lastLine && part.End < len(a.doc))
				}
			}
			at = max(next, at+1)
		}
	}
}

// signed lists lines with `-` and `+` outside of a fence as unread if a file still has the lines with `-` after the
// reply. It returns the length of the listed lines, or 0.
func (a *lister) signed(at text.Span, until int) int {
	other := map[byte]string{'-': "\n+", '+': "\n-"}[a.doc[at.Start]]
	if other == "" {
		return 0
	}
	body, _, _ := strings.Cut(a.doc[at.Start:until], "\n\n")
	// lines that all begin with `-`, or all with `+`, are probably a Markdown list
	if !a.files.Meter.Pay(len(body)) || !strings.Contains(body, other) || !a.files.Meter.Pay(eachSigned*len(body)) || !isSigned(body) {
		return 0
	}
	removed, added := sides(body + "\n")
	above, _ := a.lineLabel(LineAbove(a.doc, 0, at.Start), true)
	name := above.Path
	if name == "" {
		name, _ = a.files.holder(removed)
	}
	if name == "" || !a.hasLines(name, removed) || a.isMade(name, removed, added) {
		return 0
	}
	a.add(Unread{Kind: Diff, At: at, Path: name, What: "removed and added lines for " + name, Sure: true})
	return len(body)
}

const mostValues = 20

// valueAt returns the text of a JSON value that begins on a line, and its offset. `at` is the offset of the line's
// first text. The value may be in an element or in the brackets of a call: `<arguments>{"path": ...}</arguments>`. The
// result is "" if no value begins on the line, or if the limit of parsed values is reached.
func (a *lister) valueAt(line string, at, until int) (value string, start int) {
	begins := opensValue.FindStringIndex(line)
	if a.values == 0 || begins == nil || strings.Contains(line[:begins[0]], "`") {
		return "", at
	}
	a.values--
	at += strings.Index(a.doc[at:until], line) + begins[0]
	if end := strings.LastIndexAny(line, "]}"); end > begins[0] && end+1 < len(line) {
		return line[begins[0] : end+1], at
	}
	return paragraph(a.doc[at:until]), at
}

var opensValue = lazyregexp.New(`\[?\{(?:\s*"|$)|^\{`)

// paragraph returns the beginning of a text, up to the first `}` or `}]` before a blank line, or the first `}` or `]`
// before a line with an end tag.
func paragraph(s string) string {
	for _, end := range []string{"}\n\n", "}]\n\n", "}\n</", "]\n</"} {
		if i := strings.Index(s, end); i >= 0 {
			return s[:i+strings.IndexByte(end, '\n')]
		}
	}
	return strings.TrimRight(s, " \t\r\n")
}

func (a *lister) proseParts() []text.Span {
	taken := append(append([]text.Span{}, a.document.Read...), text.Each(a.document.Fences, func(b mdblock.Block) text.Span { return b.Span })...)
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

// line adds to the unread parts the edits that a line of prose asks for. `introduces` is true if a fence or a block
// follows the line.
func (a *lister) line(at text.Span, introduces bool) {
	line := at.In(a.doc)
	if mdblock.EndsEdit(line) {
		a.cutAbove(at)
		return
	}
	if !strings.ContainsAny(line, "`*/.→>") || slices.ContainsFunc(a.used, at.Overlaps) {
		return
	}
	for _, code := range codesIn(line, 20) {
		if command := code.text.In(line); strings.ContainsAny(strings.TrimSpace(command), " \t") {
			a.shell(command, "a command", false, func(int) text.Span { return at })
		}
	}
	if a.status(line, at, "") {
		return
	}
	for _, sentence := range Sentences(line) {
		a.instruction(at, sentence.Shift(at.Start), introduces && sentence.End == len(line))
	}
}

// cutAbove adds the last line of an edit to the unread parts. The beginning of the edit must be missing, because no
// format read the edit: perhaps the reply was not copied from its beginning.
func (a *lister) cutAbove(at text.Span) {
	a.add(Unread{Kind: Fence, At: at, What: "the end of an edit whose beginning is missing", Sure: true})
}

// cutIn adds the last line of an edit in a fence to the unread parts if no edit begins in the fence.
func (a *lister) cutIn(b *mdblock.Block) bool {
	lines := text.SplitLines(b.Body)
	i := slices.IndexFunc(lines, func(line string) bool { return mdblock.EndsEdit(text.TrimEOL(line)) })
	if i < 0 || b.Kind() == mdblock.PlainText || HasEdit(b.Body) {
		return false
	}
	a.cutAbove(lineIn(b, i))
	return true
}

// otherLeads matches words of other languages that may come before a verb, such as "vous devez" ("you must").
const otherLeads = `(?:vous devez|tu dois|il faut|il faudra|ensuite|puis|enfin|et)(?: aussi| également| ensuite)?|también|además|luego|después|y|(?:debes|debe|tienes que|hay que)(?: también)?|du musst(?: auch| noch)?|sie müssen(?: auch| noch)?|dann|danach|außerdem|anschließend|zusätzlich|und|você (?:também )?(?:deve|precisa)(?: também)?|também|depois|em seguida|e|и|также|затем|потом|(?:вам )?(?:нужно|необходимо|надо)(?: также)?|ثم|كما|أيضًا|أيضا|devi(?: anche)?|anche|poi|inoltre|infine|por último|finalmente|por fim|наконец|zuletzt|schließlich`

// leadMarks lists the characters that may come before the verb of an instruction.
const leadMarks = "\t\n\f\r >#*_-+•.0123456789)(:"

var (
	// Words and boxes that may come before the verb of an instruction.
	lead = newExpression(`(?:\[[ xX]?\]|\[\^[^\]\s]+\]:|[a-zA-Z]\)|(?i:step \d+[:.)]|(?:then|also|next|now|finally|first|second|lastly|please|and|additionally|afterwards|remember to|don't forget to|make sure to|be sure to|you(?:'ll| will)?(?: also| then| still)* (?:(?:may |might )?want to|should|must|need to|have to)(?: also| then)?|manually|just|simply|` + otherLeads + `)[ ,]+))`)
	// Words before a verb that name a place: "On line 4".
	inPlace = lazyregexp.New("(?i)^(?:on|in|at|inside|within|en|dans|auf|em|na|no|nel|nella|alla|à la|в|на)\\s+(?:the\\s+)?(?:(?:file|fichier|datei|archivo|fichero|arquivo|файле|line|ligne|zeile|línea|linha|riga|строке)\\s+)*(?:\\d+|`[^`]*`)(?:\\s+(?:of|in|de|von|di|в)\\s+`[^`]*`)?\\s*$")
	// opensFile matches words before a verb that only lead to the file: "Open `a.toml` and".
	opensFile = lazyregexp.New("(?i)^(?:open|öffne|öffnen sie|abre|abra|ouvre|ouvrez|apri|открой|откройте)\\s+`[^`]*`,?\\s+(?:and|und|y|e|et|и)(?: then| dann)?\\s*$")
	// Endings and subjects which show that the action was done already, or that the sentence is not an instruction.
	past = lazyregexp.New(`(?i)しました|した。|ました|했습니다|하였|됩니다|했다|已经?|删除了|添加了|修改了|दिया|किया|गया|\b(?:I|we|I've|I have|we've|I'll|this|that|it|which) (?:\w+ )?$`)
)

// likens matches words before a file that is only compared with another: "Same as in `src/a.py`:".
var likens = lazyregexp.New(`(?i)\b(?:as|like|same|wie|como|comme|come|как)\b|同|같|समान|مثل`)

// isLikened reports whether the text before a path ends with words that only compare the path's file.
func isLikened(before string) bool {
	found := likens.FindAllStringIndex(before, -1)
	return len(found) > 0 && countWords(before[found[len(found)-1][1]:]) <= mostBetween
}

// afterTopic matches the text after a path if the rest of the line is about the path's file.
var afterTopic = lazyregexp.New(`^[ \t*_]*(?:$|[:：(（]|[–—-][ \t])`)

// PlaceOf returns the file that a line names as the place of the edit below:
//
//   - The line begins with the file: "In `src/a.py`, return early:", "`src/a.py`: return early."
//   - The line ends with the file after few other words: "Use it in `src/a.py`:"
//
// PlaceOf returns "" if the file is elsewhere in the line, or if the line names several files.
func PlaceOf(line string) string {
	names := Mentioned(line)
	if len(names) != 1 {
		return ""
	}
	if last := lastSentence(line); strings.Contains(last, names[0]) {
		line = last
	}
	line = strings.Replace(line, "**"+names[0]+"**", "`"+names[0]+"`", 1)
	codes, from := codesIn(line, 20), leadIn(line)
	if len(codes) == 0 {
		return ""
	}
	first, last := codes[0], codes[len(codes)-1]
	begins := first.text.In(line) == names[0] && (first.at.End > from && inPlace.MatchString(line[from:first.at.End]) || first.at.Start == from && afterTopic.MatchString(line[first.at.End:]))
	said := line[:last.at.Start]
	ends := last.text.In(line) == names[0] && endsAsLabel(line) && !text.HasWord(line[last.at.End:]) && countWords(said) <= mostInLabel && !likens.MatchString(said)
	if !begins && !ends {
		return ""
	}
	return names[0]
}

// Holder returns the file that a line above an edit names, if of all `names` only this file has the lines of the edit,
// and the line does not only compare it with another. A sentence without its end may go on below the edit, and say
// anything about it.
func Holder(d format.Document, line string, names []string, has func(*place.Text) bool) string {
	holder := ""
	for _, name := range names {
		content, ok := FileText(d, name)
		if !ok || !d.Meter.Pay(len(content)) || !has(place.NewMetered(content, d.Meter)) {
			continue
		}
		if holder != "" && fileOf(d, holder) != fileOf(d, name) {
			return ""
		}
		holder = name
	}
	before, _, said := strings.Cut(line, holder)
	if last, _ := utf8.DecodeLastRuneInString(line); !said || unicode.IsLetter(last) && before != "" || isLikened(before) {
		return ""
	}
	return holder
}

// leadIn returns the length of the marks and words at the beginning of a line that may come before the verb of an
// instruction.
func leadIn(line string) (end int) {
	for at, ok := (text.Span{}), true; ok; at, ok = lead.at(line, end) {
		end = len(line) - len(strings.TrimLeft(line[max(end, at.End):], leadMarks))
	}
	return end
}

// Asks reports whether a line asks for one of the actions that the verbs name. The words for the verb must come first,
// or after a clause that names the place. In languages with the verb at the end, the words may be anywhere.
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
		from := leadIn(line)
		before, said := line[from:max(at.Start, from)], words[from:max(at.Start, from)]
		if main := before[strings.LastIndexAny(before, ";；")+1:]; main != before && leadIn(main) == len(main) && !saysAny(words[at.End:], unsure...) {
			return true
		}
		rest := withoutWords(said, Remember) // "don't forget to delete"
		if before == "" || isPlaceClause(before, v == Change || v == Changed || !endsAsLabel(line)) || rest != said && countWords(rest) <= 1 {
			return true
		}
	}
	return false
}

// isPlaceClause reports whether the words before a verb only name the place: "In `src/app.py`, ", or are a clause of their
// own. A dash ends the
// clause only if `dash` is true, because people also write a dash between the path and the purpose of the whole text below.
func isPlaceClause(before string, dash bool) bool {
	if rest := withoutWords(before, InFile); inPlace.MatchString(before) || opensFile.MatchString(before) || rest != before && countWords(rest) <= 1 { // "En el mismo archivo"
		return true
	}
	// "Since it is not needed any more, also "
	if main := before[strings.LastIndexByte(before, ',')+1:]; main != before && text.HasWord(main) && leadIn(main) == len(main) {
		return true
	}
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(before, " *_"))
	return len(strings.Fields(before)) <= 8 && (strings.ContainsRune(",:：，", last) || dash && strings.ContainsRune("–—-", last))
}

func isUnspaced(word string) bool {
	for _, r := range word {
		// Languages with these letters put the verb at the end, or write no spaces between words.
		return r >= 0x0900
	}
	return false
}
