package check

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/paths"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/protect"
	"github.com/aptix-dev/aptix/server/internal/reply"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Where describes where and how to check: the tree that paths refer to, and the rules.
type Where struct {
	Tree    fs.FS  // nil if no folder is open, in which case every block has an error
	Base    string // the absolute path of the tree's root, with slashes
	Own     string // the folder of this program's own state: see [plan.Options]
	Nowhere string // the reason why Tree is nil, for a message; "" if no folder is open
	// DocPath finds the file that a docPath names: see [plan.Options].
	DocPath paths.LookupFunc

	Choice
	Guard
	Editor
	Past
	// Earlier returns earlier contents of files: see [plan.Options]. It is called only if a file lacks a passage.
	Earlier plan.EarlierFunc

	Strict bool // warnings are errors
	Lint   bool // also give hints about the rules R34 to R37, on style

	// Meter limits the work of the whole check. If it is nil, the check makes one.
	Meter *meter.Meter
}

// A Choice selects parts of a reply.
type Choice struct {
	Block int  // the number of the only block to check, from 1; 0 for all blocks
	Rest  bool // leave out blocks that cannot be applied, if others can, and ask the person before the apply

	// SkipMissing leaves out each replacement whose find text is missing, and the person is asked before the apply.
	// Without SkipMissing, a missing find text is an error (S7).
	SkipMissing bool
	// LeftOut returns the parts and replacements that a person left out of blocks, by [Block.TextKey]. A replacement
	// stays left out only as long as its find text is missing. If LeftOut is nil, nothing is left out.
	LeftOut func(ctx context.Context) (map[string]history.LeftOut, error)
	// Without has the blocks to leave out, by their index. A warning names each of them, unless the files already have
	// its changes.
	Without map[int]Block

	reply []Document // the documents before any fixes

	repairing bool // the caller makes the certain fixes after this check

	failedCalls map[int]bool // the indexes of blocks that were not made: see [Result.failedCalls]

	edited map[string]bool // the files that an earlier apply of the reply changed, and that were edited after it
}

// A Guard says which files are protected.
type Guard struct {
	// Protected finds protected paths. It is nil if no path is protected.
	Protected ProtectedFunc
	// ProtectedIs is the severity of a change to a protected path: a warning, or an error if no person can be asked.
	ProtectedIs diag.Severity
	// AllowProtected is true if the person has already agreed to change protected files.
	AllowProtected bool
}

// An Editor describes the state of the files in an editor. A check without an editor uses the zero value.
type Editor struct {
	// OneEnding is true if the editor gives all lines of a file the same ending when it opens the file. If so, an edit
	// in the editor also changes other lines.
	OneEnding bool
	// Unsaved reports whether an editor has unsaved text of a file. It may be nil.
	Unsaved func(path string) bool
	// NotebookOpen reports whether an editor shows a file as a notebook. It may be nil.
	NotebookOpen func(path string) bool
}

// A Result is the result of checking one or more documents, whose blocks are applied as one transaction.
type Result struct {
	Documents []Document
	Blocks    []Block
	Plan      plan.Plan                     // the plan for Blocks, in order
	Key       string                        // the key of Blocks for the history
	ReplyKey  string                        // the key of the whole reply for the history, without any fixes
	Protected map[string]protect.Protection // the protected files of Plan, by path
	// the reply has no block, but a sentence which says that no safe edit can be made
	Declined bool
	Page     bool // the reply has no block, and a document begins with front matter
	// the reply has no block, but the history shows that it was applied and that its files have not changed since
	Known   bool
	LeftOut int // the number of blocks that [Document.OwnOnly] left out
	// parts that no format reads but that could change a file, and blocks left out by [Choice.Rest]
	Unread []Unread

	DeclinedAt text.Span // the span of the sentence that declines, in the first document that has one

	Skip    Skip // the parts left out of blocks
	Missing Skip // the replacements to leave out, each only as long as its find is missing

	structures []mdblock.Structure
	tree       fs.FS

	meter   *meter.Meter
	without map[int]Block // blocks that were left out: see [Choice.Rest]
	wanted  int           // the number of the only block to check; 0 for all
}

