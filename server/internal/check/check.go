package check

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/docpath"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/lint"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Where a document is checked: the tree that its paths are about, and the rules.
type Where struct {
	Tree fs.FS  // nil where no folder is open: then every block has an error
	Base string // absolute path of the tree's root with slashes
	Own  string // see [plan.Options]

	Nowhere string // why Tree is nil, for a message; "" where no folder is open

	Block  int  // only the block of this index, from 1; 0 for all of them
	Skip   Skip // what is left out of blocks
	Strict bool // warnings are errors
	Lint   bool // hints by the rules R34 to R37, too

	// OneEnding: the editor gives all lines of a file the same ending when it opens
	// it, so that an edit there changes more than is meant.
	OneEnding bool

	// SkipMissing leaves out replacements whose find is not there, with a warning that asks.
	// Otherwise they are errors (rule S7).
	SkipMissing bool
	// Missing is the same for some replacements of blocks only, by index in [Block.Steps].
	Missing Skip

	// Protected: nil where no path is protected.
	Protected ProtectedFunc
	// ProtectedIs is the severity of a protected path: an error where nobody can be
	// asked, a warning where a person can.
	ProtectedIs diag.Severity
	// History is where the change will be recorded; nil for nowhere.
	History *history.Store
	// AllowProtected: the person agreed beforehand.
	AllowProtected bool
	// Unsaved reports whether an editor holds text of a file that is not on disk. Nil: none does.
	Unsaved func(path string) bool
	// NotebookOpen reports whether an editor shows a file as a notebook. Nil: none does.
	NotebookOpen func(path string) bool
	// DocPath: see [plan.Options].
	DocPath docpath.LookupFunc
	// Remembered says what became of the files that exactly these blocks changed when
	// they were applied before, by path. Nil where nothing is remembered.
	Remembered func(ctx context.Context, key string) (map[string]history.Standing, error)
	// Earlier: see [plan.Options]. It is called only where a file lacks a passage.
	Earlier plan.EarlierFunc
	// Snippet is the lines, from 1, that a search handed out of a file with a hash;
	// Version is the apply before or after which a file had one. They only say more of a
	// line patch that is refused. Nil where nothing is remembered.
	Snippet func(ctx context.Context, docPath, sha string) (start, end int, ok bool)
	Version func(ctx context.Context, path, sha string) (apply string, before, ok bool)

	meter *meter.Meter // pays for the whole check, however often it plans
}

// A Result is all that is known of one or more documents, whose blocks are one
// transaction.
type Result struct {
	Documents []Document
	Blocks    []Block
	Plan      plan.Plan                  // of Blocks, in order
	Key       string                     // of Blocks, for the history
	Protected map[string]disk.Protection // of the files of Plan, by path
	Declined  bool                       // no block, but a sentence that says no safe edit can be made
	LeftOut   int                        // blocks that [Document.OwnOnly] left out
	Unread    []Unread                   // what could change a file beside the blocks, in order

	DeclinedAt text.Span // that sentence, in the first document that has one

	meter  *meter.Meter // of all blocks
	skip   Skip
	wanted int // the only block that is looked at; 0 for all
}

// A State is that of a block.
type State string

// The states of a block.
const (
	Ready      State = "ready"
	Done       State = "done"
	Incomplete State = "incomplete"
	Failed     State = "error"
)

// A Block is a block of ours.
type Block struct {
	*format.Region
	Document    int // index in Result.Documents
	Index       int // from 1, over the blocks of ours only
	Format      format.Format
	State       State
	Files       []plan.BlockFile
	Diagnostics []diag.Diagnostic // spans and fixes are those of the document
	Places      []plan.Place      // At is of the document
	Parts       []Part
	Batch       *protocol.Batch // a line patch as it was read; nil for other formats. Its ids are there after Identify

	Entries, Readable int    // entries of the block, and those without a syntax error in them
	Summary           string // what the block says of itself; "" for nothing

	Set intent.Set // as parsed; spans are those of the body

	cut       bool            // there are more blocks, which are not read
	notClosed diag.Diagnostic // of a block that is not closed
	below     int             // the line of a fence above that ended too early; 0 for none
}

