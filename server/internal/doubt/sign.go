package doubt

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/diag"
)

// foreignSign finds a sign beyond ASCII in the code of a line, outside of strings and comments,
// such as `≤` for `<=` or a mark before a line that changed. The file must not have the sign.
var foreignSign = Rule{
	ID: "foreign-sign",
	Doubts: func(c *Change) *Doubt {
		if c.New || c.isDocument() {
			return nil
		}
		for _, r := range c.Runs {
			for _, line := range r.New {
				if sign := signIn(line); sign != 0 && !strings.ContainsRune(c.Before(), sign) {
					return &Doubt{At: c.at(r), Verdict: diag.Warning, Code: diag.TextArtifact,
						Message: fmt.Sprintf("the new text has the sign %q in %q, but %s does not have that sign; write the signs of the language", sign, cut(strings.TrimSpace(line), 60), c.Path)}
				}
			}
		}
		return nil
	},
}

// signIn returns the first character of a line that is beyond ASCII, no letter, and outside of
// strings and comments. It returns 0 if there is none.
func signIn(line string) rune {
	if !strings.ContainsFunc(line, func(r rune) bool { return r >= utf8.RuneSelf }) || isRemark(line) {
		return 0
	}
	var quote, last rune
	for _, r := range line {
		switch {
		case quote != 0:
			if r == quote && last != '\\' {
				quote = 0
			}
		case strings.ContainsRune("\"'`", r):
			quote = r
		case r == '#', last == '/' && (r == '/' || r == '*'):
			return 0
		case r >= utf8.RuneSelf && !unicode.IsLetter(r) && !unicode.IsMark(r) && r != utf8.RuneError:
			return r
		}
		last = r
	}
	return 0
}
