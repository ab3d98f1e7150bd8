package lspserver

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/uri"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/lspserver/documents"
	"github.com/aptix-dev/aptix/server/internal/lspserver/editor"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A leftOut remembers which parts of blocks a person left out. It is used only if there is no history.
type leftOut struct {
	mu     sync.Mutex
	chosen map[string]map[string]history.LeftOut // keys: the root, then [check.Block.TextKey]
}

// choices returns the parts that are left out of blocks in replies for a root. The key is [check.Block.TextKey].
func (l *leftOut) choices(root string) map[string]history.LeftOut {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.chosen[root])
}

func (l *leftOut) put(root, block string, left history.LeftOut) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.chosen[root] == nil {
		l.chosen[root] = map[string]history.LeftOut{}
	}
	l.chosen[root][block] = left
}

// leftOutIn returns [check.Choice.LeftOut] for the workspace at root.
func (s *Server) leftOutIn(root string) func(context.Context) (map[string]history.LeftOut, error) {
	if s.config.History != nil {
		return check.LeftOut(s.config.History, root)
	}
	return func(context.Context) (map[string]history.LeftOut, error) { return s.leftOut.choices(root), nil }
}

// leaveOut stores which parts of a block are left out, and updates the editor. The choice stays until the person
// changes it.
func (s *Server) leaveOut(ctx context.Context, c *checked, b check.Block, left history.LeftOut) error {
	root := c.view.Root.Dir()
	if s.config.History == nil {
		s.leftOut.put(root, b.TextKey(), left)
	} else if err := s.config.History.LeaveOut(ctx, root, b.TextKey(), left); err != nil {
		return err
	}
	s.touch()
	s.refreshLenses(context.WithoutCancel(ctx))
	return nil
}

// agreements holds, for each document, the blocks that may write protected files without a question. An agreement is
// for the exact text inside a block, and ends when the block is applied.
type agreements struct {
	mu     sync.Mutex
	agreed map[agreement]bool
}

type agreement struct {
	document uri.URI
	body     string // the text inside the block
}

// all reports whether the person agreed that all these blocks of a document may write protected files.
func (a *agreements) all(u uri.URI, blocks []check.Block) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(blocks) > 0 && !slices.ContainsFunc(blocks, func(b check.Block) bool { return !a.agreed[agreement{u, b.Body}] })
}

func (a *agreements) change(u uri.URI, blocks []check.Block, agreed bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, b := range blocks {
		a.agreed[agreement{u, b.Body}] = agreed
	}
}

func (a *agreements) keep(open documents.Snapshot) {
	a.mu.Lock()
	defer a.mu.Unlock()
	maps.DeleteFunc(a.agreed, func(at agreement, agreed bool) bool { return !agreed || open.Get(at.document) == nil })
}

func (s *Server) skipPart(ctx context.Context, argument json.RawMessage) error {
	var p aptix.SkipParams
	if err := json.Unmarshal(argument, &p); err != nil {
		return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s takes {uri, block, part, mode}: %v", aptix.CommandSkip, err)
	}
	if p.Mode == aptix.SkipNoQuestion || p.Mode == aptix.SkipQuestion {
		return s.allowProtected(ctx, p.URI, p.Mode == aptix.SkipNoQuestion)
	}
	c, err := s.check(ctx, s.docs.Snapshot(), aptix.Target{URI: p.URI, Block: &p.Block})
	if err != nil {
		return err
	}
	if c.view.Folder == nil {
		return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "no folder is open, so there is nothing to leave out")
	}
	if p.Mode == aptix.SkipMissing || p.Mode == aptix.SkipRequired {
		return s.skipMissing(ctx, c, p)
	}
	return s.choosePart(ctx, c, c.Blocks[0], p)
}

