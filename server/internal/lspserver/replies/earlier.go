package replies

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/convert"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lspserver/documents"
	"github.com/aptix-dev/aptix/server/internal/lspserver/workspace"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// MergeActions returns actions for blocks that touch the span `at`, if they look for a passage that is only in an
// earlier text of a file. Each action rewrites a block, so that the block makes the same change to the current text. If
// finding the actions takes too long for a menu, MergeActions returns none. `clash` is true if MergeActions found a new
// reason why no merge is offered; the problems of the reply name this reason.
func (c *Reply) MergeActions(ctx context.Context, at text.Span, where check.Where, earlier func(workspace.View) plan.EarlierFunc) (actions []protocol.CodeAction, clash bool, err error) {
	missing := map[int]diag.Diagnostic{} // key: the index of the block in c.Blocks
	for i, b := range c.Blocks {
		for _, d := range b.Diagnostics {
			if _, known := missing[i]; !known && d.Passage != "" && at.Start <= d.Span.End && d.Span.Start <= at.End {
				missing[i] = d
			}
		}
	}
	if len(missing) == 0 || c.View.Folder == nil || len(c.Skip) > 0 {
		return nil, false, nil
	}
	where.Earlier = earlier(c.View)
	merged, err := check.Repair(ctx, c.Documents, where)
	if err != nil || len(merged.Blocks) != len(c.Blocks) {
		return nil, false, unlessLate(err)
	}
	where.Earlier = nil
	for i := range c.Blocks {
		d, ok := missing[i]
		if !ok {
			continue
		}
		clash = noteClash(c.Document, d, merged.Blocks[i].Diagnostics) || clash
		fix, ok, err := c.merge(ctx, i, merged, where)
		if err != nil {
			return actions, clash, unlessLate(err)
		}
		if ok {
			actions = append(actions, c.quickFix(d, fix))
		}
	}
	return actions, clash, nil
}

// unlessLate returns `err`, or nil if `err` only means that the time for a menu is over.
func unlessLate(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

// merge returns the fix that rewrites a block for the current text. It returns false if no merge is possible, or if the
// format of the block cannot express the merged change exactly.
func (c *Reply) merge(ctx context.Context, i int, merged *check.Result, where check.Where) (diag.Fix, bool, error) {
	b, after := &c.Blocks[i], merged.Blocks[i]
	names := baseNames(after.Diagnostics)
	if len(names) == 0 || after.State != check.Ready {
		return diag.Fix{}, false, nil
	}
	changed := slices.DeleteFunc(plan.Files(after.Files), func(f plan.File) bool { return !f.Changes() })
	to := convert.Format(b.Format.Name)
	if !slices.Contains(convert.Formats, to) {
		to = convert.Structured
	}
	body, err := convert.Document(ctx, to, changed, where, c.View.Name)
	if cannot := (*convert.CannotError)(nil); errors.As(err, &cannot) {
		return diag.Fix{}, false, nil
	}
	if err != nil {
		return diag.Fix{}, false, err
	}
	fix := diag.Fix{Title: "Merge with the text of " + strings.Join(names, " and "), Edits: []text.Edit{rewritten(b, to, body)}}
	ok, err := c.gives(ctx, fix, b.Index, changed, where)
	return fix, ok, err
}

// rewritten returns the edit that replaces a block's body in the document. If the format `to` is not the block's own
// format, the edit replaces the fence as well.
func rewritten(b *check.Block, to convert.Format, body string) text.Edit {
	if string(to) != b.Format.Name {
		return text.Edit{Span: b.At(), New: convert.Fenced(to, body)}
	}
	return b.HostEdit(text.Edit{Span: text.Span{End: len(b.Body)}, New: body})
}

func baseNames(ds []diag.Diagnostic) []string {
	var names []string
	for _, d := range ds {
		if d.Code == diag.BaseRecovered && !slices.Contains(names, d.Base) {
			names = append(names, d.Base)
		}
	}
	return names
}

func (c *Reply) gives(ctx context.Context, fix diag.Fix, block int, files []plan.File, where check.Where) (bool, error) {
	doc := c.Documents[0]
	fixed, err := text.Apply(doc.Text, fix.Edits)
	if err != nil {
		return false, fmt.Errorf("a fix does not fit its document: %w", err)
	}
	doc.Text = fixed
	where.Block = block
	r, err := check.Check(ctx, []check.Document{doc}, where)
	if none := (*check.NoSuchBlock)(nil); errors.As(err, &none) {
		return false, nil
	}
	if err != nil || !r.Applicable() {
		return false, err
	}
	same := func(a, b plan.File) bool { return a.Path == b.Path && a.To == b.To && a.After == b.After }
	return slices.EqualFunc(byPath(r.Plan.Files), byPath(files), same), nil
}

func byPath(files []plan.File) []plan.File {
	return slices.SortedFunc(slices.Values(files), func(a, b plan.File) int { return strings.Compare(a.Path, b.Path) })
}

// noteClash records why no merge is offered for the diagnostic `d` of a document: the merge has a conflict in the file
// of `d`. It reports whether the recorded reason changed. The reason is found only when the editor requests actions: a
// search of earlier texts runs git, and must not run after each key.
func noteClash(doc *documents.Document, d diag.Diagnostic, merged []diag.Diagnostic) bool {
	why := ""
	for _, m := range merged {
		if m.Code == diag.BaseConflict && m.Path == d.Path {
			why = m.Message
		}
	}
	before, known := doc.NoMerge.Swap(d.Span, why)
	return before != why && (known || why != "")
}

// explainClash adds to a diagnostic the reason why no merge is offered, if it is known.
func explainClash(doc *documents.Document, d diag.Diagnostic) diag.Diagnostic {
	if why, _ := doc.NoMerge.Load(d.Span); d.Passage != "" && why != nil && why != "" {
		d.Message += "; no merge is offered: " + why.(string)
	}
	return d
}
