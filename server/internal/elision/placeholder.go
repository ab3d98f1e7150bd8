package elision

import (
	"slices"
	"strings"
	"unicode"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// brackets holds the beginnings of placeholders without the notation of a comment: markup, a bracket or an ellipsis.
var brackets = []string{"<", "[", "(", "{", "...", "…", "*"}

// leavesOut, endings and unfinished hold words for text that is left out, that ends, or that may lack changes.
// fillWords holds words that may accompany them.
var (
	leavesOut  = text.WordSet("rest remaining remainder existing unchanged omitted unmodified truncated snip snipped same reste resto resten")
	endings    = text.WordSet("truncated snip snipped omitted continued")
	unfinished = text.WordSet("truncated continued limit")
	fillWords  = text.WordSet(`the of is are as in on for and with no all other others your this that above below before here
		stays stay remains remain kept keep continues continue everything else previous previously original code file
		content contents implementation method methods function functions import imports class body component logic
		line lines section sections part parts change changes from brevity unaltered`)
)

// standsFor matches a whole comment that names existing code and says that the code stays or belongs at this place,
// such as "previous code here", or that nothing changes here. It does not match "Your content here", which page
// templates use.
var standsFor = lazyregexp.New(`^no (?:other |further |more )?changes( here| (?:above|below)(?: here| this line| this point)?)$|` +
	`^(?:all )?(?:the |your )?(?:(?:previous|above|earlier|original|other) (?:` + namedCode + `|contents?)|your ` + namedCode + `)` +
	`(?: and (?:other )?` + namedCode + `)?( (?:here|stays?|remains?|continues?|(?:stays?|remains?|continues?|goes|go|belongs?|comes?) here|` +
	`(?:(?:stays?|remains?) )?as (?:before|is|it is|it was|they are|they were)))?$`)

const namedCode = `(?:code|methods?|functions?|imports?|class(?:es)?|components?|logic|implementations?|lines|sections|parts|` +
	`definitions|declarations|styles|rules|tests|fields|props|properties|constants|variables|types|routes|handlers)`

// IsPlaceholder reports whether a line is a placeholder of a model: `// ... rest of code unchanged`,
// `# existing code` or `<rest of file>`. Next to a word for an omission, a comment with an ellipsis may have any
// words, and other lines may have only fillWords.
func IsPlaceholder(line string) bool {
	comment := slices.ContainsFunc(notations, func(n notation) bool { return strings.HasPrefix(line, n.begin) })
	if len(line) > 160 || !comment && !slices.ContainsFunc(brackets, func(begin string) bool { return strings.HasPrefix(line, begin) }) {
		return false
	}
	dots := strings.Contains(line, "...") || strings.Contains(line, "…")
	words := wordsOf(line)
	if len(words) == 0 {
		return comment && dots
	}
	said, only := false, true
	for _, word := range words {
		said = said || leavesOut[word]
		only = only && (leavesOut[word] || fillWords[word])
	}
	return said && (only && len(words) > 1 || comment && (dots || cutOff.MatchString(strings.TrimLeft(line, "/#-;% ")))) || standsForCode(line, words, dots) || isCutOff(line, words)
}

// cutOff matches a line that has only words in brackets, whatever the words are.
var cutOff = lazyregexp.New(`^(?:\[[\pL .…-]+\]|\([\pL .…-]+\)|<[\pL .…-]+>)\.?$`)

// isCutOff reports whether a line says that the rest was cut off: `[truncated]`,
// `(continued in the next message)`, `<snip>`.
func isCutOff(line string, words []string) bool {
	said := slices.ContainsFunc(words, func(word string) bool { return endings[word] })
	return said && len(words) <= 6 && cutOff.MatchString(strings.TrimSpace(line))
}

// saysCutOff reports whether the elision at the end of a text says that the text was cut off and may lack changes.
func saysCutOff(line string) bool {
	return slices.ContainsFunc(wordsOf(line), func(word string) bool { return unfinished[word] })
}

// standsForCode reports whether a line is a comment that stands for existing code. A comment with an ellipsis only
// needs to name the code. If the words are separated by anything but spaces, the line may be code, so the result is
// false.
func standsForCode(line string, words []string, dots bool) bool {
	if len(words) < 2 || len(words) > 12 {
		return false
	}
	phrase := strings.Join(words, " ")
	m := standsFor.FindStringSubmatch(phrase)
	return m != nil && (dots || m[1]+m[2] != "") && strings.Contains(strings.ToLower(line), phrase)
}

func wordsOf(line string) []string {
	return strings.FieldsFunc(strings.ToLower(line), func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' })
}
