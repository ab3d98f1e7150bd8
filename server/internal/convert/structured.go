package convert

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A patchEntry is an entry whose members are all in one object (rule S1).
type patchEntry struct {
	Path    string `json:"path"`
	Find    string `json:"find"`
	Replace string `json:"replace"`
	Limit   string `json:"limit"`
}

// structured returns a writer of replacements of whole lines, with `around` unchanged lines above and below each
// change.
func structured(around int) writer {
	return func(files []plan.File, m *meter.Meter) (string, error) {
		var entries []patchEntry
		for _, f := range files {
			before, after, err := edited(Structured, f)
			if err != nil {
				return "", err
			}
			made, why := replacements(before, after, around, m)
			if why != "" {
				return "", &CannotError{Structured, f.Path, why}
			}
			for _, e := range made {
				e.Path, e.Limit = f.Path, "once"
				entries = append(entries, e)
			}
		}
		return pretty(struct {
			Root    string       `json:"root"`
			Patches []patchEntry `json:"patches"`
		}{".", entries}), nil
	}
}

// edited returns the texts of a file before and after an edit, or an error for any other operation.
func edited(to Format, f plan.File) (before, after string, err error) {
	why := regular(f)
	switch {
	case why != "":
	case f.Operation != plan.Modify:
		why = fmt.Sprintf("the format cannot %s files", f.Operation)
	default:
		before, after, why = texts(f)
	}
	if why != "" {
		return "", "", &CannotError{to, f.Path, why}
	}
	return before, after, nil
}

// replacements returns the replacements that turn one text into another, in order, or the reason why there are none.
// They may give another text, because of line endings, or because a find is also elsewhere in the file; [verify]
// finds that out.
func replacements(before, after string, around int, m *meter.Meter) (entries []patchEntry, why string) {
	if before == "" {
		return nil, "it is empty, so there is nothing to find"
	}
	s := newScript(before, after, m)
	for _, h := range s.with(around, func(string) bool { return true }) {
		e := withoutEnding(patchEntry{
			Find:    strings.Join(s.old.lines[h.OldStart:h.OldEnd], ""),
			Replace: strings.Join(s.new.lines[h.NewStart:h.NewEnd], ""),
		})
		if e.Find == "" {
			return nil, fmt.Sprintf("no find/replace pair can make the change of line %d exactly", h.NewStart+1)
		}
		entries = append(entries, e)
	}
	return entries, ""
}

// withoutEnding removes the line ending at the end of both texts, unless a text is only a line ending.
func withoutEnding(e patchEntry) patchEntry {
	for _, eol := range []text.EOL{text.CRLF, text.LF, text.CR} {
		find, ok1 := strings.CutSuffix(e.Find, string(eol))
		replace, ok2 := strings.CutSuffix(e.Replace, string(eol))
		if ok1 && ok2 && find != "" && replace != "" {
			return patchEntry{Find: find, Replace: replace}
		}
	}
	return e
}
