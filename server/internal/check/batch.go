package check

import (
	"context"
	"errors"
	"strings"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Identify gives ids to the line patches of r (rule L24). A patch that was already applied gets the ids of that apply,
// if `h` has them. Patches with errors get no ids, and all others get new ones. Call it before r is applied to the
// workspace at `root`. `h` may be nil.
//
// If the history cannot be read, Identify returns an error, and gives new ids.
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
		b.Batch = r.withIDs(b)
	}
	return errors.Join(errs...)
}

// BlockKey returns the [Result.Key] of a result that has only block `b`.
func (r *Result) BlockKey(b Block) string { return key([]Block{b}, r.Skip) }

// Batches returns the line patches of r that have ids, in order.
func (r *Result) Batches() []protocol.Batch {
	return text.Each(text.Only(r.Blocks, Block.identified), func(b Block) protocol.Batch { return *b.Batch })
}

// Applying returns the line patches of [Result.Batches] that are not applied yet, for [history.Apply.Batches].
func (r *Result) Applying() []history.Batch {
	var all []history.Batch
	for _, b := range r.Blocks {
		if b.identified() && b.State == Ready {
			all = append(all, history.Batch{Block: r.BlockKey(b), Batch: *b.Batch})
		}
	}
	return all
}

func (b Block) identified() bool { return b.Batch != nil && b.Batch.BatchID != "" }

// withIDs returns a block's line patch with new ids, without the parts that a person left out. [Block.Parts] counts
// each file, followed by its changes.
func (r *Result) withIDs(b *Block) *protocol.Batch {
	skipped := text.Set(r.Skip[b.Index])
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
		f.Path, f.SHA256 = "", ""
		if left := b.FileOf(i); left != nil {
			f.Path, f.SHA256 = left.Path, text.SumHex(left.After().Data)
		}
		changes := f.Changes
		f.Changes = nil
		for n, c := range changes {
			if !skipped[whole+1+n] {
				c.ChangeID = history.NewID()
				f.Changes = append(f.Changes, c)
			}
		}
		if len(f.Changes) > 0 {
			batch.Files = append(batch.Files, f)
		}
	}
	return &batch
}

// FileOf returns the file of the change with this index, or nil. Usually, the change and the file have the same span of
// the path. Two docPaths may mean one file, so FileOf also compares the places of the edits. The path of a block's only
// change may be outside of the block, so that change gets the block's only file.
func (b *Block) FileOf(change int) *plan.BlockFile {
	c := b.Set.Changes[change]
	path := ""
	for _, p := range b.Places {
		if b.HostSpan(c.At).Contains(p.At) {
			path = p.Path
			break
		}
	}
	only := len(b.Set.Changes) == 1 && len(b.Files) == 1
	for i, f := range b.Files {
		if only || f.At == c.PathAt.Shown() || path != "" && f.Path == path {
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

// Label describes an apply of r to people: by the labels of its line patches, or else by `name`, the name of the reply.
// The name "-" stands for standard input.
func (r *Result) Label(name string) string {
	var labels []string
	for _, b := range r.Blocks {
		if b.State == Ready && b.Batch != nil && b.Batch.BatchLabel != "" {
			labels = append(labels, b.Batch.BatchLabel)
		}
	}
	switch {
	case len(labels) > 0:
		return strings.Join(labels, "; ")
	case name == "-":
		return "standard input"
	}
	return name
}
