package convert

import (
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/paths"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

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
