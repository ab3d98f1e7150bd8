package ap

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A file is a FILE block (rule A13).
type file struct {
	start  directive
	path   string
	pathAt text.Span
	eol    text.EOL // of all lines, or None to keep the current endings
	mods   []*mod
	rename *field
	broken bool // a part of the block is invalid
}

// A mod is a modification block (rule A14).
type mod struct {
	number   int       // in the patch, from 1
	act      directive // zero if the action is missing
	action   string    // "" if the action is missing
	at       text.Span // from the first directive to the end of the last value
	until    int       // the offset of the next directive outside of the modification
	fields   map[string]*field
	leading  int // the largest number of blank lines to remove above
	trailing int // the largest number of blank lines to remove below
	scopeEnd bool
	remark   text.Span // the comments below the action
	unsure   bool      // a part is invalid, so missing parts are not reported
}

// A field is a KEY-VALUE directive.
type field struct {
	d directive
	value
}

func (m *mod) field(keyword string) *field { return m.fields[keyword] }

func (p *patch) document(ds []directive) {
	b := builder{patch: p}
	for _, d := range ds {
		b.directive(d)
		if d.keyword == kwEnd && p.version == v32 {
			if at := (text.Span{Start: d.below.Start, End: p.stop}); !text.IsBlank(at.In(p.body)) {
				p.rest = []text.Span{at}
			}
			break
		}
	}
	b.close()
	p.ending(ds)
	if len(ds) == 0 && len(p.drifts) == 0 {
		p.fail(diag.APMissingFile, text.Span{Start: max(p.start-1, 0), End: p.start}, "the patch has no FILE: it changes nothing")
	}
}

// A builder reads directives one by one. Its file and mod are those to which the next directive belongs.
type builder struct {
	*patch
	file   *file
	mod    *mod
	number int
	lost   bool // a directive above the first FILE is already reported
}

func (b *builder) directive(d directive) {
	if d.keyword == "" {
		b.unknown(d)
		return
	}
	b.keyword(d)
	switch {
	case d.keyword == kwFile:
		b.startFile(d)
	case d.keyword == kwAP:
		b.fail(diag.APDuplicate, d.line, "the header occurs twice; a patch has only one header", possible("Remove this header", remove(b.wholeLine(d.line))))
	case d.keyword == kwEnd:
		b.end(d)
	case b.file == nil:
		b.noFile(d)
	case kinds[d.keyword] == action:
		b.startMod(d)
	case d.keyword == kwRename:
		b.rename(d)
	case kinds[d.keyword] == option:
		b.option(d)
	default:
		b.value(d)
	}
}

// broken marks the current FILE block as invalid, so that it is not applied.
func (b *builder) broken() {
	if b.file != nil {
		b.file.broken = true
	}
}

func (b *builder) unknown(d directive) {
	b.broken()
	if b.mod != nil {
		b.mod.unsure = true
	}
	word := d.word.In(b.body)
	if d.word.Start == d.id.End && word != "" {
		b.fail(diag.APUnknownDirective, d.line, fmt.Sprintf("the line begins with the patch's ID but is not a directive: %q; choose an ID that no line of content begins with", shown(d.line.In(b.body))))
		return
	}
	b.fail(diag.APUnknownDirective, d.line, fmt.Sprintf("%q is not a directive", shown(word)), b.closestKeyword(d)...)
}

// keyword reports a keyword that is misspelt, or that 3.1 does not have.
func (b *builder) keyword(d directive) {
	word := d.word.In(b.body)
	if word != d.keyword || d.word.Start == d.id.End {
		span, write := d.word, d.keyword
		if d.word.Start == d.id.End {
			write = " " + write
		}
		b.fail(diag.APKeyword, span, fmt.Sprintf("%q must be written %s", word, d.keyword), certain("Write "+d.keyword, text.Edit{Span: span, New: write}))
		b.broken()
	}
	if b.version == v31 && since32[d.keyword] && d.keyword != kwEnd {
		b.fail(diag.APNeeds32, d.word, fmt.Sprintf("%s is a directive of ap 3.2, but the header says 3.1", d.keyword))
		b.broken()
	}
}

// end reports END in a 3.1 patch. The fix that removes it is certain if no text is below it.
func (b *builder) end(d directive) {
	b.noArgs(d)
	if b.version == v32 {
		return
	}
	b.fail(diag.APNeeds32, d.word, "END is a directive of ap 3.2, but the header says 3.1",
		diag.Fix{Title: "Remove END", Edits: []text.Edit{remove(b.wholeLine(d.line))}, Preferred: trimmed(b.body[:b.stop], d.below).empty()})
}

func (b *builder) startMod(d directive) {
	b.closeMod()
	b.implicit(d)
	b.mod.act, b.mod.action = d, d.keyword
	b.noArgs(d)
	v := trimmed(b.body[:b.stop], d.below)
	if d.keyword != kwCreate {
		b.stray(d, v)
	} else if !v.empty() {
		b.createBelow(d, v)
	}
}

// implicit returns the modification to which a value belongs. If there is none, implicit begins one without an
// action.
func (b *builder) implicit(d directive) *mod {
	if b.mod == nil {
		b.number++
		b.mod = &mod{number: b.number, at: d.line, fields: map[string]*field{}}
		b.file.mods = append(b.file.mods, b.mod)
	}
	b.mod.until = d.below.End
	return b.mod
}

func shown(s string) string {
	s = strings.TrimSpace(s)
	if line, _, more := strings.Cut(s, "\n"); more {
		return shown(line) + " ..."
	}
	return text.Cut(s, 60)
}
