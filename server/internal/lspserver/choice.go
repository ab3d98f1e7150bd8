package lspserver

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
)

// choices records the parts that a person has left out of blocks, until these are applied.
// A block is identified by its body: if it changes, nothing of it is left out.
type choices struct {
	mu     sync.Mutex
	chosen map[uri.URI]map[string]choice // by the block's body
}

// A choice records the parts that are left out of one block.
type choice struct {
	parts   []int // indexes in its Parts, sorted
	missing []int // indexes in its Steps of those that are left out while their find is missing
	allowed bool  // its protected files are written without a question
}

func (c choice) none() bool { return len(c.parts)+len(c.missing) == 0 && !c.allowed }

// of returns the parts that are left out of blocks of a document, the steps that are left
// out because their find is missing, and whether the protected files of all these blocks
// are allowed. If all is true, these are all of its blocks, and choices for other blocks
// are forgotten.
func (c *choices) of(u uri.URI, blocks []check.Block, all bool) (skip, missing check.Skip, allowed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	skip, missing, allowed = check.Skip{}, check.Skip{}, len(blocks) > 0
	live := map[string]choice{}
	for _, b := range blocks {
		chosen := c.chosen[u][b.Body]
		allowed = allowed && chosen.allowed
		if chosen.none() {
			continue
		}
		live[b.Body] = chosen
		if len(chosen.parts) > 0 {
			skip[b.Index] = chosen.parts
		}
		if len(chosen.missing) > 0 {
			missing[b.Index] = chosen.missing
		}
	}
	if all && len(live) < len(c.chosen[u]) {
		c.chosen[u] = live
	}
	return skip, missing, allowed
}

// change changes the choice for a block.
func (c *choices) change(u uri.URI, body string, to func(*choice)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.chosen == nil {
		c.chosen = map[uri.URI]map[string]choice{}
	}
	if c.chosen[u] == nil {
		c.chosen[u] = map[string]choice{}
	}
	chosen := c.chosen[u][body]
	to(&chosen)
	c.chosen[u][body] = chosen
}

// forget drops the choices for some blocks of a document.
func (c *choices) forget(u uri.URI, blocks []check.Block) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, b := range blocks {
		delete(c.chosen[u], b.Body)
	}
}

// keep drops the choices for documents that are closed.
func (c *choices) keep(open Snapshot) {
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.DeleteFunc(c.chosen, func(u uri.URI, _ map[string]choice) bool { return open.Get(u) == nil })
}

// skipPart handles aptix.skip.
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
	b := c.Blocks[0]
	if p.Mode == aptix.SkipMissing || p.Mode == aptix.SkipRequired {
		return s.skipMissing(ctx, c, p)
	}
	if p.Part < 0 || p.Part >= len(b.Parts) {
		return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "block %d has %d parts, and none of index %d", p.Block, len(b.Parts), p.Part)
	}
	next, ok := choose(b.Parts, c.skip[b.Index], p.Part, p.Mode)
	if !ok {
		return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the mode is %q; it must be skip, only, include, missing, required, allow or ask", p.Mode)
	}
	s.choose(ctx, c.uri, b.Body, func(chosen *choice) { chosen.parts = next })
	return nil
}

// allowProtected agrees to the protected files of all present blocks of a document. If
// another block is added later, it asks about all.
func (s *Server) allowProtected(ctx context.Context, document string, allowed bool) error {
	c, err := s.check(ctx, s.docs.Snapshot(), aptix.Target{URI: document})
	if err != nil {
		return err
	}
	for _, b := range c.Blocks {
		s.choices.change(c.uri, b.Body, func(chosen *choice) { chosen.allowed = allowed })
	}
	s.touch()
	s.refreshLenses(context.WithoutCancel(ctx))
	return nil
}

// choose changes the choice for a block, and makes the editor show that.
func (s *Server) choose(ctx context.Context, u uri.URI, body string, to func(*choice)) {
	s.choices.change(u, body, to)
	s.touch()
	s.refreshLenses(context.WithoutCancel(ctx))
}

// skipMissing leaves a replacement out while its find is missing, or includes it again.
func (s *Server) skipMissing(ctx context.Context, c *checked, p aptix.SkipParams) error {
	b := c.Blocks[0]
	if steps := len(b.Steps()); p.Part < 0 || p.Part >= steps {
		return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "block %d has %d replacements, and none of index %d", p.Block, steps, p.Part)
	}
	s.choose(ctx, c.uri, b.Body, func(chosen *choice) {
		chosen.missing = slices.DeleteFunc(slices.Clone(chosen.missing), func(i int) bool { return i == p.Part })
		if p.Mode == aptix.SkipMissing {
			chosen.missing = append(chosen.missing, p.Part)
		}
	})
	return nil
}

