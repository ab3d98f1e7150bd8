// Package elision reads texts in which a mark stands for omitted lines of the file, such as `// ... existing code ...`.
package elision

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Sort classifies a line that its file does not have. The caller must check this first, because a placeholder in
// the file is ordinary text.
type Sort int

// The sorts, in the order of increasing evidence that lines are left out.
const (
	Text    Sort = iota
	Comment      // only a comment, which may be an elision in unknown words
	Worded       // a comment that mentions an omission or ends in dots
	Elision      // the line says that lines are left out
)

// mostBytes limits the length of an elision in bytes. mostWords limits the number of words in a comment about an
// omission.
const (
	mostBytes = 160
	mostWords = 9
)

// SortOf returns the sort of a line, with or without its indentation and ending, in any language.
func SortOf(line string) Sort {
	line = strings.TrimSpace(line)
	if line == "" || len(line) > mostBytes {
		return Text
	}
	if said := withoutDots(line); strings.HasPrefix(line, "<") && said == "" {
		return Text
	} else if isBetweenDots(line) || IsPlaceholder(line) || IsNote(line) {
		return Elision
	}
	said, ok := CommentText(line)
	if !ok {
		if said, ok = commentText(line, rare); !ok || !beginsWithDots(said) {
			return Text
		}
	}
	said = strings.TrimLeft(said, "([{<")
	switch {
	case beginsWithDots(said):
		return Elision
	case strings.HasSuffix(strings.TrimRight(said, ")]}>"), "...") || strings.HasSuffix(said, "…"), mentionsOmission(said):
		return Worded
	}
	return Comment
}

// isBetweenDots reports whether a line has only dots, or words between two ellipses, such as `... other methods ...`.
// Two braces may surround them: `{{ ... }}`.
func isBetweenDots(line string) bool {
	if inner, ok := strings.CutPrefix(line, "{{"); ok && strings.HasSuffix(inner, "}}") {
		line = strings.TrimSpace(strings.TrimSuffix(inner, "}}"))
	}
	if !beginsWithDots(line) {
		return false
	}
	said := withoutDots(line)
	if said == "" {
		return true
	}
	ends := strings.HasSuffix(line, "...") || strings.HasSuffix(line, "…")
	return ends && !strings.ContainsAny(said, "(){}[]=;,")
}

// IsBetweenEllipses reports whether a line has several words between two ellipses.
func IsBetweenEllipses(line string) bool {
	return isBetweenDots(line) && len(wordsOf(withoutDots(line))) > 2
}

// IsNote reports whether a line is a note in brackets about lines that are not shown. Tools write `[... 20 lines]`,
// `<truncated>` or `(12 lines omitted)`; models write `[... 6 lines: check of the limit, start of submit() ...]`.
func IsNote(line string) bool {
	if len(line) < 3 {
		return false
	} else if line[1] >= utf8.RuneSelf {
		line = strings.TrimRight(line, ",;")
	}
	if i := strings.IndexByte("[(<{", line[0]); i < 0 || line[len(line)-1] != "])>}"[i] {
		return false
	}
	said := strings.TrimSpace(line[1 : len(line)-1])
	begins, ends := beginsWithDots(said), strings.HasSuffix(said, " ...") || strings.HasSuffix(said, " …")
	if begins && ends && len(wordsOf(withoutDots(said))) > 2 {
		return true
	}
	dots := begins || ends
	if first := strings.FieldsFunc(said, func(r rune) bool { return strings.ContainsRune("(,;:", r) }); dots && len(first) > 1 && mentionsOmission(first[0]) {
		return true // The words of an omission are followed by details.
	}
	if strings.ContainsAny(said, "()[]{}<>=;\"'`_") || len(wordsOf(said)) > mostWords || len(wordsOf(said)) == 0 {
		return false
	}
	if line[0] == '{' && !dots && len(wordsOf(said)) == 1 {
		return false // `{truncated}` shows a value in a template.
	}
	return dots || truncated[strings.ToLower(withoutDots(said))] || (strings.ContainsAny(said, "0123456789") || said[0] >= utf8.RuneSelf) && mentionsOmission(said)
}

// truncated holds the notes that [IsNote] accepts although they give no number of lines.
var truncated = map[string]bool{"truncated": true, "output truncated": true, "content truncated": true, "snip": true, "snipped": true, "omitted": true, "elided": true, "file truncated": true,
	"unchanged": true, "same as before": true, "as before": true}

func withoutDots(line string) string { return strings.Trim(line, ".…⋮ 	") }

