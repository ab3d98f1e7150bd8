package searchreplace

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/findreplace"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/reply"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A pair is two fences with labels such as "before" and "after". The second fence replaces the lines in the first. If
// the labels are in other words, the file and the texts must show this.
type pair struct {
	told
	old, new *format.Region
	labelled bool // both labels are known words for an old and a new text
}

// A told holds what the words around a pair say about it.
type told struct {
	path   located
	at     text.Span  // the span that begins with the path or with the first label
	sure   bool       // the labels explicitly request the replacement
	part   bool       // the texts are parts of a line of the file
	places reply.Verb // which places change: [reply.Both], [reply.AllPlaces], or [reply.Nothing] for a single one
}

// nearPath is the largest number of lines between the name of the file and the first label.
const nearPath = 3

// eachShown is the cost of each byte of a file that is searched for the texts of a pair, in units of the meter.
const eachShown = 16

// longestLabel limits the label of the second text of a pair, in bytes. A longer line explains something.
const longestLabel = 120

// pairs returns, in order, the labelled pairs of fences whose file is known. A pair without a path of its own is for
// the file of the pair directly above it.
func pairs(doc string, fences []*format.Region) []pair {
	var found []pair
	from, name := 0, ""
	for i := 0; i+1 < len(fences); i++ {
		p := pair{old: fences[i], new: fences[i+1]}
		if p.read(doc, from, name) && p.path.path != "" {
			found, name = append(found, p), p.path.path
			i++
		} else {
			name = ""
		}
		from = fences[i].Span.End
	}
	return found
}

// read reports whether the two fences of a pair belong together. `name` is the file of the preceding pair.
func (p *pair) read(doc string, from int, name string) bool {
	if !p.old.Closed || strings.TrimSpace(p.old.Body) == "" || notText(p.old) || notText(p.new) || prefixOf(doc, p.old) != prefixOf(doc, p.new) {
		return false
	}
	label := reply.LineAbove(doc, from, p.old.Open.Start)
	below := p.old.Span.End + artifact.NoteBelow(doc[p.old.Span.End:])
	second := reply.LineAbove(doc, below, p.new.Open.Start)
	if strings.Trim(doc[below:second.Start], " \t\r\n>") != "" {
		return false
	}
	if len(reply.Mentioned(second.In(doc))) > 0 {
		return false
	}
	says := reply.PairLabels(label.In(doc), second.In(doc))
	if _, alone := reply.PathIn(label.In(doc)); !says.Known && (says.Apart || alone || second.Len() > longestLabel) {
		return false // a text below its path alone is the text of the file
	}
	p.labelled, p.sure, p.places = says.Known, says.Known && says.Sure, says.Places
	p.at = text.Span{Start: label.Start, End: p.new.Span.End}
	line := label
	for n := 0; n <= nearPath && !line.Empty(); n++ {
		at, one := reply.PathIn(line.In(doc))
		if !one {
			at, one = reply.OnlyPath(line.In(doc))
		}
		if one {
			p.path, p.at.Start = located{at.In(line.In(doc)), at.Shift(line.Start)}, line.Start
			return true
		}
		if len(reply.Mentioned(line.In(doc))) > 0 {
			return false // the text names several files
		}
		line = reply.LineAbove(doc, from, line.Start)
	}
	if slices.ContainsFunc(reply.Mentioned(doc[from:label.Start]), func(other string) bool { return !reply.EndsWith(name, other) }) {
		name = "" // the text since the preceding pair is about another file
	}
	p.path.path = name
	return true
}

// notText reports whether a fence contains an edit in another notation.
func notText(r *format.Region) bool {
	return r.Kind() == mdblock.Patch || isSearch(r.Body)
}

func isSearch(body string) bool {
	return slices.ContainsFunc(needed[:2], func(s string) bool { return strings.Contains(body, s) })
}

// prefixOf returns the text before a fence on its line, with spaces instead of a list marker.
func prefixOf(doc string, r *format.Region) string {
	return strings.Map(func(c rune) rune {
		if c == '>' || c == '\t' {
			return c
		}
		return ' '
	}, r.BeforeFence(doc))
}

// findPairs claims the pairs that change files of the workspace. If the file has neither text, the pair is a
// comparison or a sample, unless its labels explicitly request the replacement. If both texts are farther above in
// the reply, the pair only repeats an earlier edit.
func findPairs(d format.Document, claimed []*format.Region) []*format.Region {
	if d.Tree == nil {
		return nil
	}
	taken := func(at text.Span) bool {
		return d.IsTaken(at) || slices.ContainsFunc(claimed, func(r *format.Region) bool { return r.Span.Overlaps(at) })
	}
	all := pairs(d.Text, d.Fences)
	var above strings.Builder // the text above, without pairs
	at := 0
	var found []*format.Region
	for _, p := range all {
		above.WriteString(d.Text[at:p.at.Start])
		at = p.at.End
		if taken(p.at) || !p.isEdit(d) || contains(above.String(), p.old.Body+p.new.Body) {
			continue
		}
		r := format.Piece(d.Text, p.at, p.new.Closed)
		r.Shared = p.within(p.at.Start, prefixOf(d.Text, p.old))
		found = append(found, r)
	}
	return found
}

