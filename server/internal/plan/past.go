package plan

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A past is what the steps of a reply did to a file so far, for later ones to
// speak of.
type past struct {
	applied  bool // the history knows that the same was done to the file before
	block    int  // from 1
	number   int  // of the block's steps that were run
	original *locate.Text
	earlier  []intent.Earlier
	unmet    []string
	text     *locate.Text // the file after these steps, indexed; nil before there are any
	plain    *locate.Text // the file after these steps, where it is known to be UTF-8 without a mark
}

// in is the past as a step of the block of an index, from 0, sees it.
func (p past) in(block int) past {
	if p.block != block+1 {
		p.block, p.number = block+1, 0
	}
	return p
}

// textOf is s as a text to look in: the one of the steps before, which is indexed, where
// that is s.
func (p *past) textOf(s string, m *meter.Meter) *locate.Text {
	if p.text == nil || p.text.String() != s {
		p.text = locate.NewMetered(s, m)
	}
	return p.text
}

// target is a text as a step sees it.
func (p *past) target(t *locate.Text, cursor int) intent.Target {
	return intent.Target{Text: t, Applied: p.applied, Cursor: cursor, Before: p.before()}
}

// before is what the steps so far did. It shares the lists, which only grow.
func (p *past) before() intent.Before {
	return intent.Before{Block: p.block, Steps: p.earlier[:len(p.earlier):len(p.earlier)], Original: p.original, Unmet: p.unmet[:len(p.unmet):len(p.unmet)]}
}

// note remembers what a step did to t.
func (p *past) note(t *locate.Text, out intent.Outcome) {
	p.number++
	if out.Unmet != "" {
		p.unmet = append(p.unmet, out.Unmet)
	}
	if len(out.Edits) == 0 {
		return
	}
	if p.original == nil {
		p.original = t
	}
	p.earlier = append(p.earlier, intent.Earlier{Block: p.block, Number: p.number, Edits: out.Edits})
}

// decode is the text of a file for a step to look in, and [text.Decode]'s other results; raw
// text is the bytes. To look through all of a long file again after each of many small steps
// would take longer than these do.
func (p *past) decode(v version, raw bool, m *meter.Meter) (*locate.Text, text.Encoding, error) {
	switch {
	case v.plain:
		p.plain = v.text
		return v.text, text.UTF8, nil
	case raw && v.text != nil:
		return v.text, text.UTF8, nil
	case raw:
		return p.textOf(v.bytes(), m), text.UTF8, nil
	}
	s, enc, err := text.Decode(v.bytes())
	if err != nil {
		return nil, enc, err
	}
	t := p.textOf(s, m)
	if enc == text.UTF8 {
		p.plain = t
	}
	return t, enc, nil
}

// share readies a text for many blocks: what edits make of it shares what they leave alone, and
// is compared by that if it is known to be text.
func (p *past) share(t *locate.Text) {
	t.Cut()
	if t == p.plain {
		return
	}
	if _, enc, err := text.Decode(t.String()); err == nil && enc == text.UTF8 {
		p.plain = t
	}
}

// follow notes that edits made t into after.
func (p *past) follow(t *locate.Text, edits []text.Edit, after *locate.Text) {
	cuts := func(at int) bool { return at < t.Len() && !utf8.RuneStart(t.ByteAt(at)) }
	unclear := func(e text.Edit) bool {
		return cuts(e.Span.Start) || cuts(e.Span.End) || !utf8.ValidString(e.New) || strings.Contains(e.New, "\x00")
	}
	const mark = 0xef // the first byte of one
	if t != p.plain || after.Len() > 0 && after.ByteAt(0) == mark || slices.ContainsFunc(edits, unclear) {
		after = nil
	}
	p.plain = after
}

// forget drops what was done to a text that is written again from the start.
func (p *past) forget() { p.original, p.earlier, p.unmet, p.text, p.plain = nil, nil, nil, nil, nil }