// beginsWithDots reports whether a text begins with an ellipsis. The spread operator in `...args` is not an ellipsis.
func beginsWithDots(s string) bool {
	if strings.HasPrefix(s, "…") || s == "⋮" || s == ". . ." {
		return true
	}
	rest, dots := strings.CutPrefix(s, "...")
	return dots && (rest == "" || strings.ContainsAny(rest[:1], " \t.)]}>*-") || strings.HasSuffix(s, "..."))
}

// A notation has the delimiters of a comment; end is "" if the comment ends with its line.
type notation struct{ begin, end string }

// notations holds the delimiters of one-line comments. Notations with a closing delimiter come first, because the line
// comment `--` would also match `--[[`. The notations of template languages come before shorter notations with which
// they begin.
var notations = []notation{
	{"{% comment %}", "{% endcomment %}"}, {"{%- comment -%}", "{%- endcomment -%}"}, {"<#--", "-->"}, {"<#", "#>"}, {"@*", "*@"},
	{"{{!--", "--}}"}, {"{{--", "--}}"}, {"{{/*", "*/}}"}, {"{{!", "}}"}, {"{#", "#}"}, {"<%--", "--%>"}, {"<%#", "%>"},
	{"{/*", "*/}"}, {"/*", "*/"}, {"<!--", "-->"}, {"(*", "*)"}, {"{-", "-}"}, {"--[[", "]]"},
	{"//", ""}, {"#", ""}, {"--", ""}, {";", ""}, {"%", ""},
}

// rare holds delimiters that begin ordinary lines in most languages. They count only before dots.
var rare = []notation{
	{"{*", "*}"}, {"#|", "|#"}, {"'", ""}, {"\"", ""}, {"!", ""}, {"*>", ""}, {"*", ""}, {"REM", ""}, {"rem", ""}, {"::", ""}, {"dnl", ""}, {"\\", ""}, {"⍝", ""},
}

// CommentText returns the text of a comment that is the whole line, or false for any other line. The line must be
// trimmed.
func CommentText(line string) (string, bool) { return commentText(line, notations) }

func commentText(line string, notations []notation) (string, bool) {
	for _, n := range notations {
		said, ok := strings.CutPrefix(line, n.begin)
		if !ok {
			continue
		}
		if n.end != "" {
			said, ok = strings.CutSuffix(said, n.end)
			return strings.Trim(said, "* \t"), ok && !strings.Contains(said, n.end)
		}
		said = strings.TrimLeft(said, n.begin+"!")
		return strings.TrimSpace(said), said == "" || strings.ContainsAny(said[:1], " \t.([{") || strings.HasPrefix(said, "…")
	}
	return "", false
}

// mentionsOmission reports whether a text has only a few words, among them a word for an omission.
func mentionsOmission(said string) bool {
	words := wordsOf(said)
	return len(words) <= mostWords && slices.ContainsFunc(words, func(word string) bool {
		return leavesOut[word] || slices.ContainsFunc(stems, func(stem string) bool { return strings.HasPrefix(word, stem) }) ||
			word[0] >= 0x80 && slices.ContainsFunc(inside, func(part string) bool { return strings.Contains(word, part) })
	})
}

// stems holds the beginnings of words for omissions, in languages with spaces between words. The English words are in
// leavesOut.
var stems = strings.Fields(`elided previous original unalter
	restlich übrig unveränder bestehend vorhanden bisherig bleib ausgelassen weggelassen gekürzt
	restant inchangé existant identique omis précédent
	restante existente igual cambios omitid permanec inalterad alteraç mudança mantid
	esistent invariat immutat omess modifiche
	bestaand ongewijzigd overige weggelaten befintlig oförändra eksisterende uendre uændre
	reszta istniejąc zmian pozostał niezmienion pominięt zbytek existující stávající nezměněn změn
	остальн существующ изменени неизмен прежн пропущ оста решта існуюч незмінн змін
	mevcut kalan değişme aynı
	còn giữ nguyên sisa berubah
	बाकी शेष मौजूदा باقي بقية الحالي الموجود تغيير`)

// inside holds parts of words for omissions, in languages without spaces.
var inside = strings.Fields(`其余 其他 其它 现有 原有 剩余 不变 省略 保持 未改 未修改 未变 已有 其餘 現有 剩餘 不變 保留
	既存 残り 変更なし 変更無し 同様 同じ そのまま 기존 나머지 생략 동일 변경 그대로`)

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
	return said && (only && len(words) > 1 || comment && (dots || cutOff.MatchString(strings.TrimLeft(line, "/#-;% ")))) ||
		standsForCode(line, words, dots) ||
		isCutOff(line, words)
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
