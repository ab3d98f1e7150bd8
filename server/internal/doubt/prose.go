package doubt

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/elision"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// prose finds a sentence of the chat as the first or last new line of a program that has no sentences. It also finds
// a line that looks unlike every line of the program.
var prose = Rule{
	ID: "prose", program: true,
	doubts: func(c *Change) *Doubt {
		for run, r := range c.Runs {
			if i := slices.IndexFunc(r.New, c.isStrange); i >= 0 && !c.isQuoted(run, i) {
				return c.speaks(r, i, "has words without any sign of code")
			}
			if i := lastWithWords(r.New); i >= 0 && text.IsSentence(r.New[i], c.fewest(r.New[i])) && !c.hasProse() && !c.isQuoted(run, i) {
				return c.speaks(r, i, "ends with a sentence that seems to be part of the chat")
			}
			if len(r.New) > 0 && text.IsSentence(r.New[0], c.fewest(r.New[0])) && !c.hasProse() && !c.isQuoted(run, 0) {
				return c.speaks(r, 0, "begins with a sentence that seems to be part of the chat")
			}
		}
		return nil
	},
}

// isStrange reports whether an unindented new line looks unlike every line of the program: it has words without the
// punctuation of code, and no line of the file begins with its first word.
func (c *Change) isStrange(line string) bool {
	if !isWordy(line) || c.has(line) || beginsCode[firstWord(line)] || loopLabel.MatchString(line) {
		return false
	}
	if c.begins == nil {
		c.begins = map[string]int{}
		code := 0
		for _, line := range c.oldLines() {
			c.begins[strings.ToLower(firstWord(line))]++
			if text.IsCode(line) && line[0] != '<' {
				code++
			}
		}
		c.regular = code >= text.Habit && !slices.ContainsFunc(c.oldLines(), func(line string) bool {
			return isWordy(line) && c.begins[strings.ToLower(firstWord(line))] == 1 && !beginsCode[firstWord(line)]
		})
	}
	return c.regular && c.begins[strings.ToLower(firstWord(line))] == 0 && !slices.Contains(outlines, c.ext())
}

// loopLabel matches a label that a loop or a jump uses, such as `ReadLoop:`.
var loopLabel = lazyregexp.New(`^(?:[A-Za-z]+_\w+|[A-Za-z][a-z0-9]*[A-Z]\w*):$`)

// far is the largest number of lines above a new line that are examined.
const far = 50

// isQuoted reports whether new line i of the run may be in a comment or a string that begins above the line.
func (c *Change) isQuoted(run, i int) bool {
	above := text.Joined(slices.Concat(c.above(run, far), c.Runs[run].New[:i]))
	return strings.LastIndex(above, "/*") > strings.LastIndex(above, "*/") || strings.Contains(above, "<<") ||
		slices.Contains(longStrings, c.ext()) && text.Count(linesOf(above), opensString)%2 == 1 ||
		slices.ContainsFunc([]string{`"""`, "'''", "`", `@"`}, func(quote string) bool { return strings.Count(above, quote)%2 == 1 })
}

// longStrings lists the extensions of languages in which a string in double quotes may have several lines.
var longStrings = []string{".rs", ".rb", ".php", ".sh", ".bash", ".zsh", ".pl", ".el", ".clj", ".sql"}

// beginsCode has words that may begin a line of code even if no punctuation of code follows.
var beginsCode = text.WordSet("import from use using include require package module namespace export extern private public protected pass else " +
	"try do begin end return raise throw break continue global local let var val const arguments type if elif unless for while until switch case default " +
	"abstract final sealed data inner internal override actual expect with except finally match when def fn func function class struct enum interface trait impl set source open final static async await print echo cd rm cp mv mkdir then fi done esac " +
	"BEGIN END COMMIT SELECT INSERT UPDATE DELETE REPLACE MERGE TRUNCATE CALL DECLARE GRANT REVOKE ELSE THEN IF LOOP RETURNING EXCEPT INTERSECT USING CREATE ALTER DROP VALUES FROM WHERE JOIN LEFT INNER GROUP ORDER HAVING UNION LIMIT AND OR SET WITH AS ON")

// isWordy reports whether an unindented line has words and no punctuation of code.
func isWordy(line string) bool {
	return text.NonBlanks(line, 3) == 3 &&
		text.Indentation(line) == "" &&
		strings.IndexByte(".@-+)]}<", line[0]) < 0 &&
		text.HasWord(line) &&
		!strings.HasSuffix(line, ",") &&
		!strings.HasSuffix(line, "++") &&
		!strings.ContainsAny(line, "{}=;\"'`#\\&*_") && !strings.Contains(line, "::") && !strings.Contains(line, "->") && !calls.MatchString(line) && elision.SortOf(line) == elision.Text
}

// calls matches the beginning of a call, or of an index, such as `f(` or `a[`.
var calls = lazyregexp.New(`\w[(\[]`)

func firstWord(line string) string {
	line = strings.TrimSpace(line)
	if i := strings.IndexFunc(line, func(r rune) bool { return !text.InName(r) }); i >= 0 {
		return line[:max(i, min(len(line), 1))]
	}
	return line
}

// outlines lists the extensions of files in which unindented words are code.
var outlines = []string{".styl", ".sass", ".haml", ".pug", ".slim", ".yaml", ".yml", ".csv", ".feature"}

func (c *Change) speaks(r Run, i int, does string) *Doubt {
	return warn(c.at(r), diag.ForeignMarks, "the new text %s: %q; %s has no such line, so leave it out if it is not meant for the file", does, strings.TrimSpace(r.New[i]), c.Path).with(c.leavingOut(r, i))
}

func lastWithWords(lines []string) int {
	for i := len(lines) - 1; i >= 0; i-- {
		if strings.TrimSpace(lines[i]) != "" {
			return i
		}
	}
	return -1
}

// hasProse reports whether the old file has a sentence. A new file must have at least as many sentences as lines of
// code.
func (c *Change) hasProse() bool {
	if slices.ContainsFunc(c.oldLines(), isProse) {
		return true
	}
	code, sentences := 0, 0
	for _, r := range c.Runs {
		for _, line := range r.New {
			switch {
			case isProse(line):
				sentences++
			case text.IsCode(line):
				code++
			}
		}
	}
	return c.New && code <= sentences
}

// fewest returns the smallest number of words that make a line a sentence. Before a colon or an exclamation mark, two
// words are enough.
func (c *Change) fewest(line string) int {
	if strings.HasSuffix(line, ".") || slices.Contains(outlines, c.ext()) {
		return text.FewestWords
	}
	return 2
}

func isProse(line string) bool { return text.HasWords(line, text.FewestWords) }
