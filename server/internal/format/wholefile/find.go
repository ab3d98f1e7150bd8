package wholefile

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/reply"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// find claims the files of a document if at least one is certainly an edit. Each of the others is then an edit or an
// error, so that none is ignored.
func find(d format.Document) []*format.Region {
	unfenced := banners(d)
	within := func(at text.Span) bool {
		i := sort.Search(len(unfenced), func(i int) bool { return unfenced[i].at.End > at.Start })
		return i < len(unfenced) && unfenced[i].at.Start <= at.Start
	}
	found := entries(d.Text, d.Fences, func(f *format.Region) bool { return d.IsTaken(f.Span) || within(f.Span) }, d.Meter)
	found = append(slices.DeleteFunc(found, func(e entry) bool { return within(e.at) }), unfenced...)
	found = told(proven(found, d), d)
	slices.SortStableFunc(found, func(a, b entry) int { return a.at.Start - b.at.Start })
	if len(found) == 0 || !settle(found, d) {
		return nil
	}
	for i := range found {
		found[i] = found[i].withoutLabel(d)
	}
	var regions []*format.Region
	for i, e := range found {
		switch {
		case i > 0 && e.fence != nil && found[i-1].fence == e.fence:
			r := regions[len(regions)-1]
			r.Shared = append(r.Shared.([]entry), e.alone())
		case e.verbatim(d.Text) && e.problem != several:
			r := format.Piece(d.Text, e.at, !e.open && (e.fence == nil || e.fence.Closed))
			r.Shared = []entry{e.shift(e.at.Start)}
			regions = append(regions, r)
		default:
			regions = append(regions, &format.Region{Block: e.fence.Block, Shared: []entry{e.alone()}})
		}
	}
	return regions
}

// banners returns the files outside of fences below a banner, such as `=== src/a.py ===`. Only a second banner with
// the word END marks the end of a file.
func banners(d format.Document) []entry {
	var found []entry
	read := 0
	for p := range d.Segments(&read) {
		if p.Mark != mdblock.BannerMark || d.IsTaken(p.At) {
			continue
		}
		end, next := text.LineEnd(d.Text, p.At.Start)
		line := text.Span{Start: p.At.Start, End: end}
		if !p.Whole {
			p.At.End = min(p.At.End, d.FenceBelow(p.At.Start))
		}
		inner := text.Span{Start: next, End: p.At.End}
		if text.IsBlank(inner.In(d.Text)) {
			// A banner without text below it only labels a fence.
			continue
		}
		if p.Whole {
			inner.End = next + strings.LastIndexAny(strings.TrimRight(inner.In(d.Text), "\r\n"), "\r\n") + 1
		}
		at, _ := mdblock.Banner(line.In(d.Text))
		at = at.Shift(p.At.Start)
		// The fence around a document may belong to it, except if it says what document that is.
		if in, info, ok := mdblock.Wrapped(inner.In(d.Text)); ok && (!artifact.IsDocument(at.In(d.Text)) || info == "markdown" || info == "md") {
			inner = in.Shift(inner.Start)
		}
		e := entry{path: located{at.In(d.Text), at}, line: line, at: p.At, part: text.Span{End: inner.Len()}, content: inner, written: true, problem: endless}
		if p.Whole {
			e.problem = fine
		}
		e.fence = &format.Region{Block: mdblock.Piece(d.Text, inner, true)}
		found, read = append(found, e), p.At.End
	}
	return found
}

// withoutLabel leaves out the first line of an entry's text if it is a comment with only the path, and the current
// file lacks it. The comment is then a label, not a line of the file.
func (e entry) withoutLabel(d format.Document) entry {
	if !e.written || e.part.Empty() {
		return e
	}
	end, next := text.LineEnd(e.fence.Body, e.part.Start)
	label := text.Span{Start: e.part.Start, End: end}.In(e.fence.Body)
	if !reply.IsPathComment(label, e.path.path) {
		return e
	}
	if content, ok := reply.FileText(d, e.path.path); !ok || strings.Contains(content, strings.TrimSpace(label)) {
		return e
	}
	if end, below := text.LineEnd(e.fence.Body, next); below > end && strings.TrimSpace(e.fence.Body[next:end]) == "" {
		// Skip the blank line below the label.
		next = below
	}
	e.part.Start, e.comment = next, ""
	if e.line == zero {
		e.line = e.fence.HostSpan(text.Span{End: next})
	}
	return e.with(d.Text, e.fence)
}

// alone returns the entry for a region that is only the text in the fence. The region contains the path only if the
// text does.
func (e entry) alone() entry {
	e.path.span, e.to.span, e.line = e.inText, zero, zero
	e.content, e.at = e.part, text.Span{End: len(e.fence.Body)}
	if e.problem == several {
		e.at = e.part
	}
	return e
}

// eachHeading is the cost of reading a line that may be a heading, in units of the meter.
const eachHeading = 400 * meter.Line

// headings returns the deletions and renames on the lines between two offsets, in order.
func headings(doc string, from, to int, m *meter.Meter) []entry {
	var found []entry
	for line := range text.EachLine(doc[from:to]) {
		if line = line.Shift(from); mayGo(line.In(doc)) && m.Pay(eachHeading) {
			if g, ok := reply.FileGoes(line.In(doc)); ok {
				found = append(found, gone(doc, line, line, g))
			} else {
				found = append(found, asked(doc, line)...)
			}
		}
	}
	return found
}

// mayGo is a quick test that excludes most lines without a deletion or rename.
func mayGo(line string) bool {
	return strings.ContainsAny(line, "#:：*`>→") && strings.Contains(line, ".")
}

// gone returns the deletion or rename in a part of a line. The spans in g are relative to the part.
func gone(doc string, line, part text.Span, g reply.Gone) entry {
	e := entry{verb: deleted, label: g.Label && g.Heading, path: locatedIn(doc, g.From.Shift(part.Start)), at: part, line: line}
	if !g.To.Empty() {
		e.verb, e.to = renamed, locatedIn(doc, g.To.Shift(part.Start))
	}
	if !g.Label {
		e.problem = mentioned
	}
	e.open = part.End == len(doc) && !(e.label && strings.HasSuffix(part.In(doc), "`"))
	return e
}

// asked returns the deletions and renames that the sentences of a line request. Each ends at its last path, so that
// the rest of the sentence does not count as read.
func asked(doc string, line text.Span) (found []entry) {
	for _, at := range reply.Sentences(line.In(doc)) {
		at = at.Shift(line.Start)
		if g, ok := reply.AsksToGo(at.In(doc)); ok {
			e := gone(doc, line, at, g)
			last, _ := utf8.DecodeLastRuneInString(at.In(doc))
			e.inWords, e.open = true, at.End == len(doc) && !unicode.IsPunct(last)
			e.at.End = max(e.path.span.End, e.to.span.End) + len("`")
			found = append(found, e)
		}
	}
	return found
}

func locatedIn(doc string, at text.Span) located { return located{at.In(doc), at} }