// choosePart leaves a part of a checked block out, or includes it again.
func (s *Server) choosePart(ctx context.Context, c *checked, b check.Block, p aptix.SkipParams) error {
	if p.Part == allFiles && (p.Mode == aptix.SkipThis || p.Mode == aptix.SkipNot) {
		return s.leaveOut(ctx, c, b, history.LeftOut{Parts: chooseAll(b.Parts, p.Mode), Missing: c.Missing[b.Index]})
	}
	if p.Part < 0 || p.Part >= len(b.Parts) {
		return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "block %d has %d parts, but none with the index %d", p.Block, len(b.Parts), p.Part)
	}
	next, ok := choose(b.Parts, c.Skip[b.Index], p.Part, p.Mode)
	if !ok {
		return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the mode is %q; it must be skip, only, include, missing, required, allow or ask", p.Mode)
	}
	return s.leaveOut(ctx, c, b, history.LeftOut{Parts: next, Missing: c.Missing[b.Index]})
}

// allowProtected records whether the person agrees that the present blocks of a document may write protected files. If
// a block is added later, the person is asked about all blocks again.
func (s *Server) allowProtected(ctx context.Context, document string, allowed bool) error {
	c, err := s.check(ctx, s.docs.Snapshot(), aptix.Target{URI: document})
	if err != nil {
		return err
	}
	s.agreements.change(c.uri, c.Blocks, allowed)
	s.touch()
	s.refreshLenses(context.WithoutCancel(ctx))
	return nil
}

// skipMissing sets whether a replacement is left out if the text that it replaces is not in the file.
func (s *Server) skipMissing(ctx context.Context, c *checked, p aptix.SkipParams) error {
	b := c.Blocks[0]
	if steps := len(b.Steps()); p.Part < 0 || p.Part >= steps {
		return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "block %d has %d replacements, but none with the index %d", p.Block, steps, p.Part)
	}
	left := slices.DeleteFunc(slices.Clone(c.Missing[b.Index]), func(i int) bool { return i == p.Part })
	if p.Mode == aptix.SkipMissing {
		left = append(left, p.Part)
	}
	return s.leaveOut(ctx, c, b, history.LeftOut{Parts: c.Skip[b.Index], Missing: left})
}

// keepLeftOut stores which replacements an apply left out, so that the document still names them.
func (s *Server) keepLeftOut(ctx context.Context, c *checked) error {
	for _, b := range c.Blocks {
		out := b.LeftOut()
		if len(out) == 0 {
			continue
		}
		steps := text.Each(out, func(d diag.Diagnostic) int { step, _ := b.StepOf(d); return step })
		if err := s.leaveOut(ctx, c, b, history.LeftOut{Parts: c.Skip[b.Index], Missing: steps}); err != nil {
			return err
		}
	}
	return nil
}

func (s *Server) refreshLenses(ctx context.Context) {
	if can := s.editor.Capabilities().Workspace; can != nil && can.CodeLens != nil && editor.Yes(can.CodeLens.RefreshSupport) {
		s.notify(s.editor.CodeLensRefresh(ctx))
	}
}

// choose returns the parts of a block that are left out after the person made the choice `mode` for a part. It returns
// false if the mode is unknown.
func choose(parts []check.Part, left []int, part int, mode aptix.SkipMode) ([]int, bool) {
	next := text.Set(left)
	switch mode {
	case aptix.SkipThis:
		next[part] = true
	case aptix.SkipNot:
		delete(next, part)
		delete(next, parts[part].Of)
	case aptix.SkipOthers:
		next = others(parts, part)
	default:
		return nil, false
	}
	var sorted []int
	for i := range parts {
		if next[i] {
			sorted = append(sorted, i)
		}
	}
	return sorted, true
}

// allFiles is used in place of the number of a part. It means all files of a block.
const allFiles = -1

// chooseAll returns the parts of a block that are left out after the person left out all its files, or included all of
// them.
func chooseAll(parts []check.Part, mode aptix.SkipMode) []int {
	left := []int{}
	for i, p := range parts {
		if p.Of < 0 && mode == aptix.SkipThis {
			left = append(left, i)
		}
	}
	return left
}

// others returns the parts to leave out so that only the given part applies: the other files of the block, and the
// other parts of the same file.
func others(parts []check.Part, part int) map[int]bool {
	file := parts[part].Of // negative if the part is a whole file
	whole := part
	if file >= 0 {
		whole = file
	}
	left := map[int]bool{}
	for i, p := range parts {
		if p.Of < 0 && i != whole || file >= 0 && p.Of == file && i != part {
			left[i] = true
		}
	}
	return left
}