// NoSuchBlock is the error of asking for a block that a document does not have.
type NoSuchBlock struct{ Block, Blocks int }

func (e *NoSuchBlock) Error() string {
	has := fmt.Sprintf("the reply has %d Aptix blocks", e.Blocks)
	if e.Blocks == 1 {
		has = "the reply has one Aptix block"
	}
	if e.Block < 1 {
		return "blocks are counted from 1: " + has
	}
	return fmt.Sprintf("there is no block %d: %s", e.Block, has)
}

// Check finds, parses and plans the blocks of documents, in order. Of a passage that only
// an earlier content of its file has, it names that content. An error is input that could
// not be read, a [NoSuchBlock], or ctx's.
func Check(ctx context.Context, docs []Document, where Where) (*Result, error) {
	if where.meter == nil {
		where.meter = meterOf(docs)
	}
	r, err := checkPresent(ctx, docs, where)
	if err != nil || where.Earlier == nil || !r.lacksPassage() {
		return r, err
	}
	return r, r.nameEarlier(ctx, where)
}

// checkPresent is [Check] with no eye for earlier contents.
func checkPresent(ctx context.Context, docs []Document, where Where) (*Result, error) {
	where.Earlier = nil
	return checkAll(ctx, docs, where)
}

// checkAll is [Check]. What was made for an earlier content of a file is merged with the
// present one.
func checkAll(ctx context.Context, docs []Document, where Where) (*Result, error) {
	r := &Result{Documents: docs, meter: where.meter}
	if err := r.find(where); err != nil {
		return nil, err
	}
	if len(r.Blocks) == 0 {
		if r.LeftOut == 0 {
			r.findRefusal()
		}
		return r, nil
	}
	var sets []intent.Set
	if !r.meter.Spent() {
		sets = r.parse(where.Lint)
	}
	if r.meter.Spent() {
		r.fail(diag.ReplyTooLarge, "to read the reply takes more work than one reply may cause, and nothing of it is checked; send it in parts")
		return r, nil
	}
	if where.Tree == nil {
		r.nowhere(where.Nowhere)
		return r, nil
	}
	tree, end := plan.Cached(where.Tree)
	defer end()
	where.Tree = tree
	r.Key, r.skip = key(r.Blocks, where.Skip), where.Skip
	standing, err := where.remembered(ctx, r.Key)
	if err != nil {
		return nil, err
	}
	r.Plan, err = plan.Build(ctx, where.Tree, sets, plan.Options{Base: where.Base, Own: where.Own, Meter: where.meter, DocPath: where.DocPath, Applied: applied(standing), EndingsUnknown: where.OneEnding, SkipMissing: where.SkipMissing, Earlier: where.Earlier, Ignored: where.unmeant(), Skipped: r.skipped(where.Skip), Missing: r.missing(where.Missing)})
	if err != nil {
		return nil, err
	}
	if known(standing) {
		r.alreadyApplied()
		return r, nil
	}
	if r.Protected, err = where.protected(ctx, r.Plan); err != nil {
		return nil, err
	}
	r.overlaps()
	r.alternatives()
	r.account(where)
	if last := len(r.Blocks) - 1; r.meter.Spent() && !diag.HasErrors(r.Plan.Blocks[last].Diagnostics) {
		r.Plan.Blocks[last].Diagnostics = append(r.Plan.Blocks[last].Diagnostics, plan.TooMuchWork())
	}
	for i := range r.Blocks {
		where.recall(ctx, r.Plan.Blocks[i].Diagnostics)
		r.Blocks[i].take(r.Plan.Blocks[i], where, r.Protected)
	}
	return r, nil
}

