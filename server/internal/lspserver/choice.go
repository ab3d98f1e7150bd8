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

// choices are the parts that a person has left out of blocks, until these are
// applied. A block is known by its body: one that changes has nothing left out.
type choices struct {
	mu     sync.Mutex
	chosen map[uri.URI]map[string][]int // by the block's body, indexes in its Parts, sorted
}

// skip is what is left out of blocks of a document. all says that these are all of
// its blocks: then what was chosen for others is forgotten.
func (c *choices) skip(u uri.URI, blocks []check.Block, all bool) check.Skip {
	c.mu.Lock()
	defer c.mu.Unlock()
	skip, live := check.Skip{}, map[string][]int{}
	for _, b := range blocks {
		if parts := c.chosen[u][b.Body]; len(parts) > 0 {
			skip[b.Index], live[b.Body] = parts, parts
		}
	}
	if all && len(live) < len(c.chosen[u]) {
		c.chosen[u] = live
	}
	return skip
}

func (c *choices) set(u uri.URI, body string, parts []int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.chosen == nil {
		c.chosen = map[uri.URI]map[string][]int{}
	}
	if c.chosen[u] == nil {
		c.chosen[u] = map[string][]int{}
	}
	c.chosen[u][body] = parts
}

// forget drops what was chosen for some blocks of a document.
func (c *choices) forget(u uri.URI, blocks []check.Block) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, b := range blocks {
		delete(c.chosen[u], b.Body)
	}
}

// keep drops what was chosen for documents that are closed.
func (c *choices) keep(open Snapshot) {
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.DeleteFunc(c.chosen, func(u uri.URI, _ map[string][]int) bool { return open.Get(u) == nil })
}

// skipPart is aptix.skip.
func (s *Server) skipPart(ctx context.Context, argument json.RawMessage) error {
	var p aptix.SkipParams
	if err := json.Unmarshal(argument, &p); err != nil {
		return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s takes {uri, block, part, mode}: %v", aptix.CommandSkip, err)
	}
	c, err := s.check(ctx, s.docs.Snapshot(), aptix.Target{URI: p.URI, Block: &p.Block})
	if err != nil {
		return err
	}
	b := c.Blocks[0]
	if p.Part < 0 || p.Part >= len(b.Parts) {
		return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "block %d has %d parts, and none of index %d", p.Block, len(b.Parts), p.Part)
	}
	next, ok := choose(b.Parts, c.skip[b.Index], p.Part, p.Mode)
	if !ok {
		return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the mode is %q; it must be skip, only or include", p.Mode)
	}
	s.choices.set(c.uri, b.Body, next)
	s.touch()
	s.refreshLenses(context.WithoutCancel(ctx))
	return nil
}

func (s *Server) refreshLenses(ctx context.Context) {
	if can := s.capabilities().Workspace; can != nil && can.CodeLens != nil && isTrue(can.CodeLens.RefreshSupport) {
		s.notify(s.client.CodeLensRefresh(ctx))
	}
}

// choose is what is left out of a block after one more choice; false for a mode
// that there is not.
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

// others are all parts but one, and what that is a part of: of other files as a
// whole, of its own the parts beside it.
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

// leftOut reports whether a part of a block is left out by itself, or with the
// file that it belongs to.
func (c *checked) leftOut(b check.Block, part int) (itself, withFile bool) {
	skip := c.skip[b.Index]
	return slices.Contains(skip, part), slices.Contains(skip, b.Parts[part].Of)
}

// partLenses are those on the first line of each part that a person may leave out.
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
	button := func(title string, mode aptix.SkipMode) protocol.CodeLens {
		l := lens(c, b.Parts[part].At, title, aptix.CommandSkip, nil)
		l.Command.Arguments = []protocol.LSPAny{mustMarshal(aptix.SkipParams{URI: string(c.uri), Block: b.Index, Part: part, Mode: mode})}
		return l
	}
	switch itself, withFile := c.leftOut(b, part); {
	case withFile:
		return nil
	case itself:
		return []protocol.CodeLens{button("Skipped · Include", aptix.SkipNot)}
	}
	return []protocol.CodeLens{button("Skip this "+name, aptix.SkipThis), button("Only this "+name, aptix.SkipOthers)}
}

// offered names the parts of a block among which a person may choose: those of a
// kind of which there are several, each on a line of its own.
func (c *checked) offered(b check.Block) func(check.Part) string {
	inner := b.Format.Part
	var files, hunks []check.Part
	paths := map[string]bool{}
	for _, p := range b.Parts {
		if p.Of >= 0 {
			hunks = append(hunks, p)
			continue
		}
		files = append(files, p)
		paths[p.Path] = true
	}
	chooseFiles := len(paths) >= 2 && c.apart(b, files)
	chooseHunks := inner != "" && len(hunks) >= 2 && c.apart(b, hunks)
	return func(p check.Part) string {
		switch {
		case p.Of < 0 && chooseFiles && len(files) == len(paths):
			return "file"
		case p.Of < 0 && chooseFiles:
			return "change"
		case p.Of >= 0 && chooseHunks:
			return inner
		}
		return ""
	}
}

// apart reports whether each part begins on a line of its own, below a block's
// fence.
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
