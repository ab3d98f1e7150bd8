package reply

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A claim is a sentence that may ask for a change, or say that the change was made. A summary of the edits in the reply
// uses the same words, so the words do not decide: a claim is unread only if, after the reply, the files still have the
// old text or lack the new text.
type claim struct {
	text  string
	words string    // the sentence without its paths and its code in backticks
	names []mention // the paths in the sentence
	// the files that the sentence is about: the files that its line names, or else the changed files
	files []string
	named bool // the line names the files
	told  bool // the sentence is an unconditional statement
}

// Sentences returns the sentences of a line, as spans of the line.
func Sentences(line string) (all []text.Span) {
	at, first := 0, len(item.FindString(line)) // the period after the number of a list item does not end a sentence
	words := wordsOf(line)
	for _, m := range sentenceEnds(words[first:]) {
		end := first + m[0]
		for end < first+m[1] && words[end] == line[end] {
			end++ // a path or code after the white space belongs to the next sentence
		}
		all = append(all, text.Span{Start: at, End: end})
		at = end
	}
	return append(all, text.Span{Start: at, End: len(line)})
}

// instruction adds a sentence to the unread parts if the sentence asks for an edit or says that it was made, and the
// result lacks the edit. `introduces` is true if a fence follows the sentence. Most sentences above a fence are not
// added, because the fence itself is an edit or an unread part.
func (a *lister) instruction(line, at text.Span, introduces bool) {
	c := claim{text: at.In(a.doc), words: wordsOf(at.In(a.doc)), names: a.mentions(at.In(a.doc)), files: a.files.changed()}
	about := c.names
	if len(about) == 0 {
		about = a.mentions(line.In(a.doc))
	}
	if len(about) == 0 && isListed(line.In(a.doc)) {
		about = a.aboveItem(line)
	}
	if len(about) == 0 && strings.Contains(c.text, "`") && saysAny(c.words, Delete, Removed) {
		about = a.stems(c.words)
	}
	if len(c.names) > 0 && a.isWish(line) && a.isAnswered(c) {
		return
	}
	if name := a.corrected(c, wordsOf(line.In(a.doc))); name != "" {
		a.add(Unread{Kind: Instruction, At: line, Path: name, What: "another value for " + name, Sure: true})
		return
	}
	name := a.files.only()
	if c.named = len(about) > 0; c.named {
		name, c.files = about[0].name, text.Each(about, func(m mention) string { return m.name })
	}
	perhaps := saysAny(c.words, unsure...)
	c.told = isTold(c.text, len(c.text))
	_, made := a.files.Made[name]
	add := func(name, what string, sure bool) {
		a.add(Unread{Kind: Instruction, At: line, Path: name, What: what + name, Sure: sure})
	}
	if stays, verb := a.stays(c); stays != "" {
		add(stays, "an instruction to "+string(verb)+" ", true)
	} else if old := a.unswapped(c); old != "" {
		add(old, "an old and a new text of ", !perhaps)
	} else if introduces && (a.namesTwin(c) || a.fitsNamed(c)) {
		add(name, "an instruction for ", !perhaps)
	} else if a.isMoveRow(line.In(a.doc), c) {
		add(c.names[0].name, "an instruction to rename ", true)
	} else if lost := a.announced(c, line, introduces); lost != "" {
		what := "a new file without its text, "
		if a.files.isFile(lost) {
			what = "a heading without code below it, for "
		}
		add(lost, what, true)
	} else if other, sure := a.disagrees(c); other != "" {
		add(other, "new code or a new value for ", sure || Asks(c.text, Add, Change))
	} else if again := a.repeatsHere(c); again != "" {
		add(again, "an instruction to repeat a change in ", true)
	} else if name == "" || introduces && (!c.named || made || endsAsLabel(c.text) || !a.isAboveRead(line)) {
		return
	} else if kept := a.unremoved(c); kept != "" {
		what := "an instruction to delete lines of "
		if isForeign(c.words) {
			what = "a sentence about lines of "
		}
		add(kept, what, !perhaps)
	} else if a.newCode(c, name) && Asks(c.text, Add, Change) || a.unimported(c, name) {
		add(name, "an instruction for ", true)
	} else if other := a.changesToo(c); other != "" {
		add(other, "an instruction for ", true)
	} else if a.repeats(c) || Asks(c.text, Repeat) && (len(c.names) > 0 || slices.ContainsFunc(c.codes(), func(at text.Span) bool { return a.files.hasCode(name, at.In(c.text)) })) {
		add(name, "an instruction to repeat a change in ", true)
	} else if len(c.names) > 0 && !made && (c.names[0].code || a.files.isFile(name)) && (Asks(c.text, Change, Delete, Rename, Create) || Asks(c.text, Add) && !comesFrom(c.text[:c.names[0].at.Start])) {
		creates := Asks(c.text, Create) || saysAny(c.words, NewFile)
		add(name, "an instruction for ", !perhaps && a.files.isFile(name) != creates && !a.isWritten(name))
	} else if len(c.names) > 0 && !made && c.names[0].code && isForeign(c.words) && a.files.isFile(name) {
		renames := slices.ContainsFunc(c.names, func(m mention) bool { return !a.files.isFile(m.name) })
		add(name, "a sentence about ", renames && !c.denies())
	}
}

