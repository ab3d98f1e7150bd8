package ap

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// changes returns the changes of the FILE blocks, in order. Consecutive blocks that edit the same
// file become one change, so that their modifications are judged together. Operations on whole
// files in between separate them.
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
				c := p.whole(renamed) // after the renaming, the edits can then still be recognized as done
				c.Steps = p.edit(blocks).Steps
				set.Changes = append(set.Changes, c)
				p.files[i].broken = true // the change above already has the renaming
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

// edits returns the consecutive FILE blocks that edit files, from the i-th on.
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

// byFile groups blocks by file, in the order in which the files are first named.
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

// whole returns an operation on a file or folder as a whole.
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

// wholeText returns the text of a new file. Every line has an ending and no white space at its
// end (rules A43 and A45). Without lines, the text is empty.
func wholeText(lines []string, eol text.EOL) string {
	if eol == text.None {
		eol = text.LF
	}
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(strings.TrimRight(line, spaces) + string(eol))
	}
	return b.String()
}
