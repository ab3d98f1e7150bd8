package check

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/reply"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// mostRead limits the bytes that are searched for sentences about a block: above the block, and below the last block.
const mostRead = 16 << 10

// alternatives warns if a block may be meant instead of another change: the text around the block says so, or another
// block has a different whole text of the same file (rule R53).
func (r *Result) alternatives() {
	changed := map[string]bool{}  // the files that the blocks so far change
	whole := map[string]version{} // the texts of whole files in the blocks so far, by path
	// the paths that the whole reply changes
	made := text.Set(text.Each(plan.Paths(r.Plan.Files), func(f plan.File) string { return f.Path }))
	open := map[int]bool{}   // the documents with a block outside of quotations
	wait := map[int]string{} // for each document, the sentence that says to wait or to apply nothing; "" if there is none
	for i, b := range r.Blocks {
		doc := r.Documents[b.Document].Text
		open[b.Document] = open[b.Document] || !mdblock.InQuotation(doc, b.Open.Start)
		if _, ok := wait[b.Document]; !ok {
			wait[b.Document] = reply.Says(doc, r.parts(b.Document), reply.Wait).In(doc)
		}
		if wait[b.Document] == "" && (i == len(r.Blocks)-1 || r.Blocks[i+1].Document != b.Document) {
			wait[b.Document] = reply.Retracts(doc, r.parts(b.Document), b.Span.End).In(doc)
		}
	}
	for i := range r.Blocks {
		b := &r.Blocks[i]
		back := restores(r.Plan.Blocks[i].Files, made)
		doc := r.Documents[b.Document].Text
		around := r.surroundings(i)
		around.Above.Start += r.resultAbove(i, around.Above)
		around.Again = r.addsTo(changed, i)
		around.Gone = !slices.ContainsFunc(b.Set.Changes, func(c intent.Change) bool { return c.Kind != intent.Delete && c.Kind != intent.Rename })
		at, says := reply.Alternative(doc, around)
		if r.speaksOfLeftOut(i, says) || (says == reply.Retract || says == reply.TakenBack) && r.buildsOn(i) {
			says = reply.Nothing
		}
		changes := slices.ContainsFunc(r.Plan.Blocks[i].Files, plan.BlockFile.Changes)
		result, call, labelled := r.resultAt(i)
		switch {
		case (call == reply.CallRefused || labelled) && changes:
			b.doubtWhole(text.Span{}, fmt.Sprintf("the text below this call says %q, so the call was not made; apply it only if you want it anyway", result.In(doc)))
		case says == reply.Not && !changes:
		case says == reply.Nothing && wait[b.Document] != "":
			b.doubtWhole(text.Span{}, fmt.Sprintf("the reply says %q; read that sentence before you apply this block", wait[b.Document]))
		case says == reply.Nothing && open[b.Document] && mdblock.InQuotation(doc, b.Open.Start):
			b.doubtWhole(text.Span{}, "this block is in a quotation, but other blocks of the reply are not: it may be someone else's text, which the reply only answers")
		case says == reply.Nothing:
		// Fail instead of asking: this block undoes an earlier block, so the two cannot both be intended.
		case back:
			b.fail(text.Span{}, fmt.Sprintf("the reply says %q, and this block undoes an earlier block; apply only one of the two", at.In(doc)))
		case says == reply.Not, says == reply.Optional:
			b.doubtWhole(text.Span{}, fmt.Sprintf("the reply says %q, so perhaps this block should not be applied; read the text above it first", at.In(doc)))
		default:
			b.doubtWhole(text.Span{}, fmt.Sprintf("the reply says %q: this block and another change may be alternatives; apply only one of them", at.In(doc)))
		}
		r.unannounced(i)
		b.contradictions(r.Plan.Blocks[i].Files, back, whole)
		for _, f := range r.Plan.Blocks[i].Files {
			changed[f.Target()] = changed[f.Target()] || f.State == plan.Change
		}
	}
}

// unannounced warns if block i deletes a file although the prose says only that something stays as it is.
func (r *Result) unannounced(i int) {
	b := &r.Blocks[i]
	for _, f := range r.Plan.Blocks[i].Files {
		if !f.Changes() || f.Operation != plan.Remove {
			continue
		}
		doc := r.Documents[b.Document].Text
		if at := reply.KeepsAll(doc, r.parts(b.Document), path.Base(f.Path)); !at.Empty() {
			b.doubtWhole(f.At, fmt.Sprintf("this block deletes %s, but the reply does not mention a deletion, and says %q", escape.Line(f.Path), at.In(doc)))
			return
		}
	}
}

