// Package ap reads ap patches. Each modification in a patch has an action, such as REPLACE, and a snippet, the text
// to find. It may also have content, the new text; an anchor, below which the snippet is searched for; and a tail,
// which ends the range that begins with the snippet. The version in the header decides how strictly a patch is read:
// 3.1 exactly as specified, 3.2 with some leniency. Rules such as A31 are in docs/formats/ap.md.
//
// A patch is read in three steps. Lines become directives (lex.go, header.go, drift.go), directives become files and
// modifications (document.go, fields.go, check.go), and these become changes (ap.go).
//
// Then proof.go checks whether all modifications are already done. They are if undoing them and making them again
// gives the current file. Otherwise they are made from top to bottom (editor.go). Each place is searched for (locate.go)
// in the lines that the earlier modifications left (target.go), with an index (places.go).
package ap

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Format is the format of ap patches.
var Format = format.Format{
	Name:  "ap",
	Title: "an ap patch",
	Noun:  "patch",
	Part:  "modification",
	Claims: format.Claims{
		Fences:       mdblock.Tags(mdblock.AP),
		Shaped:       func(r *format.Region) bool { return claims(r.Body) },
		Unmistakable: func(r *format.Region) bool { return unmistakable(r.Body) },
	},
	Files: format.Files{
		Names:      []string{".ap"},
		Begins:     unmistakable,
		Language:   "aptix-ap",
		BesideFile: true,
	},
	Parse:  parseRegion,
	Editor: format.Editor{Outline: format.OutlineParts("Aptix patch", "file", describe), Mention: mention, Complete: complete, Folds: true},
}

// claims reports whether a line looks like a directive. Something else, such as the fence, must label the body as an
// ap patch.
func claims(body string) bool {
	for line := range text.EachLine(body) {
		if _, _, ok := directiveOf(line.In(body)); ok || headerLine.MatchString(line.In(body)) {
			return true
		}
	}
	return false
}

// unmistakable reports whether the first line that is neither blank nor a comment is a header.
func unmistakable(body string) bool {
	for line := range text.EachLine(body) {
		s := strings.TrimSpace(strings.TrimPrefix(line.In(body), "\ufeff"))
		if s != "" && s[0] != '#' {
			return strictHeader.MatchString(s)
		}
	}
	return false
}

// parseRegion reads the patch of a region. If the end of the region is uncertain, a fence inside the patch is an
// error, because it may have cut the region off.
func parseRegion(r *format.Region) format.Parsed {
	p := Parse(r.Body)
	if d, ok := openFence(r.Body); r.Unsure && ok {
		p.Diagnostics = append(p.Diagnostics, d)
	}
	return p
}

func Parse(body string) format.Parsed {
	at, message := invalid(body), "the patch is not UTF-8 from here on; save it as UTF-8"
	if at < 0 {
		at, message = strings.IndexByte(body, 0), "the patch has a NUL character here, which text never contains; remove it, or write it as an escape of the programming language"
	}
	if at >= 0 {
		return format.Parsed{Diagnostics: []diag.Diagnostic{diag.New(diag.APNotUTF8, text.Span{Start: at, End: at + 1}, message)}, Entries: 1}
	}
	p := read(body)
	set := p.changes()
	readable := len(set.Changes)
	return format.Parsed{Set: set, Diagnostics: p.sorted(), Entries: max(len(p.files), readable), Readable: readable, Summary: summary(body), Rest: p.rest}
}

// invalid returns the offset of the first byte that is not valid UTF-8, or -1.
func invalid(s string) int {
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], string(utf8.RuneError)) {
			return i
		}
	}
	return -1
}

// changes returns the changes of the FILE blocks, in order. Blocks that edit the same file, up to the next operation
// on a whole file, become one change, so that their modifications are judged together.
func (p *patch) changes() intent.Set {
	set := intent.Set{PathsRepeat: true}
	for i := 0; i < len(p.files); {
		run := p.edits(i)
		i += len(run)
		var renamed *file
		if i < len(p.files) && p.files[i].rename != nil {
			renamed = p.files[i]
		}
		for _, blocks := range byFile(run) {
			if renamed != nil && !renamed.broken && renamed.path == blocks[0].path {
				// As steps of the rename, the edits count as done if the file already has its new name.
				c := p.whole(renamed)
				c.Steps = p.edit(blocks).Steps
				set.Changes = append(set.Changes, c)
				// This rename is in the change above.
				p.files[i].broken = true
				continue
			}
			set.Changes = append(set.Changes, p.edit(blocks))
		}
		if i < len(p.files) {
			if f := p.files[i]; !f.broken && f.path != "" {
				set.Changes = append(set.Changes, p.whole(f))
			}
			i++
		}
	}
	return set
}

// edits returns the FILE blocks from index i that edit the content of a file, up to the first that does not.
func (p *patch) edits(i int) []*file {
	n := i
	for n < len(p.files) && p.files[n].edits() {
		n++
	}
	return p.files[i:n]
}

func (f *file) edits() bool {
	if f.broken || f.path == "" || f.rename != nil || len(f.mods) == 0 {
		return false
	}
	switch m := f.mods[0]; m.action {
	case kwCreate, kwRecreate:
		return false
	case kwDelete:
		return len(m.fields) > 0
	}
	return true
}

// byFile groups blocks by their file, in the order in which the patch first names the files.
func byFile(files []*file) [][]*file {
	type name struct {
		path string
		eol  text.EOL
	}
	var groups [][]*file
	index := map[name]int{}
	for _, f := range files {
		key := name{f.path, f.eol}
		i, ok := index[key]
		if !ok {
			i = len(groups)
			index[key] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], f)
	}
	return groups
}

func (p *patch) edit(blocks []*file) intent.Change {
	f := blocks[0]
	c := p.change(f, intent.Edit)
	c.Steps = []intent.Step{newModifications(p, blocks, c.At)}
	return c
}

func (p *patch) change(f *file, kind intent.Kind) intent.Change {
	at := f.start.line
	for _, m := range f.mods {
		at.End = max(at.End, m.at.End)
	}
	return intent.Change{Kind: kind, Path: f.path, At: at, PathAt: intent.Literal{Span: f.pathAt}}
}

func (p *patch) whole(f *file) intent.Change {
	if f.rename != nil {
		c := p.change(f, intent.Rename)
		c.To, c.ToAt = f.rename.String(), intent.Literal{Span: f.rename.at}
		c.At.End = f.rename.at.End
		return c
	}
	m := f.mods[0]
	if m.action == kwDelete {
		return p.change(f, intent.DeleteAll)
	}
	content := m.field(kwContent)
	if content == nil {
		return p.change(f, intent.MakeDir)
	}
	kind := intent.Create
	if m.action == kwRecreate {
		kind = intent.Write
	}
	c := p.change(f, kind)
	c.Content, c.ContentAt, c.OpenEnd = wholeText(content.lines, f.eol), intent.Literal{Span: content.at}, true
	return c
}

// wholeText returns the text of a new file. Each line gets an ending and loses the white space at its end (rules A43
// and A45).
func wholeText(lines []string, eol text.EOL) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(strings.TrimRight(line, spaces) + string(cmp.Or(eol, text.LF)))
	}
	return b.String()
}
