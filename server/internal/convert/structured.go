package convert

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/paths"
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

// A lineFile is the patch of a file (rule L1).
type lineFile struct {
	DocPath        string       `json:"docPath"`
	OriginalSHA256 string       `json:"originalSha256"`
	Changes        []lineChange `json:"changes"`
}

// A lineChange is an element of `changes` (rule L8). Lines count from 1.
type lineChange struct {
	Operation             string   `json:"operation"`
	AfterLine             *int     `json:"afterLine,omitempty"`
	StartLine             int      `json:"startLine,omitempty"`
	EndLine               int      `json:"endLine,omitempty"`
	ExpectedOriginalLines []string `json:"expectedOriginalLines,omitempty"`
	NewLines              []string `json:"newLines,omitempty"`
}

// linePatch returns a writer of edits of whole lines. The hash of each file's text prevents edits of another text.
func linePatch(folder string) writer {
	return func(files []plan.File, m *meter.Meter) (string, error) {
		var out []lineFile
		for _, f := range files {
			before, after, err := edited(Lines, f)
			if err != nil {
				return "", err
			}
			out = append(out, lineFile{
				DocPath: paths.DocPath(folder, f.Path),
				// The hash is of UTF-8 without a byte order mark, with the line endings of the file.
				OriginalSHA256: text.SumHex(before),
				Changes:        lineChanges(newScript(before, after, m)),
			})
		}
		return pretty(struct {
			Files []lineFile `json:"files"`
		}{out}), nil
	}
}

func lineChanges(s script) []lineChange {
	var out []lineChange
	for _, h := range s.hunks {
		c := lineChange{Operation: "replace", NewLines: s.new.bodies[h.NewStart:h.NewEnd]}
		if h.OldStart == h.OldEnd {
			c.Operation, c.AfterLine = "insert", &h.OldStart
			out = append(out, c)
			continue
		}
		if h.NewStart == h.NewEnd {
			c.Operation = "delete"
		}
		c.StartLine, c.EndLine, c.ExpectedOriginalLines = h.OldStart+1, h.OldEnd, s.old.bodies[h.OldStart:h.OldEnd]
		out = append(out, c)
	}
	return out
}