// find fills in the blocks of ours: all, or the only one that is wanted.
func (r *Result) find(where Where) error {
	only := where.Block
	r.wanted = only
	for i, doc := range r.Documents {
		for _, c := range claims(doc, where.Tree, where.meter) {
			if doc.OwnOnly && c.format.Guest {
				r.LeftOut++
				continue
			}
			r.Blocks = append(r.Blocks, Block{Region: c.Region, Document: i, Index: len(r.Blocks) + r.LeftOut + 1, Format: c.format, below: c.below})
		}
	}
	if only == 0 && len(r.Blocks) > mostBlocks {
		r.Blocks = r.Blocks[:mostBlocks:mostBlocks]
		r.Blocks[mostBlocks-1].cut = true
	}
	if only == 0 || len(r.Blocks) == 0 {
		return nil
	}
	i := slices.IndexFunc(r.Blocks, func(b Block) bool { return b.Index == only })
	if i < 0 {
		return &NoSuchBlock{only, len(r.Blocks)}
	}
	r.Blocks = r.Blocks[i : i+1]
	return nil
}

// findRefusal looks for a sentence that says why there is no block
// (rule R7).
func (r *Result) findRefusal() {
	for _, doc := range r.Documents {
		if at, ok := mdblock.Declined(doc.Text); ok {
			r.Declined, r.DeclinedAt = true, at
			return
		}
	}
}

// parse reads every block. The sets are one for each block.
func (r *Result) parse(hints bool) []intent.Set {
	sets := make([]intent.Set, len(r.Blocks))
	room := mostContent
	for i := range r.Blocks {
		b := &r.Blocks[i]
		if !b.Closed {
			b.notClosed = notClosed(r.Documents[b.Document].Text, b)
			continue
		}
		b.Room = &room
		parsed := b.Format.Parse(b.Region)
		sets[i] = parsed.Set
		b.Set, b.Diagnostics, b.Summary = parsed.Set, parsed.Diagnostics, parsed.Summary
		if b.cut {
			b.Diagnostics = append(b.Diagnostics, diag.Diagnostic{Severity: diag.Error, Code: diag.ReplyTooLarge, Message: fmt.Sprintf("the reply has more than %d blocks, and the others are not checked; send them in parts", mostBlocks)})
		}
		if b.below > 0 && r.wanted == 0 {
			b.Diagnostics = append(b.Diagnostics, misfenced(b.below))
		}
		b.Entries, b.Readable, b.Batch = parsed.Entries, parsed.Readable, parsed.Batch
		b.Parts = partsOf(b.Set.Changes)
		for j := range b.Parts {
			b.Parts[j].At = b.HostSpan(b.Parts[j].At)
		}
		if indented(r.Documents[b.Document].Text, b.Region) {
			doubt(b.Diagnostics, diag.JSONRawNewline)
		}
		if hints {
			b.Diagnostics = append(b.Diagnostics, lint.SYS004(b.Body, parsed.Set)...)
		}
	}
	return sets
}

// doubt takes the certainty from the fixes of diagnostics of one code.
func doubt(ds []diag.Diagnostic, code diag.Code) {
	for i := range ds {
		for j := range ds[i].Fixes {
			if ds[i].Code == code {
				ds[i].Fixes[j].Preferred = false
			}
		}
	}
}

// nowhere ends a check that has no tree to plan for, for a reason.
func (r *Result) nowhere(why string) {
	if why == "" {
		why = "no folder is open, so the paths in this block lead nowhere; open the folder that they are relative to"
	}
	r.fail(diag.NoWorkspace, why)
}

// fail ends a check with an error of every block.
func (r *Result) fail(code diag.Code, message string) {
	for i := range r.Blocks {
		b := &r.Blocks[i]
		b.Diagnostics = append(b.Diagnostics, diag.Diagnostic{Severity: diag.Error, Code: code, Message: message})
		b.settle(false)
	}
}