func (s *Server) refreshLenses(ctx context.Context) {
	if can := s.capabilities().Workspace; can != nil && can.CodeLens != nil && isTrue(can.CodeLens.RefreshSupport) {
		s.notify(s.client.CodeLensRefresh(ctx))
	}
}

// choose returns the parts of a block that are left out after one more choice. It returns
// false for an unknown mode.
func choose(parts []check.Part, left []int, part int, mode aptix.SkipMode) ([]int, bool) {
	next := map[int]bool{}
	for _, i := range left {
		next[i] = true
	}
	of := parts[part].Of
	switch mode {
	case aptix.SkipThis:
		next[part] = true
	case aptix.SkipNot:
		delete(next, part)
		delete(next, of)
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

// others returns all parts except one and the file that contains it: other files as a
// whole, and the parts beside it in its own file.
func others(parts []check.Part, part int) map[int]bool {
	of := parts[part].Of
	whole := part
	if of >= 0 {
		whole = of
	}
	left := map[int]bool{}
	for i, p := range parts {
		if p.Of < 0 && i != whole || of >= 0 && p.Of == of && i != part {
			left[i] = true
		}
	}
	return left
}

// leftOut reports whether a part of a block is left out by itself, or together with its
// file.
func (c *checked) leftOut(b check.Block, part int) (itself, withFile bool) {
	skip := c.skip[b.Index]
	return slices.Contains(skip, part), slices.Contains(skip, b.Parts[part].Of)
}

// partLenses returns the lenses on the first line of each part that a person may leave out.
func partLenses(c *checked, b check.Block) []protocol.CodeLens {
	var lenses []protocol.CodeLens
	offered := c.offered(b)
	for i, p := range b.Parts {
		if name := offered(p); name != "" {
			lenses = append(lenses, c.partLens(b, i, name)...)
		}
	}
	return lenses
}

func (c *checked) partLens(b check.Block, part int, name string) []protocol.CodeLens {
	var lenses []protocol.CodeLens
	for _, choice := range c.partChoices(b, part, name) {
		l := lens(c, b.Parts[part].At, choice.title, aptix.CommandSkip, nil)
		l.Command.Arguments = []protocol.LSPAny{mustMarshal(choice.params)}
		lenses = append(lenses, l)
	}
	return lenses
}

// A partChoice is an action of a person on a part of a block.
type partChoice struct {
	title  string
	params aptix.SkipParams
}

// partChoices returns the choices for a part that is called name.
func (c *checked) partChoices(b check.Block, part int, name string) []partChoice {
	choice := func(title string, mode aptix.SkipMode) partChoice {
		return partChoice{title, aptix.SkipParams{URI: string(c.uri), Block: b.Index, Part: part, Mode: mode}}
	}
	switch itself, withFile := c.leftOut(b, part); {
	case withFile:
		return nil
	case itself:
		return []partChoice{choice("Skipped · Include", aptix.SkipNot)}
	}
	return []partChoice{choice("Skip this "+name, aptix.SkipThis), choice("Only this "+name, aptix.SkipOthers)}
}

// offered returns a function that names the parts of a block that have lenses: those that
// can be chosen, each on a line of its own.
func (c *checked) offered(b check.Block) func(check.Part) string {
	choosable := choosable(b)
	files, inner := split(b.Parts)
	filesApart, innerApart := c.apart(b, files), c.apart(b, inner)
	return func(p check.Part) string {
		if p.Of < 0 && filesApart || p.Of >= 0 && innerApart {
			return choosable(p)
		}
		return ""
	}
}

// choosable returns a function that names the parts of a block that a person can choose:
// those of a kind of which there are several. For the others it returns "".
func choosable(b check.Block) func(check.Part) string {
	files, inner := split(b.Parts)
	paths := map[string]bool{}
	for _, p := range files {
		paths[p.Path] = true
	}
	return func(p check.Part) string {
		switch {
		case p.Of < 0 && len(paths) >= 2 && len(files) == len(paths):
			return "file"
		case p.Of < 0 && len(paths) >= 2:
			return "change"
		case p.Of >= 0 && len(inner) >= 2:
			return b.Format.Part
		}
		return ""
	}
}

// split returns the parts that are changes of files, and those inside them.
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

// apart reports whether each part begins on a line of its own, below a block's fence.
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