// A State is the state of a block.
type State string

const (
	Ready      State = "ready"
	Done       State = "done"
	Incomplete State = "incomplete"
	Failed     State = "error"
)

// A Block is a block in one of the formats that Aptix reads.
type Block struct {
	*format.Region
	// The content of the block. After the check, the spans of Diagnostics and their fixes refer to the document; all
	// other spans refer to the body. [Result.Identify] adds the ids of a line patch to Batch.
	format.Parsed
	Document int // index of its document in Result.Documents
	Index    int // counts from 1; fenced code that is not an edit does not count
	Format   format.Format
	State    State
	Files    []plan.BlockFile
	Places   []plan.Place // each At is a span of the document
	Parts    []Part

	cut       bool // the search for blocks stopped here, so later blocks are unknown
	notClosed diag.Diagnostic
	withdrawn bool // the block is a call that failed or that was undone, so it is left out
	below     int  // the line, from 1, of an earlier fence that ended too early; 0 if there is none

	// the diagnostics about code without fences in the block; their spans and fixes refer to the document
	copied []diag.Diagnostic
}

// A NoSuchBlock is the error for a block number that the document does not have.
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

// Check finds, parses and plans the blocks of documents, in order. If a passage occurs only in an earlier version of
// its file, the diagnostic names that version. It returns a [NoSuchBlock], an error from reading, or the error of ctx.
func Check(ctx context.Context, docs []Document, where Where) (*Result, error) {
	where.Meter = cmp.Or(where.Meter, meterOf(docs))
	defer where.Meter.EndWith(ctx)()
	if where.reply == nil {
		where.reply = docs
	}
	r, err := checkPresent(ctx, docs, where)
	if err == nil && where.Rest {
		return checkRest(ctx, r, where)
	}
	if err != nil || where.Earlier == nil || !r.lacksPassage() {
		return r, err
	}
	return r, r.nameEarlier(ctx, where)
}

// checkPresent is like [Check], but ignores earlier contents.
func checkPresent(ctx context.Context, docs []Document, where Where) (*Result, error) {
	where.Earlier = nil
	return checkAll(ctx, docs, where)
}

// checkAll is like [checkPresent], but if `where.Earlier` is set, it merges a change for an earlier version of a file
// into the current version.
func checkAll(ctx context.Context, docs []Document, where Where) (*Result, error) {
	r, err := checkMetered(ctx, docs, where)
	if err == nil && where.Block == 0 {
		if where.failedCalls = r.failedCalls(); len(where.failedCalls) > 0 {
			r, err = checkMetered(ctx, docs, where)
		}
	}
	if err == nil && !r.Applicable() {
		var meanwhile bool
		if meanwhile, err = where.appliedMeanwhile(ctx, where.Tree, r.Key); meanwhile {
			r, err = checkMetered(ctx, docs, where)
		}
	}
	if ctx.Err() != nil {
		// When ctx ends, the meter stops all work early, so r is incomplete.
		return nil, ctx.Err()
	}
	return r, err
}

func checkMetered(ctx context.Context, docs []Document, where Where) (*Result, error) {
	r := &Result{Documents: docs, tree: where.Tree, meter: where.Meter}
	// Stop before any work if the editor cancelled the request while it waited for its turn.
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := r.find(where); err != nil {
		return nil, err
	}
	if len(r.Blocks) == 0 {
		if r.LeftOut == 0 {
			r.findRefusal()
		}
		standing, err := r.standingOfReply(ctx, where)
		r.Known = known(standing)
		return r, err
	}
	var sets []intent.Set
	if !r.meter.Spent() {
		sets = r.parse(where.Lint)
		r.markMade()
		r.leaveOutCalls(sets, where.failedCalls)
	}
	if r.meter.Spent() {
		r.fail(diag.ReplyTooLarge, "reading this reply takes more work than Aptix allows for one reply, so nothing in it is checked; split the reply")
		return r, nil
	}
	if where.Tree == nil {
		r.fail(diag.NoWorkspace, cmp.Or(where.Nowhere, "no folder is open, so the files of this block cannot be found; open the folder that their paths are relative to"))
		return r, nil
	}
	tree, end := plan.Cached(where.Tree)
	defer end()
	where.Tree = tree
	if err := r.leaveOut(ctx, where); err != nil {
		return nil, err
	}
	r.claims(sets)
	if err := r.plan(ctx, where, sets); err != nil {
		return nil, err
	}
	return r, nil
}

