package plan

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A past records the effects of earlier steps of a reply on a file. Later steps depend on it.
type past struct {
	applied  bool // the history shows that the same changes of the file were applied before
	block    int  // the number of the block; the first is 1
	number   int  // the number of steps of the block so far
	group    int  // the last group, such as a commit, to which a change of the file belonged; 0 if there was none
	made     bool // the last change of the file is one that a transcript says was made
	series   bool // a later change may take an earlier one back, as a commit or a call that sees the earlier one may
	original *place.Text
	earlier  []intent.Earlier
	unmet    []string
	text     *place.Text // the file after these steps, with its search index; nil if there were no steps
	// the file after these steps if it is known to be UTF-8 without a byte order mark; otherwise nil
	plain *place.Text
}

// in returns the past for the steps of a block. The index of the first block is 0.
func (p past) in(block int) past {
	if p.block != block+1 {
		p.block, p.number = block+1, 0
	}
	return p
}

func (p *past) join(c intent.Change) {
	p.series = p.series || p.made && c.Made
	p.made = c.Made
	if c.Group != 0 {
		p.series = p.series || p.group != 0 && p.group != c.Group
		p.group = c.Group
	}
}

// textOf returns the text s with a search index. If s equals the text after the earlier steps, it reuses the index of
// that text.
func (p *past) textOf(s string, m *meter.Meter) *place.Text {
	if p.text == nil || p.text.String() != s {
		p.text = place.NewMetered(s, m)
	}
	return p.text
}

// before returns the effects of the steps so far. The result shares memory with p; this is safe because the lists only
// grow.
func (p *past) before() intent.Before {
	return intent.Before{Block: p.block, Steps: p.earlier[:len(p.earlier):len(p.earlier)], Original: p.original, Unmet: p.unmet[:len(p.unmet):len(p.unmet)]}
}

func (p *past) note(t *place.Text, out intent.Outcome) {
	p.number++
	if out.Unmet != "" {
		p.unmet = append(p.unmet, out.Unmet)
	}
	if len(out.Edits) == 0 {
		return
	}
	p.original = cmp.Or(p.original, t)
	p.earlier = append(p.earlier, intent.Earlier{Block: p.block, Number: p.number, Edits: out.Edits})
}

// decode returns the text of a file for a step to search, and the other results of [text.Decode]. If `raw` is true, the
// text is the undecoded bytes. decode reuses a text that is already decoded, because a reply may have many small steps
// for one long file.
func (p *past) decode(v version, raw bool, m *meter.Meter) (*place.Text, text.Encoding, error) {
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

// share prepares a text for edits by many blocks. As a result, an edited text shares its unchanged parts with the
// original, and texts that are known to be UTF-8 can be compared quickly by these parts.
func (p *past) share(t *place.Text) {
	t.Cut()
	if t == p.plain {
		return
	}
	if _, enc, err := text.Decode(t.String()); err == nil && enc == text.UTF8 {
		p.plain = t
	}
}

// follow records that edits turned the text t into `after`. If `after` might not be plain UTF-8, follow also drops the
// plain text.
func (p *past) follow(t *place.Text, edits []text.Edit, after *place.Text) {
	cuts := func(at int) bool { return at < t.Len() && !utf8.RuneStart(t.ByteAt(at)) }
	unclear := func(e text.Edit) bool {
		return cuts(e.Span.Start) || cuts(e.Span.End) || !utf8.ValidString(e.New) || strings.Contains(e.New, "\x00")
	}
	const mark = 0xef // a byte order mark in UTF-8 begins with this byte
	if t != p.plain || after.Len() > 0 && after.ByteAt(0) == mark || slices.ContainsFunc(edits, unclear) {
		after = nil
	}
	p.plain = after
}

// forget drops everything about the text, because a change replaces it.
func (p *past) forget() { p.original, p.earlier, p.unmet, p.text, p.plain = nil, nil, nil, nil, nil }