// isEdit reports whether a pair is an edit: its file has one of its texts, or its labels request the replacement.
// Labels are not enough in a document that begins with a title, as documentation does. Without known labels, the texts
// must show it. isEdit also sets `part`.
func (p *pair) isEdit(d format.Document) bool {
	content, ok := reply.FileText(d, p.path.path)
	_, titled := reply.Titled(d)
	if !p.labelled {
		return ok && !titled && d.Meter.Pay(eachShown*len(content)) && p.shows(content) && p.isVersion(d)
	}
	old, now := text.TrimEOL(p.old.Body), text.TrimEOL(p.new.Body)
	if ok && old != "" && !strings.ContainsAny(old+now, "\r\n") && !text.HasLines(content, old) && !text.HasLines(content, now) {
		fits := func(s string) bool {
			return s != "" && strings.Contains(content, s) && (p.places != reply.Nothing || strings.Count(content, s) == 1)
		}
		p.part = fits(old) || !strings.Contains(content, old) && fits(now)
	}
	return ok && (p.sure && !titled || text.HasLines(content, p.old.Body) || text.HasLines(content, p.new.Body))
}

// shows reports whether a file shows that the second text of a pair replaces the first: the file has the lines of the
// first exactly once, among others, and does not have those of the second.
func (p *pair) shows(content string) bool {
	all := "\n" + strings.Join(nonblank(content), "\n\n") + "\n"
	count := func(s string) int { return strings.Count(all, "\n"+strings.Join(nonblank(s), "\n\n")+"\n") }
	return count(p.old.Body) == 1 && count(p.new.Body) == 0 && len(nonblank(p.old.Body)) < len(nonblank(content))
}

// isVersion reports whether the second text of a pair keeps a line of the first or has another version of it, or whether
// both texts are one line with the same first word.
func (p *pair) isVersion(d format.Document) bool {
	old, now := nonblank(p.old.Body), nonblank(p.new.Body)
	if len(old) == 1 && len(now) == 1 && text.HasWord(old[0]) && strings.Fields(old[0])[0] == strings.Fields(now[0])[0] {
		return true
	}
	return slices.ContainsFunc(now, func(line string) bool {
		return text.HasWord(line) && (slices.Contains(old, line) || reply.IsVersion(d.Meter, line, old))
	})
}

// contains reports whether a text contains each nonblank line of another one, perhaps behind a mark such as `+`.
func contains(s, lines string) bool {
	return !slices.ContainsFunc(nonblank(lines), func(line string) bool { return !strings.Contains(s, line) })
}

// nonblank returns the lines of a text that are not blank, without white space around them.
func nonblank(s string) []string {
	return text.Only(text.Each(text.SplitLines(s), strings.TrimSpace), func(line string) bool { return line != "" })
}

// A written is a pair whose spans are relative to the body of its region.
type written struct {
	told
	texts [2]string
	spans [2]text.Span
	as    intent.Notation
}

func (p pair) within(start int, prefix string) written {
	w := written{told: p.told, as: prefixed{prefix, text.FirstEOL(p.old.Body)}}
	w.at = w.at.Shift(-start)
	if !w.path.span.Empty() {
		w.path.span = w.path.span.Shift(-start)
	}
	for i, r := range []*format.Region{p.old, p.new} {
		w.texts[i], w.spans[i] = r.Body, r.HostSpan(text.Span{End: len(r.Body)}).Shift(-start)
	}
	return w
}

func parsePair(w written) format.Parsed {
	var edit intent.Step = findreplace.WholeLines{At: w.at, FindName: "the old text", ReplaceName: "the new text", Readings: []findreplace.Reading{{
		Find: w.texts[0], FindAt: intent.Literal{Span: w.spans[0], As: w.as},
		Replace: w.texts[1], ReplaceAt: intent.Literal{Span: w.spans[1], As: w.as},
	}}}
	if w.part || w.places != reply.Nothing {
		r := findreplace.Replacement{Limit: findreplace.Only, Law: place.WholeLines, At: w.at, FindName: "the old text", ReplaceName: "the new text"}
		if w.part {
			r.Law = place.Literal
			for i, s := range w.texts {
				w.texts[i] = text.TrimEOL(s)
				w.spans[i].End = w.spans[i].Start + len(w.texts[i])
			}
			w.as = nil
		}
		if r.Find, r.Replace = w.texts[0], w.texts[1]; w.places != reply.Nothing {
			r.Limit = findreplace.All
		}
		if w.places == reply.Both {
			r.Count = 2
		}
		r.FindAt, r.ReplaceAt = intent.Literal{Span: w.spans[0], As: w.as}, intent.Literal{Span: w.spans[1], As: w.as}
		edit = r
	}
	parsed := format.Parsed{Entries: 1, Readable: 1, Summary: "1 replacement"}
	parsed.Set.PathsRepeat = true
	parsed.Set.Changes = []intent.Change{{Kind: intent.Edit, Path: w.path.path, PathAt: intent.Literal{Span: w.path.span}, At: w.at, Steps: []intent.Step{edit}}}
	if !w.sure {
		parsed.Diagnostics = []diag.Diagnostic{diag.New(diag.SearchPair, text.Span{End: w.spans[0].Start},
			"the words above do not clearly request a replacement; Aptix assumes that the second text replaces the first in "+escape.Line(w.path.path))}
	}
	return parsed
}

// prefixed is the notation of whole lines in a fence whose lines all have the same prefix.
type prefixed struct{ prefix, eol string }

func (n prefixed) Write(s string) string {
	var b strings.Builder
	for i, line := range text.SplitLines(s) {
		if i > 0 {
			b.WriteString(n.prefix)
		}
		b.WriteString(text.TrimEOL(line) + n.eol)
	}
	return b.String()
}