// isAboveRead reports whether an edit that a format reads is directly below a line. If the line is a sentence about
// another file, it does not introduce that edit, but asks for a change of its own.
func (a *lister) isAboveRead(line text.Span) bool {
	below := a.textBelow(line.End)
	return a.isRead(text.Span{Start: below, End: below + 1})
}

// textBelow returns the offset of the first character from offset `at` on that is neither white space nor the mark of
// a quotation, or the end of the document.
func (a *lister) textBelow(at int) int {
	return len(a.doc) - len(strings.TrimLeft(a.doc[at:], " \t\r\n>"))
}

// isWritten reports whether a line that the reply writes has the given code. If the code is the path of a file, a
// sentence with the path may be about that line, and not about the file.
func (a *lister) isWritten(code string) bool {
	return slices.ContainsFunc(a.files.changed(), func(name string) bool {
		before, after := a.files.linesWith(name, code)
		return len(after) > 0 && !slices.Equal(before, after)
	})
}

var (
	beginsImport = lazyregexp.New("^(?i:import|импорт)\\pL*(?: \\pL+){0,2} `")
	// importLine matches a line that imports names, or has a quoted package in a list of imports.
	importLine = lazyregexp.New(`(?m)\b(?:import|require|use|using|include|from)\b|^\s*(?:\w+ )?"[^"]*"\s*$`)
)

// unimported reports whether a sentence asks to import something into the file `name` that the file does not import
// after the reply.
func (a *lister) unimported(c claim, name string) bool {
	if !beginsImport.MatchString(c.text[leadIn(c.text):]) && !(Asks(c.text, Add) && strings.Contains(c.words, "import")) {
		return false
	}
	if len(c.names) == 1 && comesFrom(c.text[:c.names[0].at.Start]) {
		name = a.files.only() // the sentence names the imported file
	}
	return name != "" && slices.ContainsFunc(c.codes(), func(at text.Span) bool {
		_, after := a.files.linesWith(name, at.In(c.text))
		return isName.MatchString(at.In(c.text)) && !slices.ContainsFunc(after, importLine.MatchString)
	})
}

// isForeign reports whether a sentence is in a language that words.txt does not have, so that only its paths and its
// code show what it asks for.
func isForeign(words string) bool { return countWords(words) > 1 && !saysAny(words, Common) }

// isTold reports whether a sentence is an unconditional statement. From the offset `until` on, the sentence only
// explains, so a negation there does not negate the statement.
func isTold(line string, until int) bool {
	words := wordsOf(line)
	return !saysAny(words, unsure...) && !isNegated(words[:until]) && !strings.ContainsAny(words, "?？")
}

// denies reports whether a sentence has a negation or is a question.
func (c claim) denies() bool { return isNegated(c.words) || strings.ContainsAny(c.text, "?？") }

