package check

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/reply"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// An Unread is a part of a document that could change a file, but that no format reads (rule R55).
type Unread struct {
	reply.Unread
	Document   int // index in Result.Documents
	Line       int // the line on which the part begins, from 1
	Diagnostic diag.Diagnostic
}

// account adds to r.Unread the parts of the documents that could change a file but are not read. `changes` are the
// changes of the blocks. If only one block is checked, account adds none.
func (r *Result) account(where Where, changes []plan.File) {
	r.accountForRest()
	if r.wanted != 0 || where.Tree == nil {
		return
	}
	files := &reply.Files{Tree: where.Tree, Made: r.made(changes), Meter: r.meter}
	if r.meter.Spent() {
		return
	}
	for i, doc := range r.Documents {
		if read := r.read(i); !doc.OwnOnly && len(read) > 0 {
			r.Unread = append(r.Unread, r.unread(i, read, files, where.Strict)...)
		}
	}
}

// unchanged lists the blocks of a document whose old and new texts are the same, if the reply changes other files but not
// theirs. The new text was probably lost.
func (r *Result) unchanged(document int, made map[string]reply.Made) (all []reply.Unread) {
	changed := map[string]bool{}
	for name, m := range made {
		if m.Gone || m.Before != m.After {
			changed[name] = true
		}
	}
	for i, b := range r.Blocks {
		files := r.Plan.Blocks[i].Files
		if b.Document != document || len(changed) == 0 || len(files) == 0 || slices.ContainsFunc(files, func(f plan.BlockFile) bool { return changed[f.Target()] }) {
			continue
		}
		both := slices.Concat(b.Diagnostics, r.Plan.Blocks[i].Diagnostics)
		if at := slices.IndexFunc(both, func(d diag.Diagnostic) bool { return d.Code == diag.FindEqualsReplace }); at >= 0 {
			name := files[0].Path
			all = append(all, reply.Unread{Kind: reply.Pair, At: b.HostSpan(both[at].Span), Path: name, What: "an old and a new text that are the same, for " + name, Sure: true})
		}
	}
	return all
}

// unread lists the unread parts of a document. `read` has the spans of blocks, and of text that the rendered reply does
// not show.
func (r *Result) unread(document int, read []text.Span, files *reply.Files, strict bool) (all []Unread) {
	doc := r.Documents[document].Text
	lines := sync.OnceValue(func() *text.Lines { return text.NewLines(doc) })
	code := slices.Concat(r.structures[document].Fences, r.structures[document].Coded)
	slices.SortFunc(code, func(a, b mdblock.Block) int { return a.Span.Start - b.Span.Start })
	found := reply.Unreads(reply.Document{Text: doc, Fences: code, Read: read, Rests: r.rests(document), Same: r.same(document), Files: files})
	for _, u := range append(found, r.unchanged(document, files.Made)...) {
		all = append(all, newUnread(doc, u, document, lines().Position(u.At.Start).Line+1, strict))
	}
	return all
}

// same returns the texts in a document that a step replaces with themselves.
func (r *Result) same(document int) (all []text.Span) {
	for i, b := range r.Blocks {
		for _, d := range slices.Concat(b.Diagnostics, r.Plan.Blocks[i].Diagnostics) {
			if b.Document == document && d.Code == diag.FindEqualsReplace {
				all = append(all, b.HostSpan(d.Span))
			}
		}
	}
	return all
}

// rests returns the parts that no edit covers, of a document's blocks and of the fences with blocks.
func (r *Result) rests(document int) (rests []reply.Rest) {
	var blocks []text.Span
	for i := range r.Blocks {
		b := &r.Blocks[i]
		if b.Document != document || !b.Closed {
			continue
		}
		blocks = append(blocks, b.Span)
		if diag.HasErrors(b.Diagnostics) {
			continue // skip a refused block: its mistake may be the reason why no edit covers some text
		}
		path := ""
		if len(b.Set.Changes) > 0 {
			path = b.Set.Changes[0].Path
		}
		for _, at := range b.Rest {
			rests = append(rests, reply.Rest{In: b.Block, At: at, Path: path})
		}
	}
	for _, fence := range r.structures[document].Fences {
		rests = append(rests, outsideBlocks(fence, blocks)...)
	}
	return rests
}

// outsideBlocks returns the parts of a fence outside of the blocks in the fence. It returns nil if the fence has no
// block. The blocks are in order and do not overlap.
func outsideBlocks(fence mdblock.Block, blocks []text.Span) (rests []reply.Rest) {
	first := sort.Search(len(blocks), func(i int) bool { return blocks[i].Start >= fence.Open.End })
	in := blocks[first:]
	in = in[:sort.Search(len(in), func(i int) bool { return in[i].End > fence.Span.End })]
	if len(in) == 0 {
		return nil
	}
	at := 0
	for _, line := range text.SplitLines(fence.Body) {
		span := text.Span{Start: at, End: at + len(line)}
		at = span.End
		host := fence.HostSpan(span)
		for len(in) > 0 && in[0].End <= host.Start {
			in = in[1:]
		}
		if len(in) > 0 && in[0].Start < host.End {
			continue
		}
		if n := len(rests); n > 0 && rests[n-1].At.End == span.Start {
			rests[n-1].At.End = span.End
			continue
		}
		rests = append(rests, reply.Rest{In: fence, At: span, Inner: true})
	}
	return rests
}

func newUnread(doc string, u reply.Unread, document, line int, strict bool) Unread {
	d := diag.New(diag.Unread, u.At, fmt.Sprintf("not read: line %d, %s", line, u.What), labelling(doc, u)...).As(diag.Info)
	if u.Sure {
		d.Severity = diag.Warning
	}
	if u.Sure && strict {
		d.Severity = diag.Error
	}
	return Unread{Unread: u, Document: document, Line: line, Diagnostic: d.Plain()}
}

