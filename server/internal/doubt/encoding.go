package doubt

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// otherEncoding finds new text that is not in the encoding of its file: the reply was saved in Latin-1, or a patch in
// UTF-8 changes a file in Latin-1. It also finds a NUL. Afterwards, no program could read the file as text.
var otherEncoding = Rule{
	ID: "other-encoding",
	doubts: func(c *Change) *Doubt {
		for _, r := range c.Runs {
			for _, line := range r.New {
				switch {
				case text.IsASCII(line) && !strings.Contains(line, "\x00"):
				case !isText(line):
					if c.isBinary() || slices.ContainsFunc(r.Old, func(line string) bool { return !isText(line) }) {
						continue
					}
					d := warn(c.at(r), diag.TextArtifact, "%q is not UTF-8, or has a NUL, so no program could read %s as text; save the reply in UTF-8", text.Cut(line, 60), c.Path)
					if !c.Raw && !utf8.ValidString(line) {
						d.Code, d.Verdict = diag.FileBinary, diag.Error
					}
					return d
				case c.isBinary():
					return warn(c.at(r), diag.TextArtifact, "%q is in UTF-8, but %s has another encoding; convert the file to UTF-8, or edit it in an editor", text.Cut(line, 60), c.Path)
				}
			}
		}
		return nil
	},
}

func isText(line string) bool { return utf8.ValidString(line) && !strings.Contains(line, "\x00") }

// isBinary reports whether the file is neither UTF-8 nor UTF-16, so that Before returns "". Only a notation that
// treats files as bytes can change a binary file.
func (c *Change) isBinary() bool { return c.Raw && !c.New && c.Before() == "" }
