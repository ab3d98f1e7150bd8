package check

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// key identifies a sequence of blocks by their formats, their bodies and the parts left out.
// The text around the blocks does not matter.
func key(blocks []Block, skip Skip) string {
	h := sha256.New()
	piece := make([]byte, 32<<10)
	for _, b := range blocks {
		fmt.Fprintf(h, "%s %d\n", b.Format.Name, len(b.Body))
		writeString(h, b.Body, piece)
		skip.writeKey(h, b)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// writeString hashes a text piece by piece, because copying one as long as a reply would take
// memory.
func writeString(h hash.Hash, s string, piece []byte) {
	for s != "" {
		n := copy(piece, s)
		h.Write(piece[:n])
		s = s[n:]
	}
}

// known reports whether the blocks were applied and have left all the files that they changed
// as they are now.
func known(standing map[string]history.Standing) bool {
	for _, s := range standing {
		if s != history.Left {
			return false
		}
	}
	return len(standing) > 0
}

// applied returns the files on which the blocks were applied and not undone since.
func applied(standing map[string]history.Standing) map[string]bool {
	files := map[string]bool{}
	for path, s := range standing {
		files[path] = s != history.Undone
	}
	return files
}

// alreadyApplied marks every block as done, because the history knows that the tree is as the
// blocks left it. The result of applying their steps again, and its problems, are dropped.
func (r *Result) alreadyApplied() {
	for i := range r.Blocks {
		b := &r.Blocks[i]
		b.Files = r.Plan.Blocks[i].Files
		for j := range b.Files {
			b.Files[j].Settle()
		}
		b.Diagnostics = []diag.Diagnostic{diag.New(diag.AlreadyApplied, text.Span{}, "this was already applied, and its files have not changed since")}
		b.settle(false)
	}
	r.Plan.Files = nil
}

// recall looks up, in the history, the texts that blocks were made for but that files no
// longer hold, and adds their origin to the diagnostics.
func (w Where) recall(ctx context.Context, ds []diag.Diagnostic) {
	for i := range ds {
		if of := ds[i].MadeFor; of != nil && !w.recallVersion(ctx, &ds[i], *of) {
			w.recallSnippet(ctx, &ds[i], *of)
		}
	}
}

func (w Where) recallVersion(ctx context.Context, d *diag.Diagnostic, of diag.MadeFor) bool {
	if w.Version == nil {
		return false
	}
	apply, before, ok := w.Version(ctx, of.Path, of.SHA256)
	if !ok {
		return false
	}
	when := "after"
	if before {
		when = "before"
	}
	d.Code = diag.SHA256Mismatch
	d.Message = fmt.Sprintf("%s is the hash of the file %s the apply %s, but the file has changed since; read the file again, and write the patch for its present text", of.Name, when, apply)
	return true
}

func (w Where) recallSnippet(ctx context.Context, d *diag.Diagnostic, of diag.MadeFor) {
	if w.Snippet == nil || of.DocPath == "" {
		return
	}
	first, last, ok := w.Snippet(ctx, of.DocPath, of.SHA256)
	if !ok {
		return
	}
	lines := fmt.Sprintf("lines %d to %d", first, last)
	if first == last {
		lines = fmt.Sprintf("line %d", first)
	}
	d.Code = diag.SnippetSHA
	d.Message = fmt.Sprintf("%s is the hash of only %s, which a search returned; read the whole file with workspace_read_file, and use its SHA-256 and its line numbers", of.Name, lines)
}

// Snippet returns [Where.Snippet] for a history. If the history cannot be read, no snippet is
// found: it would only help to explain a patch that is refused anyway.
func Snippet(h *history.Store) func(ctx context.Context, docPath, sha string) (start, end int, ok bool) {
	return func(ctx context.Context, docPath, sha string) (int, int, bool) {
		start, end, ok, err := h.Snippet(ctx, docPath, sha)
		return start, end, ok && err == nil
	}
}

// Version returns [Where.Version] for a history and the workspace at root.
func Version(h *history.Store, root string) func(ctx context.Context, path, sha string) (apply string, before, ok bool) {
	return func(ctx context.Context, path, sha string) (string, bool, bool) {
		apply, before, err := h.Version(ctx, root, path, sha)
		return apply, before, apply != "" && err == nil
	}
}