// isNegated reports whether words have a negation, other than in "don't forget".
func isNegated(words string) bool {
	_, not := say(withoutWords(words, Remember), NotNow)
	return not
}

// partOf matches a word such as "from" before a path or code. The path or code then says where something happens, and
// is not the object of the verb.
var partOf = lazyregexp.New(`(?i)(?:^|[^\pL\pN_])(?:from|in|of|inside|within|out of|between|across|for|on|at|to|into|with|by|above|below|before|after|around|outside|except|del|da|do|dans|en|aus|von|vom|in|из|в|from the)\s+(?:the\s+|the file\s+|file\s+)?[` + "`" + `*"]*$`)

// source matches a word such as "from" before a path. If the verb means adding, the path is then the source: "Add the
// import from `src/a.py`".
var source = lazyregexp.New(`(?i)(?:^|[^\pL\pN_])(?:from|of|with|using|via|by|aus|von|vom|mit|из|с|avec|con|com)\s+(?:the\s+|the file\s+|file\s+)?[` + "`" + `*"]*$`)

func comesFrom(before string) bool { return source.MatchString(before) || likens.MatchString(before) }

// isObject reports whether a path is the object of a verb. A path after another name between backticks, or after a word
// such as "from", is not the object.
func isObject(line string, at text.Span) bool {
	before := line[:at.Start]
	return strings.Count(before, "`") <= 1 && !partOf.MatchString(before) && !strings.HasPrefix(strings.TrimLeft(line[at.End:], "`*\""), "'s")
}

// stays returns a file that a sentence asks to delete or rename, or calls deleted or renamed, although the reply does
// not change the file at all. It returns "" if there is no such file.
func (a *lister) stays(c claim) (name string, verb Verb) {
	for i, m := range c.names {
		if !m.code || !a.files.isFile(m.name) || a.files.changes(m.name) || !isObject(c.text, m.at) {
			continue
		}
		for _, v := range [][2]Verb{{Delete, Removed}, {Rename, Moved}} {
			if (i == 0 && Asks(c.text, v[0]) || c.told && tells(c, m.at, v[1])) && !(v[0] == Rename && a.files.isMoved(m.name)) {
				return m.name, v[0]
			}
		}
	}
	if name = a.mayGo(c); name != "" {
		return name, Delete
	}
	codes := codesIn(c.text, 3)
	named := len(codes) > 0 && folder.isIn(c.words)
	for _, code := range codes {
		written := code.text.In(c.text)
		if !strings.HasSuffix(written, "/") && !named {
			continue
		}
		for _, v := range []Verb{Delete, Rename} {
			if !Asks(c.text, v) || !isObject(c.text, code.text) {
				continue
			}
			if name, ok := a.files.resolve(strings.TrimSuffix(written, "/")); ok && a.files.isFolder(name) && !a.files.empties(name) {
				return name, v
			}
		}
	}
	return "", Nothing
}

var folder = newExpression(`(?i)folder|directory|ordner|verzeichnis|dossier|répertoire|carpeta|directorio|pasta|cartella|папк|каталог|文件夹|目录|フォルダ|ディレクトリ|폴더`)

// mostBetween limits the words between a verb and its object, such as an article and an adjective.
const mostBetween = 3

// tells reports whether a sentence says that something was done to a file: the verb is close before the path, or it
// follows the path and ends the clause.
func tells(c claim, object text.Span, past Verb) bool {
	at, ok := say(c.words, past)
	switch {
	case !ok:
		return false
	case at.End <= object.Start:
		between := c.text[at.End:object.Start]
		return countWords(between) <= mostBetween && !partOf.MatchString(between)
	}
	between, rest := c.words[object.End:max(object.End, at.Start)], strings.TrimLeft(c.words[at.End:], " `*_")
	return countWords(between) <= mostBetween && !strings.ContainsAny(between, ":;–—：") && !isLetter(rest)
}

