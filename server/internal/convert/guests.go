package convert

import (
	"cmp"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/findreplace"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// searchReplace returns a writer of SEARCH/REPLACE blocks, each below the path of its file. See [structured] for
// `around`.
func searchReplace(around int) writer {
	return func(files []plan.File, m *meter.Meter) (string, error) {
		var blocks []string
		for _, f := range ordered(files) {
			entries, err := wholeLines(SearchReplace, f, around, m)
			if err != nil {
				return "", err
			}
			for _, e := range entries {
				blocks = append(blocks, f.Path+"\n<<<<<<< SEARCH\n"+ended(e.Find)+"=======\n"+ended(e.Replace)+">>>>>>> REPLACE\n")
			}
		}
		return strings.Join(blocks, "\n"), nil
	}
}

// wholeLines returns the edits of a file. An edit with an empty find creates a file, or fills an empty file.
func wholeLines(to Format, f plan.File, around int, m *meter.Meter) ([]patchEntry, error) {
	if f.Operation == plan.Create {
		content, why := wholeText(f)
		if why = cmp.Or(regular(f), why); why != "" {
			return nil, &CannotError{to, f.Path, why}
		}
		return []patchEntry{{Replace: content}}, nil
	}
	before, after, err := edited(to, f)
	if err != nil {
		return nil, err
	}
	if before == "" {
		return []patchEntry{{Replace: after}}, nil
	}
	entries, why := replacements(before, after, around, m)
	if why != "" {
		return nil, &CannotError{to, f.Path, why}
	}
	return entries, nil
}

func applyPatch(around int) writer {
	return func(files []plan.File, m *meter.Meter) (string, error) {
		var b strings.Builder
		b.WriteString("*** Begin Patch\n")
		for _, f := range ordered(files) {
			if err := writeSection(&b, f, around, m); err != nil {
				return "", err
			}
		}
		b.WriteString("*** End Patch\n")
		return b.String(), nil
	}
}

func writeSection(b *strings.Builder, f plan.File, around int, m *meter.Meter) error {
	switch f.Operation {
	case plan.Remove:
		b.WriteString("*** Delete File: " + f.Path + "\n")
		return nil
	case plan.Create:
		b.WriteString("*** Add File: " + f.Path + "\n")
	case plan.Rename:
		b.WriteString("*** Update File: " + f.Path + "\n*** Move to: " + f.To + "\n")
		if f.Before == f.After {
			return nil
		}
		f.Operation = plan.Modify
	default:
		b.WriteString("*** Update File: " + f.Path + "\n")
	}
	entries, err := wholeLines(ApplyPatch, f, around, m)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if f.Operation != plan.Create {
			b.WriteString("@@\n")
		}
		b.WriteString(findreplace.HunkLines(ended(e.Find), ended(e.Replace), "\n"))
	}
	return nil
}

func ended(s string) string { return text.Ended(text.WithEOL(s, text.LF)) }

// wholeFiles writes each file in a fence, below a heading with the operation.
func wholeFiles(files []plan.File, _ *meter.Meter) (string, error) {
	var parts []string
	for _, f := range ordered(files) {
		part, why := wholeFile(f)
		if why != "" {
			return "", &CannotError{WholeFile, f.Path, why}
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "\n"), nil
}

// wholeFile returns the part of the document for a file, or the reason why there is none.
func wholeFile(f plan.File) (part, why string) {
	if why := regular(f); why != "" {
		return "", why
	}
	heading := "### Updated file: `" + f.Path + "`\n"
	switch f.Operation {
	case plan.Remove:
		return "### Deleted file: `" + f.Path + "`\n", ""
	case plan.Rename:
		heading = "### Renamed file: `" + f.Path + "` (old) `" + f.To + "` (new)\n"
		if f.Before == f.After {
			return heading, ""
		}
	case plan.Create:
		heading = "### New file: `" + f.Path + "`\n"
	}
	content, why := wholeText(f)
	if why != "" {
		return "", why
	}
	// The fence has at least four characters, so that the file may contain any text (rules W10 and W13).
	around := "`" + mdblock.FenceFor(content)
	return heading + "\n" + around + "\n" + ended(content) + around + "\n", ""
}
