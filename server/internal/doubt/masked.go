package doubt

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// mask matches a text in place of a value: stars, a word in brackets, or words that tell a reader to write a value.
var mask = lazyregexp.New(`\*{3,}|•{3,}|●{3,}|█{2,}|\b(?:x{6,}|X{6,})\b|["'` + "`" + `]\[[A-Za-z][A-Za-z \x{a0}_-]{3,}\]|["'](?:\.\.\.|…|<(?:removed|redacted|hidden|masked|omitted|secret)>)["']|["'=:]\s?<[A-Za-z]\w*(?:[ _-]\w+)+>|["'=: ](?i:your|my)[-_ ]\w+[-_ ](?:here|Here|HERE)\b|["'=: ]YOUR_[A-Z_]+\b|\[(?i:redacted|removed|masked|omitted|filtered)(?:: [^\[\]]*)?\]|\[(?:[A-Z]+[_ -])?PASSWORD\]|["'=: ](?:[Rr]edacted|REDACTED|(?i:insert)[-_ ]\w+[-_ ](?:here|Here|HERE))\b`)

// maskOfProgram matches a text that only a program writes in place of a value: one that hides addresses, or names. It
// counts in documents, too.
var maskOfProgram = lazyregexp.New(`\[email[\s\x{a0}]?protected\]|\B<(?:PERSON|LOCATION|ORGANIZATION|EMAIL_ADDRESS|PHONE_NUMBER|DATE_TIME|IP_ADDRESS|CREDIT_CARD)(?:_\d+)?>`)

// maskSigns is for a quick test: each match of mask or maskOfProgram contains at least one of these texts. Searching for
// them first takes a fiftieth of the time.
var maskSigns = []string{"***", "•", "●", "█", "xxx", "XXX", "\"[", "'[", "`[", "...", "…", "<", "here", "HERE", "Here", "YOUR_", "ed]", "ED]", "ed: ", "ED: ", "WORD]", "edacted", "EDACTED", "protected]"}

func mayMask(line string) bool {
	return slices.ContainsFunc(maskSigns, func(sign string) bool { return strings.Contains(line, sign) })
}

// shortened matches the beginning of a text with an ellipsis after it, and digest matches a long text, such as a hash,
// with the character after it.
var shortened, digest = lazyregexp.New(`[\w+/-]{4,}(?:\.\.\.|…)`), lazyregexp.New(`^[\w+/=-]{20,}(?:[^\w+/=.…-]|$)`)

// masked finds three things: a value of the file that was replaced by stars, a placeholder or a shortened hash; a
// number without its last digits; and a new file whose path has a placeholder.
var masked = Rule{
	ID: "masked",
	doubts: func(c *Change) *Doubt {
		if yours.MatchString(c.Path) && c.New && !c.isDocument() {
			return warn(c.At, diag.Omission, "the path %s seems to be a placeholder; write the real path", c.Path)
		}
		for _, r := range c.Runs {
			for i, line := range r.New {
				if strings.Contains(line, "E+") && !c.isDocument() && rounded.MatchString(line) && !c.had("E+") {
					return warn(c.at(r), diag.Omission, "%s has a number without its last digits, as a spreadsheet shows it: %q; write all digits", c.lineOf(r, i), text.Cut(strings.TrimSpace(line), 60))
				}
				if len(r.Old) > 0 && c.cutsHash(r.opposite(i), line) {
					return warn(c.at(r), diag.Omission, "%s has a hash without its last digits, unlike the other ones of %s: %q; write all digits", c.lineOf(r, i), c.Path, text.Cut(strings.TrimSpace(line), 60))
				}
				if len(r.Old) == 0 || !mayMask(line) {
					continue
				}
				at, own, short := maskOfProgram.FindStringIndex(line), true, false
				if at == nil {
					at, own = mask.FindStringIndex(line), false
				}
				if at == nil {
					at, short = shortened.FindStringIndex(line), true
				}
				if at == nil || c.isDocument() && !own {
					continue // A document may leave other values to its reader.
				}
				was := slices.IndexFunc(r.Old, func(was string) bool {
					return hides(was, line, at) && (!short || strings.ContainsAny(digest.FindString(was[at[0]:]), "0123456789"))
				})
				if was < 0 || c.had(line[at[0]:at[1]]) || !own && c.mayHaveTags() && strings.Contains(line[at[0]:at[1]], "<") {
					continue
				}
				return warn(c.at(r), diag.Omission,
					"%s has %q in place of the file's value: %q; write the value", c.lineOf(r, i), strings.Trim(line[at[0]:at[1]], "\"'`=: "), text.Cut(strings.TrimSpace(line), 60)).with(c.writing(fmt.Sprintf("Keep line %d", r.Line+was), r, i, 1, r.Old[was:was+1]))
			}
		}
		return nil
	},
}

// cutsHash reports whether a new line has a short hash, an old line a long one in its place, and the file another long one.
func (c *Change) cutsHash(old []string, line string) bool {
	at := shortHash.FindStringIndex(line)
	return at != nil && strings.ContainsAny(line[at[0]:at[1]], "0123456789") &&
		slices.ContainsFunc(old, func(was string) bool {
			return hides(was, line, at) && longHash.MatchString(firstWord(was[at[0]:]))
		}) &&
		text.Count(c.oldLines(), func(line string) bool { return longHash.MatchString(line) }) > 1
}

var shortHash, longHash = lazyregexp.New(`\b[0-9a-f]{7,12}\b`), lazyregexp.New(`\b[0-9a-f]{40,}\b`)

// rounded matches a string with a long number as a spreadsheet shows it.
var rounded = lazyregexp.New(`["']\d[.,]\d+E\+\d{2}["']`)

// yours matches a path with a placeholder for a name, such as `path/to/` or `your_module.py`.
var yours = lazyregexp.New(`(?i)(?:^|/)(?:path/to/|your[-_])`)

// hides reports whether the span `at` of a new line replaces a word of the old line `was`, or a variable such as
// `${PASSWORD}`. If that word follows the span in the new line, the span was only inserted, and hides nothing.
func hides(was, line string, at []int) bool {
	head := line[:at[0]]
	if first := line[at[0]]; strings.IndexByte("\"'=: `", first) >= 0 {
		head = line[:at[0]+1]
	}
	rest, ok := strings.CutPrefix(was, head)
	rest = strings.TrimLeft(rest, "\"'< ${%")
	word := firstWord(rest)
	return ok && !text.IsBlank(head) && word != "" && isWordStart(rest) && !strings.Contains(line[at[1]:], word)
}

func isWordStart(s string) bool { return s != "" && place.CutsWord("a"+s, 1) }
