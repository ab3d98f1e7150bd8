package check

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/reply"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// This file reads transcripts, in which calls of tools were already made and have their results below them (rule C25).

// result returns what the text below block i says about its calls: [reply.CallRefused], [reply.CallFailed],
// [reply.CallMade], or [reply.Nothing]. If the block is not a call, it also returns [reply.Nothing].
func (r *Result) result(i int) reply.Verb {
	_, says, _ := r.resultAt(i)
	return says
}

// resultAt is like [Result.result], and also returns the span of the words in the document. `labelled` is true if the
// result begins with the label of an error.
func (r *Result) resultAt(i int) (at text.Span, says reply.Verb, labelled bool) {
	b := &r.Blocks[i]
	if !b.Format.Calls || !b.Closed {
		return text.Span{}, reply.Nothing, false
	}
	doc := r.Documents[b.Document].Text
	below := text.Span{Start: b.Span.End, End: min(b.Span.End+mostResult, len(doc))}
	if i+1 < len(r.Blocks) && r.Blocks[i+1].Document == b.Document {
		below.End = max(below.Start, min(below.End, r.Blocks[i+1].Open.Start))
	}
	if named, ok := resultOf(doc, b.Span); ok {
		below = named
	}
	return reply.CallResult(doc, below)
}

// numbered matches the name of a tool and the number of its call, directly above the parameters: `functions.edit:1<|...|>`.
var numbered = lazyregexp.New(`([\w.-]+:\d+)\s*(?:<\|\w+\|>)+$`)

// resultOf returns the result of the call at a span if the call has a number: the text below the line that ends with this
// number. The results of several calls come after the last one of these calls.
func resultOf(doc string, call text.Span) (result text.Span, ok bool) {
	id := numbered.FindStringSubmatch(doc[max(0, call.Start-longestName):call.Start])
	if id == nil {
		return result, false
	}
	below := doc[call.End:min(len(doc), call.End+mostRead)]
	i := strings.Index(below, id[1]+"\n")
	if i < 0 {
		return result, false
	}
	result.Start = call.End + i + len(id[1]) + 1
	result.End = min(len(doc), result.Start+mostResult)
	return result, true
}

// longestName limits the length of a numbered name with the tokens behind it, in bytes.
const longestName = 200

// mostResult limits how many bytes below a call are searched for its result.
const mostResult = 2 << 10

// markMade marks the changes of each call whose result says that it was made.
func (r *Result) markMade() {
	for i := range r.Blocks {
		if changes := r.Blocks[i].Set.Changes; len(changes) > 0 && r.result(i) == reply.CallMade {
			for j := range changes {
				changes[j].Made = true
			}
		}
	}
}

// resultAbove returns the length of the result of the call above block i, at the start of the text `above` between the
// two, if that call failed and is left out. Its words say nothing about block i. Otherwise, resultAbove returns 0.
func (r *Result) resultAbove(i int, above text.Span) int {
	if i == 0 || r.Blocks[i-1].Document != r.Blocks[i].Document || r.Blocks[i-1].Span.End != above.Start || !r.Blocks[i-1].withdrawn {
		return 0
	}
	return reply.ResultLen(above.In(r.Documents[r.Blocks[i].Document].Text))
}

// made reports whether a transcript says that all changes of a block were made.
func (b *Block) made() bool {
	return len(b.Set.Changes) > 0 && !slices.ContainsFunc(b.Set.Changes, func(c intent.Change) bool { return !c.Made })
}

// onlyPath returns the path of the only file that a block changes, or "" if the block changes none or several.
func (b *Block) onlyPath() (only string) {
	for i, c := range b.Set.Changes {
		if name := path.Join(b.Set.Root, c.Path); i == 0 {
			only = name
		} else if name != only {
			return ""
		}
	}
	return only
}

// failed reports whether the result of block i says that its call was not made.
func (r *Result) failed(i int) bool {
	says := r.result(i)
	return says == reply.CallFailed || says == reply.CallRefused
}

// failedCalls returns the indexes of the calls that were not made: the text below the call says so, a later call
// changes the same file, and there is one more sign: the call does not fit the files, a person rejected it, or its
// result begins with the label of an error.
func (r *Result) failedCalls() map[int]bool {
	failed := map[int]bool{}
	last := map[string]int{} // the last block that changes only this path
	for i := range r.Blocks {
		if b := &r.Blocks[i]; b.Format.Calls && b.onlyPath() != "" {
			last[b.onlyPath()] = i
		}
	}
	for i := range r.Blocks {
		b := &r.Blocks[i]
		cannot := slices.ContainsFunc(b.Diagnostics, func(d diag.Diagnostic) bool {
			return d.Severity == diag.Error && d.Code != diag.PathProtected
		})
		later, ok := last[b.onlyPath()]
		_, says, labelled := r.resultAt(i)
		if ok && later > i && r.Blocks[later].Document == b.Document && (says == reply.CallFailed && (cannot || labelled) || says == reply.CallRefused) {
			failed[i] = true
		}
	}
	return failed
}

// leaveOutCalls empties the sets of calls that failed, and of edits that a later call takes back.
func (r *Result) leaveOutCalls(sets []intent.Set, failed map[int]bool) {
	for i := range failed {
		r.leaveOutCall(sets, i, "the text below this call says that it was not made, and a later call changes the same file, so this call is left out")
	}
	for i := range r.Blocks {
		b := &r.Blocks[i]
		if b.Undoes == "" || r.failed(i) {
			continue
		}
		for j := i - 1; j >= 0 && r.Blocks[j].Document == b.Document; j-- {
			was := &r.Blocks[j]
			if was.withdrawn || !slices.ContainsFunc(was.Set.Changes, func(c intent.Change) bool { return path.Clean(c.Path) == path.Clean(b.Undoes) }) {
				continue
			}
			if was.Format.Calls && len(was.Set.Changes) == 1 && was.Set.Changes[0].Kind == intent.Edit && !r.failed(j) {
				line := r.lines()[b.Document].Position(b.Open.Start).Line + 1
				r.leaveOutCall(sets, j, fmt.Sprintf("the call on line %d undoes this edit, so both are left out", line))
				r.leaveOutCall(sets, i, "this call undoes an edit of the reply, so both are left out")
			}
			break
		}
	}
}

func (r *Result) leaveOutCall(sets []intent.Set, i int, why string) {
	b := &r.Blocks[i]
	b.withdrawn = true
	b.Set.Changes, sets[i].Changes, b.Parts = nil, nil, nil
	b.Diagnostics = []diag.Diagnostic{diag.New(diag.CallIgnored, text.Span{}, why)}
}

// speaksOfLeftOut reports whether words near block i that take something back speak of a call that is left out anyway.
func (r *Result) speaksOfLeftOut(i int, says reply.Verb) bool {
	return (says == reply.Retract || says == reply.TakenBack) && (r.Blocks[i].withdrawn || i > 0 && r.Blocks[i-1].withdrawn)
}
