package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Steps returns the spans of all steps of the block in its body, in order.
func (b Block) Steps() (all []text.Span) {
	for _, c := range b.Set.Changes {
		all = append(all, text.Each(c.Steps, intent.Step.Span)...)
	}
	return all
}

// StepOf returns the index of the replacement whose `find` a diagnostic reports as missing. It returns false for any
// other diagnostic.
func (b *Block) StepOf(d diag.Diagnostic) (int, bool) {
	at, inside := b.BodyOffset(d.Span.Start)
	if !inside || !isMissing(d) {
		return 0, false
	}
	i := b.stepAt(at)
	return i, i >= 0
}

func (b *Block) stepAt(at int) int {
	return slices.IndexFunc(b.Steps(), func(step text.Span) bool { return step.Start <= at && at < step.End })
}

// LeftOut returns the diagnostics about replacements that are left out because the file lacks the text to replace.
func (b *Block) LeftOut() []diag.Diagnostic {
	return text.Only(b.Diagnostics, func(d diag.Diagnostic) bool { return isMissing(d) && d.Severity != diag.Error })
}

// OnlyLeftOut reports whether all changes of the block are replacements in [Block.LeftOut].
func (b *Block) OnlyLeftOut() bool {
	whole := slices.ContainsFunc(b.Set.Changes, func(c intent.Change) bool { return len(c.Steps) == 0 })
	left := len(b.LeftOut())
	return !whole && left > 0 && left == len(b.Steps())
}

func isMissing(d diag.Diagnostic) bool {
	return d.Code == diag.FindNotFound || d.Code == diag.FindConsumed
}

// LacksOnly returns a sentence that counts the replacements whose text is missing, and names their files. It returns ""
// if the reply has no error, or an error of another kind.
func (r *Result) LacksOnly() string { return lacksOnly(r.Blocks) }

// LacksOnly is [Result.LacksOnly] for one block.
func (b *Block) LacksOnly() string { return lacksOnly([]Block{*b}) }

func lacksOnly(blocks []Block) string {
	lacking, steps := 0, 0
	var paths []string
	for i := range blocks {
		b := &blocks[i]
		if b.State == Incomplete {
			return ""
		}
		steps += len(b.Steps())
		for _, d := range b.Diagnostics {
			switch {
			case d.Severity != diag.Error:
			case !isMissing(d):
				return ""
			default:
				lacking++
				if p := escape.Line(d.Path); !slices.Contains(paths, p) {
					paths = append(paths, p)
				}
			}
		}
	}
	if lacking == 0 {
		return ""
	}
	files := strings.Join(text.AtMost(paths, maxAsked, "%d more"), ", ")
	if steps == 1 {
		return "the replacement looks for text that is not in " + files
	}
	if lacking == 1 {
		return fmt.Sprintf("one of %d replacements looks for text that is not in %s", steps, files)
	}
	return fmt.Sprintf("%d of %d replacements look for text that is not in %s", lacking, steps, files)
}
