package check

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/history"
)

// key identifies a sequence of blocks by format, body and the parts that are left out,
// independently of the text around them.
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

// writeString hashes a text, which may be as long as a reply, piece by piece to avoid a
// copy of it.
func writeString(h hash.Hash, s string, piece []byte) {
	for s != "" {
		n := copy(piece, s)
		h.Write(piece[:n])
		s = s[n:]
	}
}

// known reports whether the blocks were applied, and all files that they changed are still
// as they left them.
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

// alreadyApplied makes every block done, because the history knows them and the tree is as
// they left it. The result of applying their steps again does not matter, and neither do
// the problems of that.
func (r *Result) alreadyApplied() {
	for i := range r.Blocks {
		b := &r.Blocks[i]
		b.Files = r.Plan.Blocks[i].Files
		for j := range b.Files {
			b.Files[j].Settle()
		}
		b.Diagnostics = []diag.Diagnostic{{Severity: diag.Info, Code: diag.AlreadyApplied,
			Message: "this was applied before, and its files have not changed since"}}
		b.settle(false)
	}
	r.Plan.Files = nil
}

// recall adds to diagnostics about a text that a file no longer holds which text that is,
// if the history knows it.
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
	d.Message = fmt.Sprintf("%s is the hash of the file %s the apply %s, but the file has changed since; read the file again, and make the patch for its present text", of.Name, when, apply)
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
	d.Message = fmt.Sprintf("%s is the hash of only %s, which a search returned; a patch is made for the whole file: read it with workspace_read_file, and use its SHA-256 and its line numbers", of.Name, lines)
}

// Snippet returns [Where.Snippet] from a history. If the history cannot be read, nothing is
// known, because it would only add to the explanation of a patch that is refused anyway.
func Snippet(h *history.Store) func(ctx context.Context, docPath, sha string) (start, end int, ok bool) {
	return func(ctx context.Context, docPath, sha string) (int, int, bool) {
		start, end, ok, err := h.Snippet(ctx, docPath, sha)
		return start, end, ok && err == nil
	}
}

// Version returns [Where.Version] from a history, for the workspace at root.
func Version(h *history.Store, root string) func(ctx context.Context, path, sha string) (apply string, before, ok bool) {
	return func(ctx context.Context, path, sha string) (string, bool, bool) {
		apply, before, err := h.Version(ctx, root, path, sha)
		return apply, before, apply != "" && err == nil
	}
}
