package artifact

import (
	"slices"
	"strings"
	"unicode"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// OfKept returns the artifact that turned the lines `was` of a file into the lines `is` of an edit that keeps them.
// It returns nil if there is none, or if the lines `added` may have the artifact, too. `file` returns the text of the
// file.
func OfKept(was, is, added []string, file func() string) *Artifact {
	now, original := strings.Join(is, "\n"), strings.Join(was, "\n")
	has, had := CharactersOf(now), CharactersOf(original)
	for _, a := range append(Table(), &Requoted, &Respelled) {
		if a.Ends || !a.MayBeIn(has) || !had.hasOneOf(a.Lost) {
			continue
		}
		if restored, ok := a.restore(now, was); ok && restored == original && a.spares(was, is, added, file) {
			return a
		}
	}
	return nil
}

// Requoted describes lines with the other kind of quotes. Only lines that an edit keeps can show it, because new lines
// may have either kind.
var Requoted = Artifact{
	Lost:    `"'`,
	Name:    "other quotes",
	Differs: "only the kind of quotes differs",
	Fix:     "Use the quotes of the file",
	Restore: restoring(strings.NewReplacer(`"`, `'`).Replace, always),
}

// Respelled describes comments in which one word is spelled differently. Only lines that an edit keeps can show it.
var Respelled = Artifact{
	Name:    "another spelling in a comment",
	Differs: "only the spelling of a word in a comment differs",
	Fix:     "Use the comment of the file",
	Restore: func(s string, old []string) (string, bool) {
		all, eol := lines(s)
		if len(all) != len(old) {
			return s, false
		}
		for i, line := range all {
			if !isRespelled(old[i], line) {
				return s, false
			}
		}
		return strings.Join(old, eol), true
	},
}

// remark matches the beginning of a comment.
var remark = lazyregexp.New(`^\s*(?:#|//+|--|/?\*+|;+|%+)\s`)

// isRespelled reports whether two comments differ only in the spelling of one word.
func isRespelled(was, is string) bool {
	a, b := strings.Fields(was), strings.Fields(is)
	if len(a) != len(b) || !remark.MatchString(was) || text.Indentation(was) != text.Indentation(is) {
		return false
	}
	differ := 0
	for i, word := range a {
		if other := b[i]; word != other {
			longest := max(len(word), len(other))
			if longest < fewestLeft || longest-text.SharedEnds(word, other) > 2 || !isLetters(strings.Trim(word, ".,:;")) || !isLetters(strings.Trim(other, ".,:;")) || strings.ContainsAny(word+other, "0123456789") {
				return false
			}
			differ++
		}
	}
	return differ == 1
}

// spares reports whether the added lines certainly do not have the artifact.
func (a *Artifact) spares(was, is, added []string, file func() string) bool {
	if a == &Respelled {
		return true // The spelling of a comment affects no other line.
	}
	if a.Undo != nil {
		_, shows := a.Undo(strings.Join(added, "\n"))
		return !shows && !slices.ContainsFunc(added, func(line string) bool { _, shows := a.Undo(line); return shows })
	}
	come, gone, leaves := "", "", true // leaves: each new line has a character that its old line lacks
	for i := range is {
		c, g := exchanged(was[i], is[i])
		come, gone, leaves = come+c, gone+g, leaves && c != ""
	}
	all := strings.Join(added, "\n")
	if leaves {
		return !strings.ContainsAny(all, come)
	}
	return gone != "" && !strings.ContainsFunc(gone, isNoSign) && (strings.ContainsAny(all, gone) || !strings.ContainsAny(all, quotes) && onlyQuoted(file(), gone))
}

func isNoSign(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsSpace(r) }

const quotes = "\"'`"

// exchanged returns the characters that only the new line has, and the characters that only the old line has.
func exchanged(was, is string) (come, gone string) {
	only := func(s, other string) string {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune(other, r) {
				return -1
			}
			return r
		}, s)
	}
	return only(is, was), only(was, is)
}

// onlyQuoted reports whether all of `signs` in the text are between quotes. If so, a line without quotes cannot have
// lost one of them.
func onlyQuoted(s, signs string) bool {
	for line := range strings.Lines(s) {
		for strings.ContainsAny(line, signs) {
			start := strings.IndexAny(line, quotes)
			if start < 0 || strings.ContainsAny(line[:start], signs) {
				return false
			}
			end := text.ClosingQuote(line[start:])
			line = line[start+end+1:]
		}
	}
	return true
}
