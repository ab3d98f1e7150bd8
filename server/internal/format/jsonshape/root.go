package jsonshape

import (
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/lenientjson"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Top reads the outermost object of a block. It returns the list of entries without reading them, or nil.
func (d *Document) Top(name string, missing diag.Code) (set intent.Set, list *lenientjson.Member) {
	if d.Root.Kind != lenientjson.Object {
		if d.Whole() {
			d.Report(diag.BlockNotObject, Narrow(d.Root), "the block is "+d.Root.Kind.String()+"; an object with `root` and `"+name+"` is expected", d.wrap(name)...)
		}
		return intent.Set{}, nil
	}
	// In broken JSON, members may be in the wrong place, so their names are not checked.
	names := []string{"root", "files", "patches"}
	o := Object{d.Root, d, map[string]*lenientjson.Member{}}
	if d.Whole() {
		o = d.Object(d.Root, names)
	} else {
		for _, name := range names {
			o.members[name] = d.Root.Member(name)
		}
	}
	set.Root, set.RootAt = d.root(o)
	d.exclusive(o)
	list = o.members[name]
	if list == nil && d.Whole() {
		d.Report(missing, Bracket(d.Root), "`"+name+"` is missing; it lists what to change")
	}
	return set, list
}

func (d *Document) wrap(name string) []diag.Fix {
	if ofEntries(d.Root) == Other {
		return nil
	}
	return d.Surround(`{"root": ".", "`+name+`": `, "}")
}

// Surround returns a fix that writes `head` before the value of the block, and `tail` after it. The fix is certain.
func (d *Document) Surround(head, tail string) []diag.Fix {
	start, end := d.Root.Span.Start, d.Root.Span.End
	return []diag.Fix{{Title: "Put the block into `" + head + "..." + tail + "`", Preferred: true, Edits: []text.Edit{
		{Span: text.Span{Start: start, End: start}, New: head},
		{Span: text.Span{Start: end, End: end}, New: tail},
	}}}
}

// root reads the member `root` (rule R24). Without it, paths are relative to the workspace.
func (d *Document) root(o Object) (string, intent.Literal) {
	m := o.members["root"]
	if m == nil {
		if d.Whole() && len(d.Root.Members) > 0 {
			d.Report(diag.MissingRoot, Bracket(d.Root), "`root` is missing; it is read as \".\"",
				diag.Fix{Title: "Insert `\"root\": \".\"`", Edits: []text.Edit{o.prepend("root", ".")}, Preferred: true})
		}
		return "", intent.Literal{}
	}
	if m.Value.Kind == lenientjson.Invalid {
		return "", intent.Literal{}
	}
	if m.Value.Kind != lenientjson.String {
		d.Report(diag.RootNotString, Narrow(m.Value), "`root` is "+m.Value.Kind.String()+"; a string is expected, usually \".\"",
			diag.Fix{Title: "Change `root` to \".\"", Edits: []text.Edit{Literal(m.Value).Set(".")}})
		return "", intent.Literal{}
	}
	return m.Value.Text, Literal(m.Value)
}

// exclusive reports a block with both `files` and `patches` (rule R26).
func (d *Document) exclusive(o Object) {
	first, second := o.members["files"], o.members["patches"]
	if first == nil || second == nil {
		return
	}
	if first.Span.Start > second.Span.Start {
		first, second = second, first
	}
	both := diag.New(diag.BothFilesAndPatches, second.Key.Span,
		"an object has either `files` or `patches`, not both; send two blocks, or put the patches into entries of `files`")
	both.Related = []diag.Related{{Span: first.Key.Span, Message: "the other member"}}
	d.Add(both)
}