// plan plans the changes of the blocks, and adds diagnostics about the changes. If the history shows that the blocks or
// the whole reply were already applied, plan marks all blocks as done.
func (r *Result) plan(ctx context.Context, where Where, sets []intent.Set) error {
	r.Key = key(r.Blocks, r.Skip)
	standing, err := where.Standing(ctx, where.Tree, r.Key)
	if err != nil {
		return err
	}
	r.Plan, err = plan.Build(ctx, where.Tree, sets, plan.Options{
		Base:           where.Base,
		Own:            where.Own,
		Meter:          where.Meter,
		DocPath:        where.DocPath,
		Applied:        applied(standing),
		EndingsUnknown: where.OneEnding,
		SkipMissing:    where.SkipMissing,
		Earlier:        where.Earlier,
		Ignored:        where.unmeant(),
		Skipped:        r.Skip.in(r.Blocks, spansOfParts),
		Missing:        r.Missing.in(r.Blocks, Block.Steps),
	})
	if err != nil {
		return err
	}
	if known(standing) {
		r.alreadyApplied(ctx, where, r.Key)
		return nil
	}
	if r.Protected, err = where.protected(ctx, r.Plan); err != nil {
		return err
	}
	r.alternatives()
	r.overlaps()
	r.account(where, r.Plan.Files)
	ofReply, err := r.standingOfReply(ctx, where)
	if err != nil {
		return err
	}
	where.edited = r.editedSince(standing, ofReply)
	if last := len(r.Blocks) - 1; r.meter.Spent() && !diag.HasErrors(r.Plan.Blocks[last].Diagnostics) {
		r.Plan.Blocks[last].Diagnostics = append(r.Plan.Blocks[last].Diagnostics, plan.TooMuchWork())
	}
	for i := range r.Blocks {
		where.recall(ctx, r.Plan.Blocks[i].Diagnostics)
		r.Blocks[i].take(r.Plan.Blocks[i], where, r.Protected)
	}
	if where.repairing && r.hasPreferred() {
		return nil // after the fixes, the next check searches the history for the fixed blocks
	}
	if known(ofReply) {
		r.alreadyApplied(ctx, where, r.ReplyKey)
		for i := range r.Blocks {
			r.Blocks[i].Batch = nil // the history gave the ids to different blocks
		}
	}
	return nil
}

func (r *Result) hasPreferred() bool {
	for i := range r.Documents {
		if len(r.PreferredEdits(i)) > 0 {
			return true
		}
	}
	return false
}

// Fences returns the fenced code blocks of a document, in order. It returns nil if the whole document is one block.
func (r *Result) Fences(document int) []mdblock.Block { return r.structures[document].Fences }

