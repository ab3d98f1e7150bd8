package check

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/plan"
)

// Identify gives the line patches of r their ids (rule L24), before they are applied to the
// workspace at root, or after they are found to be done. If the history knows a done patch,
// the patch gets the ids of its first time; h may be nil. Blocks with errors get none.
//
// An error comes from the history. In that case, done patches have new ids, too.
func (r *Result) Identify(ctx context.Context, h *history.Store, root string) error {
	var errs []error
	for i := range r.Blocks {
		b := &r.Blocks[i]
		if b.Batch == nil || b.State != Ready && b.State != Done {
			continue
		}
		if b.State == Done && h != nil {
			known, err := h.BatchOf(ctx, root, r.BlockKey(*b))
			if err == nil {
				b.Batch = &known
				continue
			}
			if !errors.Is(err, history.ErrNoBatch) {
				errs = append(errs, err)
			}
		}
		b.Batch = r.identified(b)
	}
	return errors.Join(errs...)
}

// BlockKey is [Result.Key] of a block that is applied alone.
func (r *Result) BlockKey(b Block) string { return key([]Block{b}, r.Skip) }

// Batches returns the line patches of r that have ids, in order.
func (r *Result) Batches() []protocol.Batch {
	var all []protocol.Batch
	for _, b := range r.Blocks {
		if b.identified() {
			all = append(all, *b.Batch)
		}
	}
	return all
}

// Applying returns those of [Result.Batches] that are not done yet, in the form in which an
// apply is recorded with them: [history.Apply.Batches].
func (r *Result) Applying() []history.Batch {
	var all []history.Batch
	for _, b := range r.Blocks {
		if b.identified() && b.State == Ready {
			all = append(all, history.Batch{Block: r.BlockKey(b), Batch: *b.Batch})
		}
	}
	return all
}

func (b *Block) identified() bool { return b.Batch != nil && b.Batch.BatchID != "" }

// identified returns a block's line patch with new ids, without the parts that are left
// out. Its parts are those of [Block.Parts], in their order.
func (r *Result) identified(b *Block) *protocol.Batch {
	skipped := map[int]bool{}
	for _, part := range r.Skip[b.Index] {
		skipped[part] = true
	}
	batch := *b.Batch
	batch.BatchID, batch.Files = history.NewID(), []protocol.FilePatch{}
	part := 0
	for i, f := range b.Batch.Files {
		whole := part
		part += 1 + len(f.Changes)
		if skipped[whole] {
			continue
		}
		f.FilePatchID = history.NewID()
		f.Path, f.SHA256 = b.left(i)
		f.Changes = identified(f.Changes, func(n int) bool { return skipped[whole+1+n] })
		if len(f.Changes) > 0 {
			batch.Files = append(batch.Files, f)
		}
	}
	return &batch
}

func identified(changes []protocol.PatchChange, skipped func(int) bool) []protocol.PatchChange {
	var out []protocol.PatchChange
	for i, c := range changes {
		if !skipped(i) {
			c.ChangeID = history.NewID()
			out = append(out, c)
		}
	}
	return out
}

// left returns the file of the change with an index, and the SHA-256 of the file after the
// block.
func (b *Block) left(change int) (path, sum string) {
	f := b.fileOf(change)
	if f == nil {
		return "", ""
	}
	hash := sha256.Sum256([]byte(f.After().Data))
	return f.Path, hex.EncodeToString(hash[:])
}

// fileOf returns the file of a change by the place at which it is first named. If two
// docPaths are keys of a file, the places of its edits identify it.
func (b *Block) fileOf(change int) *plan.BlockFile {
	c := b.Set.Changes[change]
	path := ""
	for _, p := range b.Places {
		if b.HostSpan(c.At).Contains(p.At) {
			path = p.Path
			break
		}
	}
	for i, f := range b.Files {
		if f.At == c.PathAt.Shown() || path != "" && f.Path == path {
			return &b.Files[i]
		}
	}
	return nil
}

func (r *Result) Named() map[string]bool {
	named := map[string]bool{}
	for _, b := range r.Blocks {
		for _, f := range b.Files {
			if b.Batch != nil {
				named[f.Path] = true
			}
		}
	}
	return named
}