func (c *checked) leftOut(b check.Block, part int) (itself, withFile bool) {
	skip := c.Skip[b.Index]
	return slices.Contains(skip, part), slices.Contains(skip, b.Parts[part].Of)
}

// A partChoice is one thing that a person can do with a part of a block, such as leaving it out.
type partChoice struct {
	at     text.Span // the span of the part
	title  string
	params aptix.SkipParams
}

// partChoices returns the choices that lenses offer for parts of a block: to leave a part out, or to include it again.
// If the block was already applied, or if a file is the only one of its block, parts can only be included.
func (c *checked) partChoices(b check.Block) []partChoice {
	var choices []partChoice
	offered, applied := c.offered(b), c.appliedAs(b) != ""
	files, _ := split(b.Parts)
	for i, p := range b.Parts {
		add := func(title string, mode aptix.SkipMode) {
			choices = append(choices, partChoice{p.At, title, aptix.SkipParams{URI: string(c.uri), Block: b.Index, Part: i, Mode: mode}})
		}
		name := offered(p)
		itself, withFile := c.leftOut(b, i)
		if itself && p.Of < 0 && len(files) == 1 {
			name = "file"
		}
		switch {
		case name == "" || withFile || applied && !itself:
		case itself:
			add("Skipped · Include this "+name, aptix.SkipNot)
		default:
			add("Skip this "+name, aptix.SkipThis)
			add("Only this "+name, aptix.SkipOthers)
		}
	}
	return choices
}

// offered returns a function that returns the name of a part, or "" if the part has no lenses. A part has lenses if the
// person can choose it, and if it begins on its own line.
func (c *checked) offered(b check.Block) func(check.Part) string {
	choosable := c.choosable(b)
	files, inner := split(b.Parts)
	filesApart, innerApart := c.apart(b, files), c.apart(b, inner)
	return func(p check.Part) string {
		if p.Of < 0 && filesApart || p.Of >= 0 && innerApart {
			return choosable(p)
		}
		return ""
	}
}

// choosable returns a function that returns the name of a part, or "" if a person cannot choose the part. A file can be
// chosen if the block has several files. A part inside a file can be chosen if the block has several such parts.
func (c *checked) choosable(b check.Block) func(check.Part) string {
	files, inner := split(b.Parts)
	merged := c.merged(b)
	paths := text.Set(text.Each(files, func(p check.Part) string { return p.Path }))
	return func(p check.Part) string {
		switch {
		case p.Of < 0 && len(paths) >= 2 && len(files) == len(paths):
			return "file"
		case p.Of < 0 && len(paths) >= 2:
			return "change"
		case p.Of >= 0 && len(inner) >= 2 && (!p.Text || merged[p.Of]):
			return b.Format.Part
		}
		return ""
	}
}

// merged returns the indexes in b.Parts of the files whose old text is not replaced as a whole: pieces of the new text
// go to several places, or some pieces are left out.
func (c *checked) merged(b check.Block) map[int]bool {
	placed := text.Set(text.Each(b.Places, func(place plan.Place) text.Span { return place.At }))
	merged := map[int]bool{}
	for i, p := range b.Parts {
		if p.Text && (placed[p.At] || slices.Contains(c.Skip[b.Index], i)) {
			merged[p.Of] = true
		}
	}
	return merged
}

func split(parts []check.Part) (files, inner []check.Part) {
	for _, p := range parts {
		if p.Of < 0 {
			files = append(files, p)
		} else {
			inner = append(inner, p)
		}
	}
	return files, inner
}

// apart reports whether every part begins on its own line, and not on the line of the block's fence.
func (c *checked) apart(b check.Block, parts []check.Part) bool {
	taken := map[int]bool{}
	if b.Fenced {
		taken[c.lines.Position(b.Open.Start).Line] = true
	}
	for _, p := range parts {
		line := c.lines.Position(p.At.Start).Line
		if taken[line] {
			return false
		}
		taken[line] = true
	}
	return true
}