// find fills r.Blocks with the blocks of the documents, or only with block number where.Block.
func (r *Result) find(where Where) error {
	only := where.Block
	r.wanted, r.without = only, where.Without
	for i, doc := range r.Documents {
		found, structure := claims(doc, where.Tree, where.Meter)
		r.structures = append(r.structures, structure)
		for _, c := range found {
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
	r.Blocks = slices.DeleteFunc(r.Blocks, func(b Block) bool { _, left := where.Without[b.Index]; return left })
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

// findRefusal looks for the reason why the reply has no block: a sentence that declines the change (rule R7), or the
// front matter of a page (rule R61).
func (r *Result) findRefusal() {
	for i, doc := range r.Documents {
		if at, ok := r.structures[i].Declined(); ok {
			r.Declined, r.DeclinedAt = true, at
			return
		}
		r.Page = r.Page || !doc.Reply && reply.IsPage(doc.Text)
	}
}

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
		b.Parsed = b.Format.Parse(b.Region)
		sets[i] = b.Set
		if b.cut {
			b.Diagnostics = append(b.Diagnostics, diag.New(diag.ReplyTooLarge, text.Span{},
				fmt.Sprintf("the reply has more than %d blocks, so the other blocks are not checked; send them in several replies", mostBlocks)))
		}
		if b.below > 0 && r.wanted == 0 {
			b.Diagnostics = append(b.Diagnostics, diag.New(diag.FenceInFence, text.Span{}, fmt.Sprintf("the fence on line %d contains another fence and seems to end there, so the blocks below are uncertain; use more backticks for the outer fence, or remove it", b.below)))
		}
		b.copied = r.copied(b)
		keepEdits(b)
		b.Parts = partsOf(b.Set.Changes)
		for j := range b.Parts {
			b.Parts[j].At = b.HostSpan(b.Parts[j].At)
		}
		if indented(r.Documents[b.Document].Text, b.Region) {
			unsure(b.Diagnostics, diag.JSONRawNewline)
		}
		if hints {
			b.Diagnostics = append(b.Diagnostics, styleHints(b.Body, b.Set)...)
		}
	}
	return sets
}

// keepEdits makes a fix uncertain if the fix would remove an edit that it mistakes for prose.
func keepEdits(b *Block) {
	prose := []diag.Code{diag.JSONTextAfter, diag.JSONTextBefore, diag.GitProse}
	removesEdit := func(e text.Edit) bool { return e.New == "" && reply.HasEdit(e.Span.In(b.Body)) }
	for _, d := range b.Diagnostics {
		if !slices.Contains(prose, d.Code) {
			continue
		}
		for i := range d.Fixes {
			if slices.ContainsFunc(d.Fixes[i].Edits, removesEdit) {
				d.Fixes[i].Preferred = false
			}
		}
	}
}

func unsure(ds []diag.Diagnostic, code diag.Code) {
	for i := range ds {
		for j := range ds[i].Fixes {
			if ds[i].Code == code {
				ds[i].Fixes[j].Preferred = false
			}
		}
	}
}

func (r *Result) fail(code diag.Code, message string) {
	for i := range r.Blocks {
		b := &r.Blocks[i]
		b.Diagnostics = append(b.Diagnostics, diag.New(code, text.Span{}, message))
		b.settle(false)
	}
}

func (b *Block) take(p plan.Block, where Where, protected map[string]protect.Protection) {
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

// settle converts spans of the block's body to spans of the document, and determines the block's state.
func (b *Block) settle(strict bool) {
	for i, d := range b.Diagnostics {
		if b.Closed {
			b.Diagnostics[i] = intent.Diagnostic(b, d)
		} else {
			b.Diagnostics[i].Span = b.Open
		}
	}
	b.Diagnostics = append(b.Diagnostics, b.copied...)
	for i := range b.Diagnostics {
		d := &b.Diagnostics[i]
		if strict && d.Severity == diag.Warning {
			d.Severity = diag.Error
		}
		*d = d.Plain()
	}
	diag.Sort(b.Diagnostics)
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

// Applicable reports whether every block can be applied or is done, and no unread part of the reply is an error.
func (r *Result) Applicable() bool {
	return (len(r.Blocks) > 0 || r.Known) && !slices.ContainsFunc(r.Blocks, func(b Block) bool { return b.State == Failed || b.State == Incomplete }) &&
		!slices.ContainsFunc(r.Unread, func(u Unread) bool { return u.Diagnostic.Severity == diag.Error && len(r.Plan.Files) > 0 })
}
