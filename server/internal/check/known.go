package check

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// key returns a hash of the formats and bodies of blocks, and of the parts left out, but not of the text around the
// blocks.
func key(blocks []Block, skip Skip) string {
	h := sha256.New()
	for _, b := range blocks {
		fmt.Fprintf(h, "%s %d\n", b.Format.Name, len(b.Body))
		h.Write(text.Bytes(b.Body))
		skip.writeKey(h, b)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// replyKey returns a hash of whole documents and of the parts that are left out of them.
func (r *Result) replyKey(where Where) string {
	h := sha256.New()
	fmt.Fprintf(h, "reply %d %v %v %v %v\n", where.Block, where.Rest, where.SkipMissing, r.Skip, r.Missing)
	for _, d := range where.reply {
		fmt.Fprintf(h, "%s %d\n", d.Format, len(d.Text))
		h.Write(text.Bytes(d.Text))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// standingOfReply returns the files that an earlier apply of the whole reply changed, with their current state. A
// search for the blocks is not enough: since the apply changed the files, the same reply may now have different blocks,
// or different fixes that are certain.
func (r *Result) standingOfReply(ctx context.Context, where Where) (map[string]history.Standing, error) {
	if where.Tree == nil || where.History == nil {
		return nil, nil
	}
	r.ReplyKey = r.replyKey(where)
	return where.standing(ctx, where.Tree, r.ReplyKey, where.History.StandingOfReply)
}

// editedSince returns the files that an earlier apply of the same blocks or the same reply changed, and that were
// edited after it. It leaves out a file from which the whole change was removed: another apply neither undoes nor
// repeats an edit of that file.
func (r *Result) editedSince(ofBlocks, ofReply map[string]history.Standing) map[string]bool {
	files := map[string]bool{}
	for _, standing := range []map[string]history.Standing{ofBlocks, ofReply} {
		for path, s := range standing {
			if s == history.Moved && r.stillHas(path) {
				files[path] = true
			}
		}
	}
	return files
}

// stillHas reports whether a part of the reply's change is still in a file. It also returns true if the reply replaces
// or deletes the whole file.
func (r *Result) stillHas(name string) bool {
	for _, b := range r.Plan.Blocks {
		if slices.ContainsFunc(b.Places, func(p plan.Place) bool { return p.Path == name && p.Done }) || slices.ContainsFunc(b.Files, func(f plan.BlockFile) bool {
			return f.Path == name && (f.State == plan.Done || f.Whole || f.Operation == plan.Remove)
		}) {
			return true
		}
	}
	return slices.ContainsFunc(r.Plan.Files, func(f plan.File) bool { return f.Path == name && addsAgain(f.Before.Data, f.After.Data) })
}

// addsAgain reports whether the text before a change already has any of the lines that the change adds. It ignores
// short lines, such as brackets.
func addsAgain(before, after string) bool {
	old, new := text.SplitLines(before), text.SplitLines(after)
	has := text.Set(text.Each(old, strings.TrimSpace))
	return slices.ContainsFunc(diff.RunsOf(old, new), func(run diff.Run) bool {
		return slices.ContainsFunc(new[run.NewStart:run.NewEnd], func(line string) bool { return text.Shared.Says(line) && has[strings.TrimSpace(line)] })
	})
}

// known reports whether the blocks were applied, and every file that they changed is still as the apply left it.
func known(standing map[string]history.Standing) bool {
	for _, s := range standing {
		if s != history.Left {
			return false
		}
	}
	return len(standing) > 0
}

// applied returns the files that the blocks changed in an earlier apply, by path. The value is false if the change was
// undone later.
func applied(standing map[string]history.Standing) map[string]bool {
	files := map[string]bool{}
	for path, s := range standing {
		files[path] = s != history.Undone
	}
	return files
}

// alreadyApplied marks every block as done, because the tree already has the result. It drops the plan, which would
// apply the steps again, and keeps only its diagnostics about replacements that the person left out. It uses the
// changes that the history recorded for `key` to find the same unread parts as before the apply.
func (r *Result) alreadyApplied(ctx context.Context, where Where, key string) {
	for i := range r.Blocks {
		b := &r.Blocks[i]
		b.Files = r.Plan.Blocks[i].Files
		for j := range b.Files {
			b.Files[j].Settle()
		}
		b.Diagnostics = []diag.Diagnostic{diag.New(diag.AlreadyApplied, text.Span{}, "this was already applied, and its files have not changed since")}
		for _, d := range r.Plan.Blocks[i].Diagnostics {
			if isMissing(d) && r.Missing.has(b.Index, b.stepAt(d.Span.Start)) {
				b.Diagnostics = append(b.Diagnostics, d)
			}
		}
		b.copied = nil
		b.settle(false)
	}
	r.Plan.Files, r.Protected, r.Unread = nil, nil, nil
	r.account(where, where.made(ctx, key))
}

// made returns the changes of the latest apply with the given key, except for files whose contents are not kept. If the
// history cannot be read, it returns nil.
func (p Past) made(ctx context.Context, key string) (files []plan.File) {
	applies, err := p.History.LastOf(ctx, p.Root, []string{key})
	if err != nil || len(applies) == 0 {
		return nil
	}
	a, err := p.History.Get(ctx, applies[0].ID)
	if err != nil {
		return nil
	}
	kept := text.Only(a.Files, func(f history.File) bool { return !f.NotKept })
	return text.Each(kept, func(f history.File) plan.File { return plan.File{Path: f.Path, Before: f.Before, After: f.After} })
}

// recall searches the history for texts that blocks expect but that their files no longer have. If it finds a text, it
// adds the origin of the text to the diagnostic.
func (p Past) recall(ctx context.Context, ds []diag.Diagnostic) {
	for i := range ds {
		if made := ds[i].MadeFor; made != nil && p.History != nil && !p.recallVersion(ctx, &ds[i], *made) && made.DocPath != "" {
			p.recallSnippet(ctx, &ds[i], *made)
		}
	}
}

func (p Past) recallVersion(ctx context.Context, d *diag.Diagnostic, made diag.MadeFor) bool {
	apply, before, err := p.History.Version(ctx, p.Root, made.Path, made.SHA256)
	if apply == "" || err != nil {
		return false
	}
	when := "after"
	if before {
		when = "before"
	}
	d.Code = diag.SHA256Mismatch
	d.Message = fmt.Sprintf("%s is the hash of the file %s the change %s, but the file has changed since; read the file again, and write the patch for its current text", made.Name, when, apply)
	return true
}

func (p Past) recallSnippet(ctx context.Context, d *diag.Diagnostic, made diag.MadeFor) {
	first, last, ok, err := p.History.Snippet(ctx, made.DocPath, made.SHA256)
	if !ok || err != nil {
		// Ignore the error: the patch is refused in any case, and the lines would only explain why.
		return
	}
	d.Code = diag.SnippetSHA
	d.Message = fmt.Sprintf("%s is the hash of %s from a search, not of the whole file; read the file with workspace_read_file, and use its SHA-256 and its line numbers", made.Name, text.LineNames(first, last))
}
