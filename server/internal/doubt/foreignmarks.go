package doubt

import (
	"path"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A notation is recognized by its mark: a line that very few files contain.
type notation struct {
	name  string
	signs []string // each line with the mark contains at least one of these
	mark  *lazyregexp.Regexp
}

// otherMarkup is the name of the notation whose marks are around code in wikis. withMarkup lists the extensions of
// files that may have such marks themselves.
const otherMarkup = "another markup language"

var withMarkup = []string{".tex", ".sql", ".org"}

// ofEdits lists the notations of edits, which a program that reads edits may quote, for example in its tests.
var ofEdits = []string{inConflict, "a diff", "a diff of words", "a patch", searchReplace}

const inConflict = "a merge conflict or a SEARCH/REPLACE block"

const searchReplace = "SEARCH/REPLACE"

// bareMark matches a mark of SEARCH/REPLACE that is only a word, such as `REPLACE` in SQL.
var bareMark = lazyregexp.New(`^\s*\pL+\s*$`)

// Some names of notations: Go's package fmt prints a notice of a missing argument for each verb, such as `%d`. A text between the quotes of SQL has its own single quotes twice, and a template its curly
// brackets. A code page of East Asia shows a backslash as the sign of a currency.
const (
	ofGo       = "Go's package fmt"
	ofTemplate = "a template"
	ofSQL      = "a string of SQL"
	ofCodePage = "a code page of East Asia"
)

var verb = lazyregexp.New(`%[-+# 0]*[\d.*]*[A-Za-z]`)

// inReview is the name of the notation that shows changes to a document inside the document (CriticMarkup). Some
// programming languages have comments that look like its marks.
const inReview = "a review"

var notations = []notation{
	{inConflict, []string{"<<<<<", ">>>>>", "|||||||"}, lazyregexp.New(`^\s*(?:<{5,9} ?(?:HEAD|[A-Z]{3,}|[\w./-]*)|>{5,9} ?[\w./-]+|\|{7} [\w./-]+)\s*$`)},
	{"a diff", []string{"diff --git", "@@ -", ".."}, lazyregexp.New(`^\s*(?:diff --git a/.* b/.*|@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@.*|index [0-9a-f]{7,40}\.\.[0-9a-f]{7,40}.*)$`)},
	{"a diff", []string{"--- a/", "+++ b/", "@@ ... @@"}, lazyregexp.New(`^(?:--- a/\S.*|\+\+\+ b/\S.*|@@ \.\.\. @@)$`)},
	{"a patch", []string{"*** "}, lazyregexp.New(`^\s*\*\*\* (?:Begin Patch|End Patch|(?:Update|Add|Delete) File: .*|End of File|Move to: .*)\s*$`)},
	{"a diff of words", []string{"{+", "<ins>"}, lazyregexp.New(`\[-[^\]]+-\]\{\+|\{\+[^{}]+\+\}|<del>.*</del>\s*<ins>`)},
	{inReview, []string{"{++", "{--", "{~~", "{>>"}, lazyregexp.New("(?:^|[^`{])\\{(?:\\+\\+[^{}]+\\+\\+|--[^{}]+--|~~[^{}]*~>[^{}]*~~|>>[^{}]+<<)\\}")},
	{"a diff", []string{`\ No newline`}, lazyregexp.New(`^\\ No newline at end of file$`)},
	{"a chat", []string{"<|", "【", "\ue200cite", ":content", "_turn>", "INST]", "</s>", "system-reminder>", "antml:", "function_results>"}, lazyregexp.New(`<\|(?:im_|end|eot|start_|begin_|fim_|eom|cursor|assistant|user|system)[a-z_]*\|>|【\d+[†:].*?】|\x{E200}cite|:contentReference\[|<(?:start|end)_of_turn>|\[/?INST\]|^</s>$|^\s*</?(?:system-reminder|antml:\w+|function_results)>\s*$`)},
	{"a text with a wrong encoding", broken(), lazyregexp.New(`[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f\x{FFFD}]`)},
	{"a text with a wrong encoding", []string{"?????"}, lazyregexp.New(`["'>=:] ?\?{5,}(?:["'<]|\s*$)`)},
	{"a translator", []string{"__"}, lazyregexp.New(`__[A-Z]{2,}_\d+__`)},
	{"a printed page", []string{"\f"}, lazyregexp.New(`^\f$`)},
	{"a JSON string", []string{`\n`}, lazyregexp.New(`^[^"'` + "`" + `]*(?:"[^"]*"[^"'` + "`" + `]*)*[^\\"'` + "`" + `]\\n$`)},
	{"a list of files", []string{" FILE", " of ", " OF "}, lazyregexp.New(`^\s*(?:[-=*#/]{2,}\s*)(?:(?i:BEGIN|END|START)(?: OF)? FILE\b.*|(?i:end) of [\w./-]+\.\w+)\s*(?:[-=*#/]{2,})?\s*$`)},
	{"an editor's display", []string{" usage", " reference", " implementation", " override", "new *", "Debug", " ago "}, lazyregexp.New(`^\s*(?:\d+\+? (?:usages?|references?|implementations?|overrides?)(?:(?: ?\| ?| {2,}|\t+|, )[\pL\d][^{}()=;"]*| \w+ \*)?|(?:no|show) usages|new \*|▷? ?Run ?\| ?Debug|\pL[^{}()=;"]*, (?:\d+|an?) (?:minute|hour|day|week|month|year)s? ago (?:\||•) \S.*)\s*$`)},
	{"a pager", []string{"More", "END)", "lines ", "ENTER", "Manual page "}, lazyregexp.New(`^\s*(?:-- ?More ?--(?: ?\(\d+%\))?|(?:lines \d+-\d+(?:/\d+)? ?)?(?:\d+% ?)?\(END\)|lines \d+-\d+(?:/\d+)?(?: \d+%)?|Manual page \S+ line \d+.*|Press ENTER or type command to continue)\s*$`)},
	{"Markdown", []string{"```", "**"}, lazyregexp.New("^\\s*(?:```[\\w+-]*|\\*\\*\\w[^*]*\\*\\*(?: .*)?)$")},
	{otherMarkup, []string{"{code", "{noformat", "code]", "#+", `\begin{`, `\end{`, "highlight", "$$"}, lazyregexp.New(`^\s*(?:\{(?:code|noformat)(?::[^{}]*)?\}|\[/?code(?:=\w+)?\]|#\+(?i:begin|end)_\w+.*|\\(?:begin|end)\{(?:lstlisting|verbatim|minted)\}.*|\{% ?(?:end)?highlight.*%\}|\$\$)\s*$`)},
	{ofGo, []string{"%!"}, lazyregexp.New(`%!\w?\((?:MISSING|NOVERB|EXTRA |BAD(?:INDEX|WIDTH|PREC)|\w+=)`)},
	{"a CDATA section", []string{"]]]]><![CDATA[>"}, lazyregexp.New("[^\"'`]\\]\\]\\]\\]><!\\[CDATA\\[>")},
	{"a coverage report", []string{":  "}, lazyregexp.New(`^ {4,8}(?:\d{1,5}\*?|-|#{5}|={5}): {2,4}\d{1,3}:`)},
	{"a word filter", []string{"***"}, lazyregexp.New("^[^\"'`#/]*[\\pL_.]\\*{3,}\\pL{2,}[^\\pL)]")},
	{"a keyboard with dead keys", strings.Split("áéíóúàèìòùâêîôûäëïöü", ""), lazyregexp.New(`^[^'"]*[=(,:?+\[] ?[áéíóúàèìòùâêîôûäëïöü]\w*['"]`)},
	{"a list that goes on", []string{"..", "…"}, lazyregexp.New(`^\s*"(?:\.\.+|…)"\s*:\s*"[^"]*\pL`)},
	{ofSQL, []string{"''"}, lazyregexp.New(`[=(,:] ?''\pL[^']*''(?:[;,)]|$)`)},
	{ofTemplate, []string{"{{"}, lazyregexp.New(`^\s*(?:\}+\s*)?(?:if|else|for|while|switch|try|do|catch|finally)\b[^{}]*\{\{$`)},
	{ofTemplate, []string{"{{"}, lazyregexp.New(`\bf(?:"[^"{}]*(?:\{\{\w+\}\}[^"{}]*)+"|'[^'{}]*(?:\{\{\w+\}\}[^'{}]*)+')`)},
	{ofCodePage, []string{"¥", "₩"}, lazyregexp.New(`[¥₩][A-Za-z]`)},
	{searchReplace, []string{"SEARCH", "REPLACE"}, lazyregexp.New(`^\s*(?:[-+]{3,9} (?:SEARCH|REPLACE)|\[?/?(?:SEARCH|REPLACE)\]?:?)\s*$`)},
}

// broken returns the characters that a text gets from a wrong encoding.
func broken() []string {
	all := []string{"\ufffd", "\x7f"}
	for r := range ' ' {
		if !strings.ContainsRune("\t\n\f\r\x1b", r) {
			all = append(all, string(r))
		}
	}
	return all
}

// isOn reports whether the line has the mark. It searches for `signs` first, because that is faster than a match.
func (n notation) isOn(line string) bool {
	return slices.ContainsFunc(n.signs, func(sign string) bool { return strings.Contains(line, sign) }) && n.mark.MatchString(line)
}

// mayHave reports whether new line i of a run may have a mark on purpose.
func (c *Change) mayHave(n notation, run, i int) bool {
	switch {
	case n.name == otherMarkup:
		return slices.Contains(withMarkup, c.ext())
	case n.name == ofGo:
		return verb.MatchString(text.Joined(c.Runs[run].New))
	case n.name == ofCodePage:
		return !c.had(`\`)
	case n.name == ofSQL:
		return c.New || c.had("''")
	case n.name == "a CDATA section":
		return c.mayHaveTags()
	case n.name == "Markdown", n.name == ofTemplate:
		return c.isQuoted(run, i)
	case n.name == searchReplace && bareMark.MatchString(c.Runs[run].New[i]):
		// Languages with such a word need no second mark.
		return !c.adds(func(line string) bool { return n.isOn(line) && line != c.Runs[run].New[i] })
	case n.name == inReview:
		return c.isQuoted(run, i) || strings.HasPrefix(c.Runs[run].New[i], "    ") // a line of code in Markdown
	}
	return slices.Contains(ofEdits, n.name) && c.Meter.Pay(len(c.Runs[run].New)) && c.Runs[run].quotes(i)
}

// quotes reports whether new line i is in a string of several lines that the run itself begins and ends.
func (r Run) quotes(i int) bool {
	above, below := text.Joined(r.New[:i]), text.Joined(r.New[i+1:])
	return slices.ContainsFunc([]string{`"""`, "'''", "`"}, func(quote string) bool {
		return strings.Count(above, quote)%2 == 1 && strings.Contains(below, quote)
	})
}

// notationsIn returns the notations that may occur in `s` and that the file should not have. A document, and new test
// data, may show changes.
func (c *Change) notationsIn(s string) []notation {
	has := artifact.CharactersOf(s)
	about := c.isAboutChanges() || c.New && fixtures.MatchString(c.Path)
	return text.Only(notations, func(n notation) bool {
		if n.name == inReview && (c.New || !c.isDocument()) || n.name != inReview && about {
			return false
		}
		return slices.ContainsFunc(n.signs, func(sign string) bool { return has.HasAll(sign) && strings.Contains(s, sign) })
	})
}

// isAboutChanges reports whether the file may contain diffs, or show them to people.
func (c *Change) isAboutChanges() bool {
	return c.isDocument() || slices.Contains([]string{".diff", ".patch", ".rej", ".orig"}, c.ext())
}

// fixtures matches the path of a file with test data, which may contain any text.
var fixtures = lazyregexp.New(`(?:^|/)(?:_*fixtures?_*|test[-_]?data|test[-_]?cases|golden|expected|snapshots)/`)

// foreignMarks finds marks of another notation, such as a diff, in new lines. It ignores a mark that the file already
// has.
var foreignMarks = Rule{
	ID: "foreign-marks",
	doubts: func(c *Change) *Doubt {
		had := map[*lazyregexp.Regexp]bool{} // the marks that the file has
		for run, r := range c.Runs {
			old := sync.OnceValue(func() map[string]bool { return text.Set(r.Old) })
			now := c.Content
			if !c.Whole || len(r.New) < len(c.new) {
				now = text.Joined(r.New)
			}
			may := c.notationsIn(now)
			for i, line := range r.New {
				if c.isOwnName(r, i) {
					return warn(c.at(r), diag.ForeignMarks, "%s only repeats the name of the file, as replies do above the text of a file: %q; leave this line out", c.lineOf(r, i), strings.TrimSpace(line)).with(c.leavingOut(r, i))
				}
				if signed := strings.TrimLeft(line, " \t"); len(signed) > 2 && strings.HasPrefix(signed, "- ") && old()[signed[1:]] {
					return warn(c.at(r), diag.ForeignMarks, "%s is a line of the file with a diff marker before it: %q; write the line without the marker", c.lineOf(r, i), strings.TrimSpace(line))
				}
				n := slices.IndexFunc(may, func(n notation) bool { return n.isOn(line) && !c.mayHave(n, run, i) })
				// Skip invalid UTF-8, because its bytes would match the mark U+FFFD. [otherEncoding] finds it.
				if n < 0 || had[may[n].mark] || c.meansBroken(r, line) || !utf8.ValidString(line) {
					continue
				}
				if slices.ContainsFunc(c.oldLines(), may[n].isOn) {
					had[may[n].mark] = true
					continue
				}
				return warn(c.at(r), diag.ForeignMarks, "%s is a mark of %s, but %s has no such marks: %q; write only the lines of the file", c.lineOf(r, i), may[n].name, c.Path, strings.TrimSpace(line))
			}
		}
		return nil
	},
}

// lone matches a string that consists only of U+FFFD.
var lone = lazyregexp.New("\"\ufffd\"|'\ufffd'|`\ufffd`")

// meansBroken reports whether the line contains U+FFFD (the replacement character) on purpose: each U+FFFD is a whole
// string, and other characters beyond ASCII in the run are intact.
func (c *Change) meansBroken(r Run, line string) bool {
	rest := lone.ReplaceAllString(line, `""`)
	return rest != line && !slices.ContainsFunc(notations, func(n notation) bool { return n.isOn(rest) }) &&
		strings.ContainsFunc(text.Joined(r.New), func(r rune) bool { return r > unicode.MaxASCII && r != utf8.RuneError })
}

// isOwnName reports whether new line i is the first or last of the run and is only the path of the file, perhaps
// between punctuation such as `---`.
func (c *Change) isOwnName(r Run, i int) bool {
	if i > 0 && i < len(r.New)-1 {
		return false
	}
	line := strings.TrimSpace(r.New[i])
	name := strings.TrimPrefix(strings.Trim(line, "-=*<>`: \t"), "File: ")
	return name != "" && (name == c.Path || name == path.Base(c.Path) && name != line) && strings.Contains(name, ".") && !c.has(r.New[i]) && !c.isAboutChanges()
}
