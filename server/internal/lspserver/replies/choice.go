package replies

import (
	"slices"

	"go.lsp.dev/jsonrpc2"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Choice returns the parts of a block that are left out after the person chose to leave a part out, or to include it
// again. The error is InvalidParams if there is no such part or mode.
func (c *Reply) Choice(b check.Block, p aptix.SkipParams) ([]int, error) {
	if p.Part == allFiles && (p.Mode == aptix.SkipThis || p.Mode == aptix.SkipNot) {
		return chooseAll(b.Parts, p.Mode), nil
	}
	if p.Part < 0 || p.Part >= len(b.Parts) {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "block %d has %d parts, but none with the index %d", p.Block, len(b.Parts), p.Part)
	}
	next, ok := choose(b.Parts, c.Skip[b.Index], p.Part, p.Mode)
	if !ok {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the mode is %q; it must be skip, only, include, missing, required, allow or ask", p.Mode)
	}
	return next, nil
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

func (c *Reply) leftOut(b check.Block, part int) (itself, withFile bool) {
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
// If the block was already applied, or if a file is the only file of its block, parts can only be included.
func (c *Reply) partChoices(b check.Block) []partChoice {
	var choices []partChoice
	offered, applied := c.offered(b), c.appliedAs(b) != ""
	files, _ := split(b.Parts)
	for i, p := range b.Parts {
		add := func(title string, mode aptix.SkipMode) {
			choices = append(choices, partChoice{p.At, title, aptix.SkipParams{URI: string(c.URI), Block: b.Index, Part: i, Mode: mode}})
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
func (c *Reply) offered(b check.Block) func(check.Part) string {
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
func (c *Reply) choosable(b check.Block) func(check.Part) string {
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

// merged returns the files, by their index in b.Parts, whose old text is only partly replaced: pieces of the new text
// go to several places, or some pieces are left out.
func (c *Reply) merged(b check.Block) map[int]bool {
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
func (c *Reply) apart(b check.Block, parts []check.Part) bool {
	taken := map[int]bool{}
	if b.Fenced {
		taken[c.Lines.Position(b.Open.Start).Line] = true
	}
	for _, p := range parts {
		line := c.Lines.Position(p.At.Start).Line
		if taken[line] {
			return false
		}
		taken[line] = true
	}
	return true
}