// mayGo returns a file that a sentence calls superfluous ([MayGo]), or "". It ignores questions, and sentences with a
// negation or about a later time.
func (a *lister) mayGo(c claim) (found string) {
	names := slices.DeleteFunc(slices.Clone(c.names), func(m mention) bool {
		_, made := a.files.Made[m.name]
		return made || !m.code || !a.files.isFile(m.name) || !isObject(c.text, m.at)
	})
	if len(names) == 0 || c.denies() {
		return ""
	}
	said, ok := say(c.words, MayGo)
	_, optional := say(c.words, Optional)
	ok = ok && !optional
	for _, m := range names {
		if ok && (found == "" || m.at.Start < said.Start) {
			found = m.name
		}
	}
	return found
}

var (
	// value matches a number with a point, or a text between quotes. Both count as code even without backticks.
	value = lazyregexp.New(`"[^"\n]+"|'[^'\n]+'|[«„“]([^«»„“”\n]+)[»“”]|「([^「」\n]+)」|\d+(?:\.\d+)+`)
	// arrowed matches two values with an arrow between them: `port: 80 -> 8080`.
	arrowed = lazyregexp.New(`([^\s:=]+) ?(?:->|→|=>) ?([^\s,;]*[^\s,;.])`)
	// bareValue matches values that count as code even next to code in backticks. It does not match words in quotes,
	// because prose also puts words in quotes.
	bareValue = lazyregexp.New(`"[^"\s]*[^"\s\pL][^"\s]*"|\d+(?:\.\d+)+`)
)

// codes returns the spans of the texts in backticks in a sentence, except for paths and texts with an elision. If there
// are none, it returns the values in the sentence.
func (c claim) codes() (all []text.Span) {
	add := func(at text.Span) {
		isPath := slices.ContainsFunc(c.names, func(n mention) bool { return at.Start <= n.at.Start && n.at.End <= at.End })
		if code := at.In(c.text); !isPath && text.HasWord(code) && !strings.Contains(code, "...") && !strings.Contains(code, "…") {
			all = append(all, at)
		}
	}
	for _, code := range codesIn(c.text, 20) {
		add(code.text)
	}
	if m := arrowed.FindStringSubmatchIndex(c.text); all == nil && m != nil {
		add(text.Span{Start: m[2], End: m[3]})
		add(text.Span{Start: m[4], End: m[5]})
	}
	if all == nil && strings.ContainsAny(c.words, `"'«„“「0123456789`) {
		for _, m := range value.FindAllStringSubmatchIndex(c.words, 20) {
			at := text.Span{Start: m[0], End: m[1]}
			for i := 2; i < len(m); i += 2 {
				if m[i] >= 0 {
					at = text.Span{Start: m[i], End: m[i+1]} // typographic quotes are never code
				}
			}
			add(at)
		}
	}
	return all
}

// unswapped looks for a sentence that replaces old code with new code: "change `port = 80` to `port = 8080`". It
// returns the file with the old code if the reply neither removes a line with the old code nor adds the new code, and
// otherwise "".
func (a *lister) unswapped(c claim) string {
	codes := c.codes()
	verb := slices.ContainsFunc([]Verb{Change, Changed, Rename, Moved}, func(v Verb) bool { _, ok := say(c.words, v); return ok })
	for i := range max(0, len(codes)-1) {
		old, new, between := codes[i].In(c.text), codes[i+1].In(c.text), c.text[codes[i].End:codes[i+1].Start]
		if a.kept(c, old, false) == "" {
			old, new = unquoted(old), unquoted(new) // prose quotes the words of a page, too
		}
		similar, points := isSimilar(old, new), arrow.MatchString(between)
		at, after := say(between, After)
		after = after && countWords(between[:at.Start])+countWords(between[at.End:]) <= mostBetween
		// Similar names in two clauses are two things: "reload `list_window`, and refresh `list_status`".
		joined := points ||
			(verb || c.named && isConstant.MatchString(old) && isConstant.MatchString(new)) && (after || becomes.MatchString(between)) ||
			c.named && similar && !strings.ContainsAny(between, ",;，、；،")
		asked := isName.MatchString(old) && Asks(c.text, Rename, Change)
		if old == new || !joined || !(c.named || similar || asked || strings.ContainsAny(old, " =()[]{};")) {
			continue
		}
		if name := a.kept(c, old, false); name != "" && a.lacks(c, old, new) {
			return name
		}
	}
	return ""
}