// claims finds the sentences of the reply that make statements about blocks, and stores the statements in `sets`.
func (r *Result) claims(sets []intent.Set) {
	all := map[int]intent.Claims{} // the statements about all blocks of a document, by document
	files := map[string]bool{}
	for _, set := range sets {
		for _, c := range set.Changes {
			files[path.Join(set.Root, c.Path)] = true
		}
	}
	for i, b := range r.Blocks {
		doc := r.Documents[b.Document].Text
		said, ok := all[b.Document]
		if !ok {
			parts := r.parts(b.Document)
			has := func(v reply.Verb) bool { return !reply.Says(doc, parts, v).Empty() }
			said = intent.Claims{RestStays: has(reply.RestStays), Kept: r.keptFiles(reply.Kept(doc, parts), files), Words: reply.Words(doc, parts), Numbers: reply.Numbers(doc, parts)}
			if len(files) == 1 { // With several files, the sentence may be about only one of them.
				said.OnePlace, said.OnlyComments = has(reply.OnePlace), has(reply.OnlyComments)
			}
			all[b.Document] = said
		}
		above := r.surroundings(i).Above
		said.Adds = reply.OnlyAdds(doc, above)
		said.Named, said.Everywhere = reply.Places(doc, above)
		sets[i].Claims = said
	}
}

// keptFiles adds the paths of the files whose names alone are in `kept`, if the reply changes only one file of that name.
// A name that is itself the path of a file names no other file.
func (r *Result) keptFiles(kept map[string]string, files map[string]bool) map[string]string {
	for name, value := range maps.Clone(kept) {
		if !reply.IsFileName(name) || strings.Contains(name, "/") || r.tree != nil && fspath.IsFile(r.tree, name) {
			continue
		}
		named := slices.DeleteFunc(slices.Collect(maps.Keys(files)), func(p string) bool { return path.Base(p) != name })
		if len(named) == 1 {
			kept[named[0]] = value
		}
	}
	return kept
}

// restores reports whether a block changes any file back to its content before the reply. `made` has the paths that the
// whole reply changes. The result can also be true for a correct reply that is applied a second time.
func restores(files []plan.BlockFile, made map[string]bool) bool {
	return slices.ContainsFunc(files, func(f plan.BlockFile) bool { return f.State == plan.Change && !made[f.Path] })
}

func (b *Block) doubtWhole(at text.Span, message string) {
	b.Diagnostics = append(b.Diagnostics, diag.New(diag.Alternative, at, message))
}

func (b *Block) fail(at text.Span, message string) {
	b.Diagnostics = append(b.Diagnostics, diag.Diagnostic{Severity: diag.Error, Code: diag.Alternative, Span: at, Message: message})
}

// A version is the text of a whole file in a block.
type version struct {
	text string
	made bool // see [intent.Change.Made]
}

// contradictions warns if the block has a whole text of a file, and `whole`, from earlier blocks, has a different one.
// It skips a text of which only parts are used, a text that the file already has, and two texts that calls wrote one
// after the other. If `back` is true, the block undoes an earlier change, and the contradiction is an error.
func (b *Block) contradictions(files []plan.BlockFile, back bool, whole map[string]version) {
	isWhole := map[string]bool{}
	for _, f := range files {
		isWhole[f.Path] = isWhole[f.Path] || f.Whole && f.Changes()
	}
	for _, c := range b.Set.Changes {
		name, content := path.Join(b.Set.Root, c.Path), strings.TrimRight(c.Content, "\r\n")
		switch c.Kind {
		case intent.Delete, intent.Rename:
			delete(whole, name)
		case intent.Write, intent.Create, intent.Replace:
			if !isWhole[name] {
				break
			}
			// A second Create of the same file has its own diagnostic.
			if before, ok := whole[name]; ok && before.text != content && c.Kind != intent.Create && !(before.made && c.Made) {
				if back {
					b.fail(c.PathAt.Span, fmt.Sprintf("the reply has two different versions of the whole file %s, and the second undoes a change that the first makes; apply only one of them", escape.Line(c.Path)))
				} else {
					b.doubtWhole(c.PathAt.Span, fmt.Sprintf("the reply has two different versions of the whole file %s; the second would be written", escape.Line(c.Path)))
				}
			}
			whole[name] = version{content, c.Made}
		}
	}
}