// labelling returns the fix that writes the likely path above a fence, so that the fence is read as an edit. The fix is
// never certain, because the fence may be for another file, or not for a file at all.
func labelling(doc string, u reply.Unread) []diag.Fix {
	start := 1 + strings.LastIndexByte(doc[:u.At.Start], '\n')
	fence := strings.TrimLeft(doc[start:], " \t>")
	// mark is the text before the fence: indentation, and the marks of quotations.
	mark := doc[start : len(doc)-len(fence)]
	end, _ := text.LineEnd(fence, 0)
	if is, _ := mdblock.FenceOf(fence[:end]); !u.Unlabelled || is == "" || strings.Contains(u.Path, "`") {
		return nil
	}
	eol := string(text.DominantEOL(doc))
	label := mark + "`" + u.Path + "`" + eol + strings.TrimRight(mark, " \t") + eol
	return []diag.Fix{{Title: fmt.Sprintf("Read the code block as part of %s", u.Path), Edits: []text.Edit{text.Insertion(start, label)}}}
}

// read returns the spans of a document's blocks and of its text that is not rendered, in order. It returns nil if the
// document has no block.
func (r *Result) read(document int) []text.Span {
	read := text.Each(text.Only(r.Blocks, func(b Block) bool { return b.Document == document }), func(b Block) text.Span { return b.Span })
	if read == nil {
		return nil
	}
	for _, b := range r.without {
		if b.Document == document {
			read = append(read, b.Span)
		}
	}
	read = append(read, r.structures[document].Hidden...)
	slices.SortFunc(read, func(a, b text.Span) int { return a.Start - b.Start })
	merged := read[:1]
	for _, s := range read[1:] {
		if last := &merged[len(merged)-1]; s.Start < last.End {
			last.End = max(last.End, s.End)
			continue
		}
		merged = append(merged, s)
	}
	return merged
}

// eachDecoded is the cost of decoding a file, in steps of the meter for each byte.
const eachDecoded = 2

// made returns the texts, before and after the reply, of the files that the blocks change or name. It returns nil if
// decoding them would take too much work.
func (r *Result) made(changes []plan.File) map[string]reply.Made {
	byPath := map[string]reply.Made{}
	add := func(f plan.File) bool {
		if !r.meter.Pay(eachDecoded * (len(f.Before.Data) + len(f.After.Data))) {
			return false
		}
		before, _ := f.Before.Text()
		after, _ := f.After.Text()
		if f.Operation == plan.Rename {
			byPath[f.Path] = reply.Made{Before: before, Gone: true}
			byPath[f.To] = reply.Made{Before: before, After: after}
		} else {
			byPath[f.Path] = reply.Made{Before: before, After: after, Gone: !f.After.Exists}
		}
		return true
	}
	for _, f := range changes {
		if !add(f) {
			return nil
		}
	}
	for _, b := range r.Plan.Blocks {
		for _, f := range b.Files {
			if _, known := byPath[f.Target()]; known || f.State != plan.Done || !f.Exists() {
				continue
			}
			if now := f.After(); !add(plan.File{Path: f.Target(), Before: now, After: now}) {
				return nil
			}
		}
	}
	return byPath
}

func (r *Result) reportUnread() []protocol.Unread {
	out := make([]protocol.Unread, 0, len(r.Unread))
	for _, u := range r.Unread {
		out = append(out, protocol.Unread{Line: u.Line, Kind: protocol.UnreadKind(u.Kind), Path: u.Path, Message: u.Diagnostic.Message, Asks: u.Diagnostic.Asks()})
	}
	return out
}

// checkRest checks the reply `all` without the blocks that cannot be applied. If a remaining block depends on an
// omitted block, it also fails, and checkRest checks again without it.
func checkRest(ctx context.Context, all *Result, where Where) (*Result, error) {
	r := all
	for {
		failed := map[int]Block{}
		for _, b := range r.Blocks {
			if b.State == Failed || b.State == Incomplete {
				failed[b.Index] = b
			}
		}
		if len(failed) == len(r.Blocks) {
			return all, nil
		}
		if len(failed) == 0 {
			return r, nil
		}
		maps.Copy(failed, where.Without)
		where.Without = failed
		var err error
		if r, err = checkPresent(ctx, all.Documents, where); err != nil {
			return nil, err
		}
	}
}

// accountForRest adds a warning for each block that is left out, unless the files already have its changes.
func (r *Result) accountForRest() {
	for _, index := range slices.Sorted(maps.Keys(r.without)) {
		b := r.without[index]
		if b.State == Done {
			continue
		}
		why := "it is incomplete"
		if i := slices.IndexFunc(b.Diagnostics, func(d diag.Diagnostic) bool { return d.Severity == diag.Error }); i >= 0 {
			why = b.Diagnostics[i].Message
		}
		u := reply.Unread{Kind: reply.Fence, At: b.Span, What: fmt.Sprintf("block %d: %s", b.Index, why), Sure: true}
		if len(b.Set.Changes) > 0 {
			u.Path = b.Set.Changes[0].Path
		}
		line := r.lines()[b.Document].Position(b.Open.Start).Line + 1
		r.Unread = append(r.Unread, Unread{Unread: u, Document: b.Document, Line: line, Diagnostic: diag.New(diag.Unread, b.Span,
			fmt.Sprintf("left out: block %d on line %d: %s", b.Index, line, why)).Plain()})
	}
}
