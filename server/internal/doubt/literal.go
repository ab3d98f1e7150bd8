package doubt

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// literal finds a literal of another language in code, such as `null` in Python or `True` in JavaScript. A model that
// writes code inside JSON may confuse the two. The rule does not apply if the file has the word, because the word may
// be a name.
var literal = Rule{
	ID: "literal", existing: true, program: true,
	doubts: func(c *Change) *Doubt {
		foreign := foreignLiterals[c.ext()]
		if foreign == nil {
			return nil
		}
		for run, r := range c.Runs {
			for i, line := range r.New {
				m := foreign.FindStringSubmatch(bare(line))
				if m == nil || c.isQuoted(run, i) || slices.ContainsFunc(c.oldLines(), func(line string) bool { at, _ := nameIn(line, m[1]); return at >= 0 }) {
					continue
				}
				return warn(c.at(r), diag.TextArtifact, "%s, %q, has `%s`, which is a value in another language, and %s has no such name; write the value of this language", c.lineOf(r, i), text.Cut(strings.TrimSpace(line), 60), m[1], c.Path)
			}
		}
		return nil
	},
}

// foreignLiterals maps the extension of a language to an expression for the literals of other languages that this
// language lacks. The expression matches a literal only where it would be a value.
var foreignLiterals = func() map[string]*lazyregexp.Regexp {
	python := lazyregexp.New(`(?:[=(\[,:]\s*|\breturn\s+|\bis\s+|\bnot\s+)(true|false|null|nil|undefined)\b\s*(?:[)\],:]|$)`)
	capital := lazyregexp.New(`(?:[=(\[,:]\s*|\breturn\s+)(True|False|None)\b\s*(?:[)\],;]|$)`)
	all := map[string]*lazyregexp.Regexp{".py": python}
	for _, ext := range []string{".js", ".mjs", ".jsx", ".ts", ".tsx", ".go", ".java", ".cs", ".kt", ".swift", ".rb", ".php", ".dart"} {
		all[ext] = capital
	}
	return all
}()

// bare returns a line of code without its strings and without the comment at its end.
func bare(line string) string {
	code, _ := withoutStrings(line)
	return code
}

// withoutStrings returns a line of code without its strings and without the comment at its end, and the strings.
func withoutStrings(line string) (code, quoted string) {
	if isRemark(line) {
		return "", ""
	}
	line, _ = noteAt(line)
	var b, q strings.Builder
	for i := 0; i < len(line); i++ {
		b.WriteByte(line[i])
		if strings.IndexByte("'\"`", line[i]) >= 0 {
			n := text.ClosingQuote(line[i:])
			q.WriteString(line[i : i+n])
			i += n
		}
	}
	return b.String(), q.String()
}
