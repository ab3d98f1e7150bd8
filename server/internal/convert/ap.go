package convert

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// apPatch returns a writer of ap patches in version 3.2. Version 3.1 would remove white space at the ends of lines
// that the patch does not write. See [structured] for `around`; if it is negative, the patch has whole texts of
// files.
func apPatch(around int) writer {
	return func(files []plan.File, m *meter.Meter) (string, error) {
		var d apDocument
		for _, f := range ordered(files) {
			if why := d.file(f, files, around, m); why != "" {
				return "", &CannotError{AP, f.Path, why}
			}
		}
		return d.String(), nil
	}
}

// An apDocument is a patch without its ID.
type apDocument []apDirective

// An apDirective is the part of a line after the ID, with the value below the line (rule A7).
type apDirective struct {
	line  string
	value []string
}

func (d *apDocument) add(line string, value ...string) {
	*d = append(*d, apDirective{line, value})
}

// file adds the FILE blocks of a file. It returns the reason if that is impossible, otherwise "".
func (d *apDocument) file(f plan.File, all []plan.File, around int, m *meter.Meter) (why string) {
	dir := f.Before.Mode.IsDir() || f.After.Mode.IsDir()
	if why := regular(f); why != "" && !dir {
		return why
	}
	switch f.Operation {
	case plan.Remove:
		d.add("FILE", f.Path)
		d.add("DELETE")
	case plan.Create:
		return d.create(f)
	case plan.Rename:
		if m.Pay(eachLine*len(all)) && !movedAlong(f, all) {
			d.add("FILE", f.Path)
			d.add("RENAME", f.To)
		}
		fallthrough
	default:
		if f.Before.Data != f.After.Data {
			return d.edit(f, around, m)
		}
	}
	return ""
}

// movedAlong reports whether a file is moved only because its folder is renamed.
func movedAlong(f plan.File, all []plan.File) bool {
	for _, dir := range all {
		if dir.Operation == plan.Rename && dir.Before.Mode.IsDir() && strings.HasPrefix(f.Path, dir.Path+"/") &&
			f.To == dir.To+strings.TrimPrefix(f.Path, dir.Path) {
			return true
		}
	}
	return false
}

// create adds the creation of a file or a folder. It always writes the line ending, which would otherwise depend on
// the operating system (rule A11).
func (d *apDocument) create(f plan.File) (why string) {
	if f.After.Mode.IsDir() {
		d.add("FILE", f.Path)
		d.add("CREATE")
		return ""
	}
	content, why := wholeText(f)
	if why != "" {
		return why
	}
	lines := text.Bodies(text.SplitLines(content))
	if why := inexpressible(lines); why != "" {
		return why
	}
	newlines := map[text.EOL]string{text.None: "", text.LF: " LF", text.CRLF: " CRLF", text.CR: " CR"}
	d.add("FILE"+newlines[text.DominantEOL(f.After.Data)], f.Path)
	d.add("CREATE")
	d.add("content", lines...)
	return ""
}

func (d *apDocument) edit(f plan.File, around int, m *meter.Meter) (why string) {
	before, after, why := texts(f)
	if why != "" {
		return why
	}
	d.add("FILE", f.Target())
	s := newScript(before, after, m)
	var edits apDocument
	if around >= 0 && before != "" && !isBoundary(before) {
		edits, why = apEdits(s, around)
	}
	if len(edits) > 0 {
		*d = append(*d, edits...)
		return ""
	}
	if lines := s.new.bodies; inexpressible(lines) == "" {
		d.add("RECREATE")
		d.add("content", lines...)
		return ""
	}
	return cmp.Or(why, inexpressible(s.new.bodies))
}

// isBoundary reports whether a text has no other line than one that, as a snippet, means the beginning or the end of a
// file (rule A36). No edit can name that line, so such a text is replaced as a whole. If there are other lines, they go
// into the snippet.
func isBoundary(before string) bool {
	line := strings.TrimSpace(before)
	return line == "^" || line == "$"
}

// apEdits returns the modifications that turn one text into another, or the reason why there are none. Blank lines
// do not count as lines around a change, because a patcher does not see them (rule A31).
func apEdits(s script, around int) (edits apDocument, why string) {
	for _, h := range s.with(around, func(line string) bool { return !text.IsBlank(line) }) {
		content := s.new.bodies[h.NewStart:h.NewEnd]
		if why := inexpressible(content); why != "" {
			return nil, why
		}
		edits.add("REPLACE")
		edits.add("snippet", s.old.bodies[h.OldStart:h.OldEnd]...)
		edits.add("content", content...)
	}
	return edits, ""
}

// inexpressible returns the reason why lines cannot be the value of `content`, or "". ap removes the blank lines
// around a value, and the white space at the ends of its lines (rules A6 and A44).
func inexpressible(lines []string) string {
	if n := len(lines); n > 0 && (text.IsBlank(lines[0]) || text.IsBlank(lines[n-1])) {
		return "its content would have to begin or end with blank lines, which an ap patch ignores"
	}
	for _, line := range lines {
		if strings.TrimRight(line, " \t") != line {
			return fmt.Sprintf("a line of the content has trailing white space, which ap removes: %s", strconv.Quote(text.Cut(line, 60)))
		}
	}
	return ""
}

// String returns the document with an ID that no line contains (rule A5). The ID is derived from the text, so the
// same change always gives the same patch.
func (d apDocument) String() string {
	body := d.textWith("")
	seed := body
	for {
		sum := sha256.Sum256([]byte(seed))
		if id := hex.EncodeToString(sum[:4]); !strings.Contains(body, id) {
			return d.textWith(id)
		}
		seed = string(sum[:])
	}
}

func (d apDocument) textWith(id string) string {
	var b strings.Builder
	b.WriteString(id + " AP 3.2\n")
	for _, dir := range d {
		if startsBlock(dir.line) {
			b.WriteByte('\n')
		}
		b.WriteString(id + " " + dir.line + "\n")
		for _, line := range dir.value {
			b.WriteString(line + "\n")
		}
	}
	b.WriteString("\n" + id + " END\n")
	return b.String()
}

// startsBlock reports whether a blank line above a directive helps readers. The blank line is not a part of the
// value above.
func startsBlock(line string) bool {
	word, _, _ := strings.Cut(line, " ")
	return strings.ToUpper(word) == word
}
