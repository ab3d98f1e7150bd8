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
	eol    text.EOL // the line ending for all lines of the file, or None to keep the current endings
	mods   []*mod
	rename *field
	broken bool // whether a part of the block is invalid
}

// A mod is a modification block (rule A14).
type mod struct {
	number   int       // the number of the modification in the patch; the first is 1
	act      directive // zero if the action is missing
	action   string    // "" if the action is missing
	at       text.Span // from the first directive to the end of the last value
	until    int       // the offset of the next directive that is not a part of the modification
	fields   map[string]*field
	leading  int // the largest number of blank lines to remove above the place
	trailing int // the largest number of blank lines to remove below the place
	scopeEnd bool
	remark   text.Span // the comments below the action
	unsure   bool      // whether a part is invalid, so that missing parts should not be reported
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

// A builder reads directives one by one. It holds the file and the modification to which the next directive belongs.
type builder struct {
	*patch
	file   *file
	mod    *mod
	number int
	lost   bool // whether a directive before the first FILE has already been reported
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

// broken marks the current FILE block as invalid, so that the block is not applied.
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

// keyword adds a diagnostic about a keyword that is misspelt, or that 3.1 does not have.
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

// end checks END, which a 3.1 patch must not have. The fix that removes END is certain if no text is below it.
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

// implicit returns the modification that a value belongs to. If there is none, it begins one without an action.
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