// take completes a block with its part of the plan.
func (b *Block) take(p plan.Block, where Where, protected map[string]disk.Protection) {
	b.Files = p.Files
	b.Diagnostics = append(b.Diagnostics, p.Diagnostics...)
	b.Places = p.Places
	for i := range b.Places {
		b.Places[i].At = b.HostSpan(b.Places[i].At)
	}
	b.Diagnostics = append(b.Diagnostics, where.guarded(p.Files, protected)...)
	for _, f := range p.Files {
		if f.State == plan.Change {
			b.Diagnostics = append(b.Diagnostics, where.consider(f)...)
		}
	}
	if !b.Closed {
		b.Diagnostics = []diag.Diagnostic{b.notClosed}
	}
	b.settle(where.Strict)
}

// settle turns body spans into those of the document, and decides the state.
func (b *Block) settle(strict bool) {
	for i := range b.Diagnostics {
		d := &b.Diagnostics[i]
		if strict && d.Severity == diag.Warning {
			d.Severity = diag.Error
		}
		b.toHost(d)
		*d = d.Plain()
	}
	slices.SortStableFunc(b.Diagnostics, func(x, y diag.Diagnostic) int { return x.Span.Start - y.Span.Start })
	b.State = Done
	switch {
	case !b.Closed:
		b.State = Incomplete
	case diag.HasErrors(b.Diagnostics):
		b.State = Failed
	case slices.ContainsFunc(b.Files, func(f plan.BlockFile) bool { return f.State == plan.Change }):
		b.State = Ready
	}
}

func (b *Block) toHost(d *diag.Diagnostic) {
	if !b.Closed {
		d.Span = b.Open
		return
	}
	*d = intent.Diagnostic(b, *d)
}

// Applicable reports whether every block can be applied, or is done.
func (r *Result) Applicable() bool {
	return len(r.Blocks) > 0 && !slices.ContainsFunc(r.Blocks, func(b Block) bool { return b.State == Failed || b.State == Incomplete }) &&
		!slices.ContainsFunc(r.Unread, func(u Unread) bool { return u.Diagnostic.Severity == diag.Error && len(r.Plan.Files) > 0 })
}

func (w Where) remembered(ctx context.Context, key string) (map[string]history.Standing, error) {
	if w.Remembered == nil {
		return nil, nil
	}
	return w.Remembered(ctx, key)
}

func (w Where) protected(ctx context.Context, p plan.Plan) (map[string]disk.Protection, error) {
	if w.Protected == nil || len(p.Files) == 0 {
		return nil, nil
	}
	paths := slices.Collect(maps.Values(p.Copied))
	for _, f := range plan.Paths(p.Files) {
		paths = append(paths, f.Path)
	}
	protected, err := w.Protected(ctx, paths, p.Through)
	for to, from := range p.Copied { // a secret under another name is still one
		if of, is := protected[from]; is && protected[to].Reason == "" {
			protected[to] = disk.Protection{Reason: "it is a copy of " + from + "; " + of.Reason, Ignored: of.Ignored}
		}
	}
	for _, f := range plan.Paths(p.Files) {
		if of := protected[f.Path]; w.History != nil && of.Ignored && f.Before.Exists && !KeepsIgnored(ctx, w.History) {
			of.Reason += "; the history keeps no contents of it, so this cannot be reverted later"
			protected[f.Path] = of
		}
	}
	return protected, err
}

// KeepsIgnored reports whether a history keeps the contents of files that git ignores: a
// setting asks for it, or the environment variable APTIX_HISTORY_IGNORED=1.
func KeepsIgnored(ctx context.Context, h *history.Store) bool {
	if os.Getenv("APTIX_HISTORY_IGNORED") == "1" {
		return true
	}
	keep, err := h.KeepIgnored(ctx)
	return keep && err == nil
}

// unmeant says which paths are no files that a reply may mean without naming them.
func (w Where) unmeant() func(ctx context.Context, paths []string) (map[string]bool, error) {
	if w.Protected == nil || w.AllowProtected {
		return nil
	}
	return func(ctx context.Context, paths []string) (map[string]bool, error) {
		protected, err := w.Protected(ctx, paths, nil)
		unmeant := map[string]bool{}
		for p := range protected {
			unmeant[p] = true
		}
		return unmeant, err
	}
}
