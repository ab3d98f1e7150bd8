package reply

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

var (
	arrow = lazyregexp.New("^[ \t*`\"']*(?:->|→|=>|➜|➡️?|⟶)[ \t*`\"']*$")
	// becomes matches a word between an old path and the new one.
	becomes = lazyregexp.New(`(?i)^[^\pL]*(?:to|into|as|nach|zu|in|en|a|para|vers|à|на|в|إلى|为|成|に|へ|を|로|으로|을|를)[^\pL]*$`)
	// Verbs in labels that say what happened to a file.
	deleted   = lazyregexp.New(`(?i)\b(?:deleted|removed)\b`)
	moved     = lazyregexp.New(`(?i)\b(?:renamed|moved)\b`)
	movedFile = lazyregexp.New(`(?i)\b(?:renamed?|moved?) file\b`)
	note      = lazyregexp.New(`[(（][^()（）]*[)）][ \t*:：]*$`) // a remark in brackets after a path
)

// A Gone is the deletion or the renaming of a file, as announced in a line of text.
type Gone struct {
	From, To text.Span // the old and the new path; To is empty for a deletion
	Label    bool      // the words are a label: `Deleted file: src/a.py`
	Heading  bool
}

// FileGoes returns the deletion or the renaming of a file that a line announces. The line must be a label, a heading
// or bold text with few other words, or it must have two paths with an arrow between them.
func FileGoes(line string) (g Gone, ok bool) {
	if len(line) > mostLine {
		return g, false
	}
	paths := text.Only(wordsIn(line, 20), func(at text.Span) bool { return IsFileName(at.In(line)) || isCode(line, at) && IsPath(at.In(line)) })
	if len(paths) == 0 || len(paths) > 2 {
		return g, false
	}
	last := paths[len(paths)-1]
	words := line[:paths[0].Start] + " " + line[last.End:]
	g.From, g.Heading = paths[0], isHeading(line)
	if !g.Heading && (len(paths) == 1 && !behindColon(line, g.From) || len(paths) == 2 && !arrow.MatchString(line[paths[0].End:last.Start])) {
		return g, false
	}
	if _, g.Label = say(words, GoneFile); g.Label {
		words = note.ReplaceAllString(words, "")
	}
	verb, done, between := Delete, deleted, ""
	if len(paths) == 2 {
		verb, done, between, g.To = Rename, moved, line[paths[0].End:last.Start], last
		g.Label = movedFile.MatchString(words)
	}
	rest := done.ReplaceAllString(withoutWords(withoutWords(words, GoneFile), verb), " ")
	switch ok = !hasOtherWords(rest); {
	case len(paths) == 1:
		ok = ok && rest != words && (g.Heading || g.Label && behindColon(line, g.From))
	case !arrow.MatchString(between):
		ok = ok && rest != words && g.Heading && (becomes.MatchString(between) || !hasOtherWords(between))
	}
	return g, ok
}

// clauseEnd matches the end of the clause with an instruction. The text after it is only an explanation.
var clauseEnd = lazyregexp.New(`[;:；：–—(（]|\s-\s`)

// AsksToGo returns the deletion or the renaming of a file that a sentence asks for. Each path must be in backticks. The
// sentence must ask for it now and without a condition, and have nothing else in backticks.
func AsksToGo(sentence string) (g Gone, ok bool) {
	codes := codesIn(sentence, 3)
	if len(codes) == 0 || len(codes) > 2 {
		return g, false
	}
	g.From = codes[0].text
	rest := sentence[codes[0].at.End:]
	verb := Delete
	if len(codes) == 2 {
		verb, g.To = Rename, codes[1].text
		rest = sentence[codes[1].at.End:]
		if between := sentence[codes[0].at.End:codes[1].at.Start]; !IsPath(g.To.In(sentence)) || !becomes.MatchString(between) && !arrow.MatchString(between) {
			return g, false
		}
	}
	explains := len(sentence)
	if at := clauseEnd.FindStringIndex(rest); at != nil {
		explains = len(sentence) - len(rest) + at[0]
	}
	first, _, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
	ok = IsFileName(g.From.In(sentence)) && isObject(sentence, g.From) && !partOf.MatchString(" "+first+" ") && Asks(sentence, verb) && isTold(sentence, explains)
	return g, ok
}