// unquoted returns a text without the straight quotes around it.
func unquoted(code string) string {
	for _, quote := range []string{`"`, "'"} {
		if inner, ok := strings.CutPrefix(code, quote); ok && strings.HasSuffix(inner, quote) {
			return strings.TrimSuffix(inner, quote)
		}
	}
	return code
}

var isName = lazyregexp.New(`^[\pL_][\pL\d_]*(?:\.[\pL_][\pL\d_]*)*(?:\(\))?$`)

// kept returns the first file of a sentence that contains the given code after the reply. It returns "" if the reply
// removes a line with this code from any of the files. If `all` is true, it also returns "" if the reply moves or
// changes a line with this code.
func (a *lister) kept(c claim, code string, all bool) (found string) {
	for _, name := range c.files {
		before, after := a.files.linesWith(name, code)
		if len(after) < len(before) || all && (a.files.isDone(name) || !slices.Equal(before, after)) {
			return ""
		}
		if len(after) > 0 && found == "" {
			found = name
		}
	}
	return found
}

var codeWord = lazyregexp.New(`[\pL\d_]+(?:\.[\pL\d_]+)*`)

// lacks reports whether `new` has a word that none of the sentence's files has after the reply. Words of `old` do not
// count.
func (a *lister) lacks(c claim, old, new string) bool {
	has := func(code string) bool {
		for _, name := range c.files {
			if _, after := a.files.linesWith(name, code); len(after) > 0 {
				return true
			}
		}
		return false
	}
	return !has(new) && slices.ContainsFunc(codeWord.FindAllStringSubmatch(new, -1), func(word []string) bool { return !HasCode(old, word[0]) && !has(word[0]) })
}

// isSimilar reports whether two texts share so much at their start and end that the rest is at most half of the longer
// text.
func isSimilar(a, b string) bool { return 2*text.SharedEnds(a, b) >= max(len(a), len(b)) }

// unremoved looks for a sentence that removes code from a file. It returns the file if the reply leaves all lines with
// that code in it, and otherwise "".
func (a *lister) unremoved(c claim) string {
	asked, foreign := Asks(c.text, Delete), c.named && isForeign(c.words)
	at, said := say(c.words, Delete)
	if !said {
		at, said = say(c.words, Removed)
	}
	if !asked && !foreign && !(said && c.told && c.named) {
		return ""
	}
	for _, code := range c.codes() {
		if code.Start < at.End && !isUnspaced(at.In(c.text)) {
			continue
		}
		between := c.text[min(at.End, code.Start):code.Start]
		if !said && isName.MatchString(code.In(c.text)) {
			continue // a name alone shows nothing, because any sentence may quote it
		} else if !said {
			between = ""
		}
		if countWords(between) > mostBetween || partOf.MatchString(between) || strings.HasPrefix(c.text[code.End:], "`'s") {
			return ""
		}
		name := a.kept(c, code.In(c.text), true)
		if _, made := a.files.Made[name]; asked || !made {
			return name
		}
		return ""
	}
	return ""
}

func (a *lister) newCode(c claim, name string) bool {
	if len(c.names) == 0 {
		if _, placed := say(c.words, InFile); !placed {
			return false
		}
	}
	return slices.ContainsFunc(c.codes(), func(at text.Span) bool { return a.isUnknown(name, at.In(c.text)) })
}

// isUnknown reports whether `code` is more than a name, and occurs in a file neither before nor after the reply.
func (a *lister) isUnknown(name, code string) bool {
	code = strings.TrimSpace(code)
	if !strings.ContainsAny(code, " =()[]{};") || IsPath(code) || !strings.HasPrefix(code, "<") && len(effects(code)) > 0 {
		return false
	}
	return !slices.ContainsFunc(a.files.texts(name), func(t string) bool {
		return a.files.Meter.Pay(len(t)/searched) && strings.Contains(t, code)
	})
}
