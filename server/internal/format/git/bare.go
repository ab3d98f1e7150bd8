package git

import (
	"cmp"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/gitdiff"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/reply"
	"github.com/aptix-dev/aptix/server/internal/text"
	"github.com/aptix-dev/aptix/server/internal/wholelines"
)

// A bare diff consists only of lines with a sign. It has no file header and no hunk header. The line above its fence
// names the file (rule G73). If all lines are added, the file is new.
type bare struct {
	path     string
	old, new string
}

// bareIn returns the bare diff in a fence, for the file that the text next to the fence names. It returns false unless
// the file contains the old lines or the new ones. If the diff only adds lines, the file must be missing, or consist of
// exactly these lines.
func bareIn(d format.Document, from int, r *format.Region) (b bare, ok bool) {
	if d.Tree == nil || r.Kind() != mdblock.Patch || gitdiff.Shaped(r.Body) {
		return b, false
	}
	beside := reply.FileOf(d.Text, from, &r.Block)
	if b.path = beside.Path; b.path == "" || beside.Other != "" {
		return b, false
	}
	if b.old, b.new, ok = wholelines.Sides(text.SplitLines(strings.TrimRight(r.Body, " \t\r\n")), eol(r.Body)); !ok || b.old == b.new {
		return b, false
	}
	content, has := reply.FileText(d.Tree, b.path)
	if b.old == "" {
		named := beside.Where < reply.InSentence || beside.Says == reply.Create
		return b, named && (content == b.new || !has && reply.MayHold(d.Tree, b.path))
	}
	if strings.TrimSpace(b.old) == "" {
		return b, false
	}
	t := locate.NewText(content)
	return b, has && (len(wholelines.Places(t, b.old)) > 0 || b.new != "" && len(wholelines.Places(t, b.new)) > 0)
}

func eol(body string) string { return string(cmp.Or(text.DominantEOL(body), text.LF)) }

func (b bare) parsed(r *format.Region) format.Parsed {
	at := text.Span{End: len(r.Body)}
	p := format.Parsed{Entries: 1, Readable: 1}
	p.Set.PathsRepeat = true
	if b.old == "" {
		p.Set.Changes = []intent.Change{{Kind: intent.Create, Path: b.path, Content: b.new, Marked: true, At: at, ContentAt: intent.Literal{Span: at}}}
		return p
	}
	edit := wholelines.Edit{At: at, FindName: "the old side of the diff", ReplaceName: "the new side of the diff", Readings: []wholelines.Reading{{
		Find: b.old, FindAt: intent.Literal{Span: at}, Replace: b.new, ReplaceAt: intent.Literal{Span: at}, Both: wholelines.HunkWriter{Span: at, EOL: eol(r.Body)},
	}}}
	p.Set.Changes = []intent.Change{{Kind: intent.Edit, Path: b.path, At: at, Steps: []intent.Step{edit}}}
	return p
}
