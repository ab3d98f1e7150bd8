// Package lines reads line patches, which edit whole lines of files that docPaths name. Line numbers refer to a text
// with a given SHA-256 (docs/formats/lines.md).
package lines

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/format/jsonshape"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/lenientjson"
	"github.com/aptix-dev/aptix/server/internal/schema"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Format is the format of line patches.
var Format = format.Format{
	Name:   "lines",
	Title:  "a line patch",
	Noun:   "patch",
	Part:   "change",
	Claims: jsonshape.Claims(jsonshape.Lines),
	Files:  jsonshape.Files,
	Parse:  parse,
	Schema: schema.Lines,
	Editor: format.Editor{Outline: outline, Mention: mention, Complete: jsonshape.Complete, Where: where},
}

func parse(region *format.Region) format.Parsed {
	r := &reader{Document: jsonshape.ReadLines(region), body: region.Body, seen: map[string]text.Span{}}
	batch := &protocol.Batch{}
	var set intent.Set
	files := r.top(batch)
	if files != nil {
		for _, n := range r.Elements(files, diag.FilesNotArray, diag.EmptyFiles) {
			if c, patch, ok := r.file(n); ok {
				set.Changes, batch.Files = append(set.Changes, c), append(batch.Files, patch)
			}
		}
	}
	return format.Parsed{Set: set, Diagnostics: r.Sorted(), Entries: jsonshape.Entries(files), Readable: len(set.Changes), Batch: batch}
}

type reader struct {
	*jsonshape.Document
	body string
	seen map[string]text.Span // the docPaths of the batch, with the span of the first occurrence of each
}

// top reads the outermost object of a block (rule L1). It returns the member `files`, or nil.
func (r *reader) top(batch *protocol.Batch) *lenientjson.Member {
	if !r.Whole() {
		// In broken JSON, members may be in the wrong place, so their names are not checked.
		return r.Root.Member("files")
	}
	if r.Root.Kind != lenientjson.Object {
		r.Report(diag.BlockNotObject, jsonshape.Bracket(r.Root), "the block is "+r.Root.Kind.String()+"; an object with `files` is expected", r.Surround(`{"files": `, "}")...)
		return nil
	}
	if r.Root.Member("docPath") != nil && r.Root.Member("files") == nil {
		r.Report(diag.MissingFiles, jsonshape.Bracket(r.Root), "the block is only an entry of `files`; put it into an object with `files`", r.Surround(`{"files": [`, "]}")...)
		return nil
	}
	o := r.Object(r.Root, jsonshape.LineBatchMembers)
	batch.BatchKey, batch.BatchLabel = r.note(o, "batchKey"), r.note(o, "batchLabel")
	files := o.Member("files")
	if files == nil {
		r.Report(diag.MissingFiles, jsonshape.Bracket(r.Root), "`files` is missing; it lists what to change")
	}
	return files
}

// file reads an element of `files` (rule L1). It returns false if the element has an error.
func (r *reader) file(n *lenientjson.Node) (c intent.Change, said protocol.FilePatch, ok bool) {
	before := r.Errors()
	o := r.Object(n, jsonshape.LineFileMembers)
	c = intent.Change{Kind: intent.Edit, DocPath: true, At: n.Span}
	said = protocol.FilePatch{FileKey: r.note(o, "fileKey"), FileLabel: r.note(o, "fileLabel")}
	if key, ok := o.String("docPath", diag.MissingDocPath, diag.DocPathNotString, "it names the file; copy it from the list of active files or from a search"); ok {
		c.Path, c.PathAt = key.Text, jsonshape.Literal(key)
		said.DocPath = key.Text
		r.docPath(key)
	}
	c.Steps = []intent.Step{r.step(o, &said)}
	return c, said, r.Errors() == before
}

// step returns all changes to a file as one step, because all line numbers refer to the text before the changes.
func (r *reader) step(o jsonshape.Object, said *protocol.FilePatch) intent.Step {
	p := Patch{at: o.Node.Span}
	p.sum, p.sumAt = r.sum(o)
	said.OriginalSHA256 = p.sum
	m := o.Member("changes")
	if m == nil {
		r.Report(diag.MissingChanges, jsonshape.Bracket(o.Node), "`changes` is missing; it lists the lines to insert, replace and delete")
		return p
	}
	var ops []op
	ops, said.Changes = r.changes(m)
	p.parts = text.Each(ops, func(op op) text.Span { return op.at })
	p.ops = r.inOrder(m.Value, ops)
	return p
}

// docPath checks that a docPath is in lower case and occurs only once in the batch.
func (r *reader) docPath(n *lenientjson.Node) {
	if lower := strings.ToLower(n.Text); lower != n.Text {
		r.Report(diag.DocPathCase, n.Span, "a docPath must be in lower case, as in the list of active files",
			diag.Fix{Title: "Write the docPath in lower case", Edits: []text.Edit{jsonshape.Literal(n).Set(lower)}, Preferred: true})
	}
	first, twice := r.seen[n.Text]
	if !twice {
		r.seen[n.Text] = n.Span
		return
	}
	d := diag.New(diag.DocPathTwice, n.Span, "this docPath already has an entry; put all changes of a file into one entry")
	d.Related = []diag.Related{{Span: first, Message: "the first entry"}}
	r.Add(d)
}