// parts returns the spans of a document that are not prose: blocks, fences, and text that is not rendered. They are in
// order and may overlap.
func (r *Result) parts(document int) []text.Span {
	parts := append(r.read(document), text.Each(r.structures[document].Fences, func(f mdblock.Block) text.Span { return f.Span })...)
	slices.SortFunc(parts, func(a, b text.Span) int { return a.Start - b.Start })
	return parts
}

func (r *Result) surroundings(i int) reply.Around {
	b := r.Blocks[i]
	doc := r.Documents[b.Document].Text
	fences, at := r.structures[b.Document].Fences, b.Open.Start
	if n := sort.Search(len(fences), func(i int) bool { return fences[i].Span.Start >= at }); !b.Fenced && n < len(fences) && fences[n].Span.Start < b.Span.End {
		at = fences[n].Span.Start // an unfenced block may begin with the lines above a fence
	}
	a := reply.Around{Above: text.Span{Start: max(0, at-mostRead), End: at}, Start: b.Open.Start, Fences: fences}
	if i > 0 && r.Blocks[i-1].Document == b.Document {
		a.Above.Start = min(a.Above.End, max(a.Above.Start, r.Blocks[i-1].Span.End))
		a.Second = true
	}
	hidden := r.structures[b.Document].Hidden
	if n := sort.Search(len(hidden), func(i int) bool { return hidden[i].Start >= at }); n > 0 {
		a.Above.Start = max(a.Above.Start, min(a.Above.End, hidden[n-1].End)) // the result of a call says nothing about the next call
	}
	if i == len(r.Blocks)-1 || r.Blocks[i+1].Document != b.Document {
		a.Below = text.Span{Start: b.Span.End, End: min(b.Span.End+mostRead, len(doc))}
	}
	return a
}

// addsTo reports whether block i changes a part of any of `files`. It returns false if the block writes a whole file,
// because nothing of the earlier text remains.
func (r *Result) addsTo(files map[string]bool, i int) bool {
	of := r.Plan.Blocks[i].Files
	return !slices.ContainsFunc(of, func(f plan.BlockFile) bool { return f.Whole }) &&
		slices.ContainsFunc(of, func(f plan.BlockFile) bool { return f.State == plan.Change && files[f.Path] })
}

// versionOf returns a warning if a block only adds lines next to lines that an earlier block added, and both are
// versions of the same lines: `redis.host=a` and `data.redis.host=a`. The person then needs only one of the two, for
// example the one for the installed release. versionOf returns "" if there is no such block.
func (w written) versionOf(f plan.BlockFile, m *meter.Meter) string {
	for _, run := range f.Runs() {
		n := run.NewEnd - run.NewStart
		i := sort.Search(len(w), func(i int) bool { return w[i].end >= run.OldStart })
		if i+1 < len(w) && w[i+1].start == run.OldStart && w[i].end-w[i].start != n {
			i++ // the new lines are between two stretches
		}
		if i == len(w) || w[i].end-w[i].start != n || w[i].start != run.OldStart && w[i].end != run.OldStart || n < leastVersions || run.OldStart < run.OldEnd {
			continue
		}
		before, after := f.Before().Data, f.After().Data
		if !m.Pay(eachCompared * (len(before) + len(after))) {
			return ""
		}
		was, is := text.SplitLines(before)[w[i].start:w[i].end], text.SplitLines(after)[run.NewStart:run.NewEnd]
		if areVersions(was, is) {
			return fmt.Sprintf("this block adds %q, and block %d adds %q at the same place: the two may be alternatives, such as for two releases; apply only one of them", text.Cut(strings.TrimSpace(is[0]), 60), w[i].block, text.Cut(strings.TrimSpace(was[0]), 60))
		}
	}
	return ""
}

// leastVersions is the smallest number of lines that show that two texts are alternatives. A single line may resemble
// another one by chance: `get "/users"` and `get "/users/new"`.
const leastVersions = 2

// areVersions reports whether each line of one text becomes the line of the other text if one part is inserted into it,
// the same part in each line. Lines that are equal say nothing.
func areVersions(a, b []string) bool {
	part, differ := "", 0
	if len(strings.Join(a, "")) > len(strings.Join(b, "")) {
		a, b = b, a
	}
	for i, line := range a {
		if line == b[i] {
			continue
		}
		differ++
		head := text.SharedStart(line, b[i])
		more := len(b[i]) - len(line)
		if more <= 0 || text.SharedEnds(line, b[i]) < len(line) || differ > 1 && (more != len(part) || !strings.Contains(part+part, b[i][head:head+more])) {
			return false
		}
		part = b[i][head : head+more]
	}
	return differ >= leastVersions
}
