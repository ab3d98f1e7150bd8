package check

import (
	"fmt"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

var (
	// A line that begins another option than the first one.
	otherOption = lazyregexp.New(`(?im)^[\s>#*_\-–—.\d)]*(?:or,? )?((?:option|approach|alternative|solution|variant) (?:#?[2-9]|[B-F]|two|three|second)\b` +
		`|(?:second|third|another|alternative) (?:option|approach|alternative|solution|variant)\b)`)
	// A sentence that does, right above a block.
	alternatively = lazyregexp.New(`(?i)\b(alternatively,|an? alternative (?:is|would be|could be))`)
	// Words right above a block that take back an earlier one.
	takenBack = lazyregexp.New(`(?i)\b((?:use|try|apply|take) (?:this|these|that|the following)(?: (?:one|version|block|patch|code|edit))? instead` +
		`|(?:final|corrected|revised) (?:version|attempt|answer|try|draft|patch)|(?:second|another) (?:attempt|try|draft)` +
		`|(?:scratch|ignore|discard|disregard|forget) (?:that|the (?:above|previous|first|earlier)|my (?:previous|first|earlier))` +
		`|on second thoughts?|(?:that|the above|my (?:first|previous) \w+) (?:is|was) (?:wrong|incorrect|not (?:quite )?right))`)
)

// mostRead is how many bytes above a block, and below the last one, are read.
const mostRead = 16 << 10

// alternatives warns of blocks that may be meant instead of another change, not beside it, as
// the reply says around them (rule R53).
func (r *Result) alternatives() {
	changed := map[string]bool{} // files, by the blocks so far
	for i := range r.Blocks {
		b := &r.Blocks[i]
		doc := r.Documents[b.Document].Text
		above, below := r.around(i)
		at, ok := saysInstead(doc, above, r.addsTo(changed, i))
		if !ok {
			at, ok = insteadBelow(doc, below)
		}
		if ok {
			b.Diagnostics = append(b.Diagnostics, diag.Diagnostic{Severity: diag.Warning, Code: diag.Alternative,
				Message: fmt.Sprintf("the reply says %q: this block and another change may not be meant together; apply only the one that is meant", at.In(doc))})
		}
		for _, f := range r.Plan.Blocks[i].Files {
			changed[f.Target()] = changed[f.Target()] || f.State == plan.Change
		}
	}
}

// around is the text above a block of ours up to the next one, or to the first code block of the
// document, and the text below it if it is the last one.
func (r *Result) around(i int) (above, below text.Span) {
	b := r.Blocks[i]
	above = text.Span{Start: max(0, b.Open.Start-mostRead), End: b.Open.Start}
	if i > 0 && r.Blocks[i-1].Document == b.Document {
		above.Start = min(above.End, max(above.Start, r.Blocks[i-1].Span.End))
	} else if fence := fenceLine.FindStringIndex(above.In(r.Documents[b.Document].Text)); fence != nil {
		above.Start += fence[1]
	} else {
		above.Start = above.End
	}
	if i == len(r.Blocks)-1 || r.Blocks[i+1].Document != b.Document {
		below = text.Span{Start: b.Span.End, End: min(b.Span.End+mostRead, len(r.Documents[b.Document].Text))}
	}
	return above, below
}

// insteadBelow finds the words above a code block that is no block of ours.
func insteadBelow(doc string, below text.Span) (text.Span, bool) {
	at, ok := words(otherOption, doc, below)
	if !ok {
		at, ok = words(takenBack, doc, below)
	}
	return at, ok && fenceLine.MatchString(doc[at.End:below.End])
}

// saysInstead finds the words above a block that say so. adds: an earlier block changes the same file.
func saysInstead(doc string, between text.Span, adds bool) (at text.Span, ok bool) {
	near := belowFences(doc, between)
	if at, ok = words(otherOption, doc, between); !ok {
		at, ok = words(alternatively, doc, near)
	}
	if !ok && adds {
		at, ok = words(takenBack, doc, near)
	}
	return at, ok
}

func words(of *lazyregexp.Regexp, doc string, in text.Span) (text.Span, bool) {
	m := of.FindStringSubmatchIndex(in.In(doc))
	if m == nil {
		return text.Span{}, false
	}
	return text.Span{Start: in.Start + m[2], End: in.Start + m[3]}, true
}

var fenceLine = lazyregexp.New("(?m)^[ \\t>]*(?:```|~~~).*$")

// belowFences is what of a span is below all code blocks in it.
func belowFences(doc string, in text.Span) text.Span {
	if all := fenceLine.FindAllStringIndex(in.In(doc), -1); len(all) > 0 {
		in.Start += all[len(all)-1][1]
	}
	return in
}

// addsTo reports whether block i changes a part of one of the files. A whole text leaves nothing
// of what was there.
func (r *Result) addsTo(files map[string]bool, i int) bool {
	for _, c := range r.Blocks[i].Set.Changes {
		if c.Kind == intent.Write || c.Kind == intent.Create || c.Kind == intent.Replace {
			return false
		}
	}
	return slices.ContainsFunc(r.Plan.Blocks[i].Files, func(f plan.BlockFile) bool { return f.State == plan.Change && files[f.Path] })
}
