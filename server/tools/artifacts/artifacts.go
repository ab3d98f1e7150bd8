// Package artifacts describes each artifact for people and for tests. docs/matching.md is generated
// from it, and tests damage texts with it. The program itself needs only the functions that
// recognize artifacts and undo them.
package artifacts

import (
	"fmt"
	"regexp"
	"strings"
)

// An About describes an artifact for people.
type About struct {
	Origin string // the cause of the artifact, as a sentence; "" if it is unknown

	// Sentences for docs/matching.md.
	Forgives    string // the differences that the rule accepts
	Certain     string // whether a fix is made without a question, and why; "" if Sure says this
	Replacement string // how the replacement text is treated

	// Silent gives the reason why a whole text, a piece or a new file is applied without a
	// question even after it went through the artifact.
	Silent map[string]string
	// Own gives the reason why Aptix may ask about an edit even if the file itself has the artifact.
	Own string

	// Do is the list of the ways in which a text gets the artifact. Undo reverses each of them.
	Do []func(s string) string
}

// The kinds of text for which [About.Silent] may have a reason.
const (
	WholeText = "whole text"
	Piece     = "piece"
	NewFile   = "new file"
)

// perLine returns a function that calls do for each line of a text. It leaves out an empty last
// line.
func perLine(do func(i int, line string) string) func(string) string {
	return func(s string) string {
		all := strings.Split(s, "\n")
		for i, line := range all {
			if i < len(all)-1 || line != "" {
				all[i] = do(i, line)
			}
		}
		return strings.Join(all, "\n")
	}
}

func indenting(unit string) func(string) string {
	return perLine(func(_ int, line string) string {
		if strings.TrimSpace(line) == "" {
			return line
		}
		return unit + line
	})
}

func numbering(format string) func(string) string {
	return perLine(func(i int, line string) string { return fmt.Sprintf(format, i+7, line) })
}

var (
	dunder      = regexp.MustCompile(`__(\w+?)__`)
	keywords    = regexp.MustCompile(`\b(return|import|class|def|if)\b`)
	dotted      = regexp.MustCompile(`\b([A-Za-z_]\w*\.[A-Za-z_]\w*)\b`)
	firstOfWord = regexp.MustCompile(`[\pL\pN_]`)
	decimal     = regexp.MustCompile(`(\d)\.(\d)`)
	thousands   = regexp.MustCompile(`\b(\d{1,3})(\d{3})\b`)
	member      = regexp.MustCompile(`\.[a-z]\w*\.[a-z]\w*\(`)
	argument    = regexp.MustCompile(`(,) ([\w'"])`)
	special     = regexp.MustCompile("[_*\\[\\]#<>~|`+!-]")

	escapeHTML = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace
)

// capitalized returns a line in which the first letter of the first word is a capital.
func capitalized(_ int, line string) string {
	word := firstOfWord.FindStringIndex(line)
	if word == nil {
		return line
	}
	return line[:word[0]] + strings.ToUpper(line[word[0]:word[1]]) + line[word[1]:]
}

func escapeMarkdown(s string) string { return special.ReplaceAllString(s, `\$0`) }