// sum reads the hash of the text for which the patch was made.
func (r *reader) sum(o jsonshape.Object) (string, text.Span) {
	n, ok := o.String("originalSha256", diag.MissingSHA256, diag.SHA256NotString, "it is the SHA-256 of the version of the file to which the line numbers refer")
	if !ok {
		return "", text.Span{}
	}
	lower := strings.ToLower(n.Text)
	switch {
	case !isSum(lower):
		r.Report(diag.SHA256Format, n.Span, fmt.Sprintf("`originalSha256` has %d characters and is not a SHA-256, which has 64 hexadecimal digits; copy the hash that came with the file", len([]rune(n.Text))), sumWithin(n)...)
	case lower != n.Text:
		r.Report(diag.SHA256Case, n.Span, "a SHA-256 must be in lower case",
			diag.Fix{Title: "Write the SHA-256 in lower case", Edits: []text.Edit{jsonshape.Literal(n).Set(lower)}, Preferred: true})
	}
	return lower, n.Span
}

func isSum(s string) bool {
	return len(s) == 64 && !strings.ContainsFunc(s, func(c rune) bool { return !('0' <= c && c <= '9' || 'a' <= c && c <= 'f') })
}

// sumWithin returns the fix that removes a prefix such as `sha256:` from a hash.
func sumWithin(n *lenientjson.Node) []diag.Fix {
	s := strings.TrimSpace(strings.ToLower(n.Text))
	for _, prefix := range []string{"sha256:", "sha-256:", "sha256=", "sha256-", "0x"} {
		s = strings.TrimSpace(strings.TrimPrefix(s, prefix))
	}
	if !isSum(s) {
		return nil
	}
	return []diag.Fix{{Title: "Write only the 64 digits", Edits: []text.Edit{jsonshape.Literal(n).Set(s)}, Preferred: true}}
}

// note reads a key, a label or a description. They have no effect, so a value that is not a string is only a
// warning.
func (r *reader) note(o jsonshape.Object, name string) string {
	m := o.Member(name)
	if m == nil {
		return ""
	}
	if m.Value.Kind != lenientjson.String {
		r.Report(diag.NoteNotString, m.Key.Span, fmt.Sprintf("`%s` is %v and is ignored; a string is expected", name, m.Value.Kind), o.Remove(m))
		return ""
	}
	return m.Value.Text
}

func (r *reader) changes(list *lenientjson.Member) ([]op, []protocol.PatchChange) {
	var ops []op
	var said []protocol.PatchChange
	for _, n := range r.Elements(list, diag.ChangesNotArray, diag.EmptyChanges) {
		if op, c, ok := r.change(n); ok {
			ops, said = append(ops, op), append(said, op.said(c))
		}
	}
	return ops, said
}

func number(at text.Span, value int) text.Edit {
	return text.Edit{Span: at, New: strconv.Itoa(value)}
}

// maxLine is larger than the number of lines in any file that can be edited.
const maxLine = 1 << 30

// number reads a line number, which must be at least `least`.
func (r *reader) number(e jsonshape.Object, name string, least int) (int, text.Span, bool) {
	m := e.Member(name)
	if m == nil {
		r.Report(diag.MissingLineNumber, jsonshape.Bracket(e.Node), fmt.Sprintf("`%s` is missing; it is a line number", name))
		return 0, text.Span{}, false
	}
	v, err := strconv.Atoi(m.Value.Text)
	if m.Value.Kind == lenientjson.Number && err == nil && least <= v && v <= maxLine {
		return v, m.Value.Span, true
	}
	r.Report(diag.LineNumberInvalid, jsonshape.Narrow(m.Value), fmt.Sprintf("`%s` is %s; a whole number of at least %d is expected", name, written(m.Value), least), plainNumber(m.Value, least)...)
	return 0, text.Span{}, false
}

// plainNumber returns the fix for a number in quotes, or with a fraction of zero.
func plainNumber(n *lenientjson.Node, least int) []diag.Fix {
	if n.Kind != lenientjson.String && n.Kind != lenientjson.Number {
		return nil
	}
	digits, fraction, _ := strings.Cut(strings.TrimSpace(n.Text), ".")
	v, err := strconv.Atoi(digits)
	if err != nil || v < least || v > maxLine || strings.Trim(fraction, "0") != "" {
		return nil
	}
	return []diag.Fix{{Title: fmt.Sprintf("Write the number %d", v), Edits: []text.Edit{number(n.Span, v)}, Preferred: true}}
}

func written(n *lenientjson.Node) string {
	switch n.Kind {
	case lenientjson.Number, lenientjson.Bool:
		return text.Cut(n.Text, 60)
	case lenientjson.String:
		return text.Cut(lenientjson.Quote(n.Text), 60)
	}
	return n.Kind.String()
}
