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

// structured returns a writer of replacements of whole lines. Each find is unique in the file after all earlier
// entries, and has `extra` more lines than needed on both sides.
func structured(extra int) writer {
	return func(files []plan.File, m *meter.Meter) (string, error) {
		var entries []patchEntry
		for _, f := range files {
			before, after, err := edited(Structured, f)
			if err != nil {
				return "", err
			}
			made, why := replacements(before, after, extra, m)
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

// edited returns the texts of a file before and after an edit, or an error for other operations, which the format
// lacks.
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
// They may still give another text, because of line endings, or because a find is also a part of another line; [verify]
// finds that out.
func replacements(before, after string, extra int, m *meter.Meter) (entries []patchEntry, why string) {
	if before == "" {
		return nil, "it is empty, so there is nothing to find"
	}
	s := newScript(before, after, m)
	all := newLineIDs(s.new.bodies, s.old.bodies)
	for _, h := range s.hunks {
		ids := hunkIDs{all, h.NewStart, h.OldStart}
		from, to := h.NewStart, h.NewStart+h.OldEnd-h.OldStart
		up, down := from, ids.len()-to
		above, below, ok := unique(m, ids, from, to, up, down)
		e := withoutEnding(s.entry(h, min(above+extra, up), min(below+extra, down)))
		if !ok || e.Find == "" {
			return nil, fmt.Sprintf("no find/replace pair can make the change of line %d exactly", h.NewStart+1)
		}
		entries = append(entries, e)
	}
	return entries, ""
}

// entry returns the entry that replaces the lines of a hunk, with the given numbers of unchanged lines above and below.
func (s script) entry(h hunk, above, below int) patchEntry {
	head := strings.Join(s.new.lines[h.NewStart-above:h.NewStart], "")
	tail := strings.Join(s.old.lines[h.OldEnd:h.OldEnd+below], "")
	return patchEntry{
		Find:    head + strings.Join(s.old.lines[h.OldStart:h.OldEnd], "") + tail,
		Replace: head + strings.Join(s.new.lines[h.NewStart:h.NewEnd], "") + tail,
	}
}

// withoutEnding removes the line ending at the end of both texts of an entry, unless one of the texts is only a line
// ending.
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
