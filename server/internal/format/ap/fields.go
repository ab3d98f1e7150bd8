package ap

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// stray reports text below a directive that has no value.
func (b *builder) stray(d directive, v value) {
	if v.empty() {
		return
	}
	if b.version == v32 && commentsOnly(v) {
		if b.mod != nil && b.mod.act == d {
			b.mod.remark = v.at
		}
		return
	}
	b.broken()
	if b.driftedIn(d.below) {
		return
	}
	fix := diag.Fix{Title: "Remove it", Edits: []text.Edit{remove(text.Span{Start: v.at.Start, End: b.wholeLine(text.Span{Start: v.at.End, End: v.at.End}).End})}}
	fix.Preferred = commentsOnly(v) && d.keyword != kwDelete || len(v.lines) == 1 && isFence(strings.TrimSpace(v.lines[0]))
	b.fail(diag.APStrayText, v.at, fmt.Sprintf("%s has no value, but text is below it: %q", d.keyword, shown(v.lines[0])), fix)
}

func (b *builder) noArgs(d directive) {
	if d.args.Empty() {
		return
	}
	args := d.args.In(b.body)
	b.broken()
	fix := possible("Remove it", remove(text.Span{Start: d.word.End, End: d.line.End}))
	fix.Preferred = args == ":"
	b.fail(diag.APArgument, d.args, fmt.Sprintf("%s takes no argument, and %q follows it", d.keyword, shown(args)), fix)
}

func (b *builder) option(d directive) {
	m := b.implicit(d)
	b.stray(d, trimmed(b.body[:b.stop], d.below))
	m.at.End = max(m.at.End, d.line.End)
	args := d.args.In(b.body)
	n, err := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(args, ":")))
	if d.keyword == kwScopeEnd && args == "" {
		n, err = 1, nil
	}
	if err != nil || n < 0 || n > 1<<20 || d.keyword == kwScopeEnd && n > 1 {
		b.broken()
		b.fail(diag.APArgument, d.line, fmt.Sprintf("%s takes a number of lines, not %q", d.keyword, shown(args)))
		return
	}
	if strings.HasPrefix(args, ":") {
		b.broken()
		b.fail(diag.APArgument, d.args, "the number follows without a colon", certain("Remove the colon", text.Edit{Span: d.args, New: strconv.Itoa(n)}))
	}
	switch d.keyword {
	case kwLeading:
		m.leading = n
	case kwTrailing:
		m.trailing = n
	case kwScopeEnd:
		m.scopeEnd = n == 1
	}
}

func (b *builder) value(d directive) {
	m := b.implicit(d)
	f := b.field(d)
	m.at.End = max(m.at.End, f.at.End, d.line.End)
	if old := m.fields[d.keyword]; old != nil {
		b.duplicate(old, f)
		return
	}
	m.fields[d.keyword] = f
}

func (b *builder) duplicate(old, f *field) {
	b.broken()
	if b.driftedIn(text.Span{Start: old.d.line.Start, End: f.d.line.End}) {
		return // an action between the two has a wrong ID
	}
	d := f.d
	whole := text.Span{Start: d.line.Start, End: d.below.End}
	fix := possible("Remove this one", remove(whole))
	fixes := []diag.Fix{fix}
	again := d.keyword == kwSnippet && b.mod.fields[kwContent] != nil // perhaps the snippet begins another modification, whose action is missing
	switch {
	case f.String() == old.String() && !again:
		fixes[0].Preferred = true
	case again && b.mod.action != "":
		fixes = []diag.Fix{possible(fmt.Sprintf("Begin another %s here", b.mod.action), insert(d.line.Start, b.id+" "+b.mod.action+b.eol)), fix}
	default:
		fixes = append(fixes, possible("Remove the first one", remove(text.Span{Start: old.d.line.Start, End: old.d.below.End})))
	}
	b.report(diag.Diagnostic{Span: d.line, Severity: diag.Error, Code: diag.APDuplicate,
		Message: fmt.Sprintf("%s occurs twice in one modification", d.keyword),
		Related: []diag.Related{{Span: old.d.line, Message: "the first one"}}, Fixes: fixes})
}

func (b *builder) rename(d directive) {
	b.closeMod()
	f := b.field(d)
	f.value = b.commentsOff(f.value)
	switch {
	case b.file.rename != nil:
		b.mod = &mod{fields: map[string]*field{}}
		b.duplicate(b.file.rename, f)
		b.mod = nil
		return
	case f.empty():
		b.broken()
		b.fail(diag.APMissingPath, d.line, "RENAME has no path on the line below")
	case len(f.lines) > 1:
		b.broken()
		b.fail(diag.APStrayText, text.Span{Start: f.spans[1].Start, End: f.at.End}, "only one path is expected below RENAME, up to the next directive")
	}
	b.file.rename, b.mod = f, nil
}

// field reads a KEY-VALUE directive.
func (b *builder) field(d directive) *field {
	f := &field{d: d, value: trimmed(b.body[:b.stop], d.below)}
	args := d.args.In(b.body)
	if args == "" {
		return f
	}
	b.broken()
	if !f.empty() {
		b.fail(diag.APArgument, d.args, fmt.Sprintf("the value of %s must be on the lines below it, but %q follows on the same line", d.keyword, shown(args)))
		return f
	}
	fix := certain("Put it on the line below", text.Edit{Span: text.Span{Start: d.word.End, End: d.args.Start}, New: b.eol})
	fix.Preferred = d.args.Start-d.word.End == 1 // if there are more spaces, they may be the indentation of the value
	b.fail(diag.APInlineValue, d.args, fmt.Sprintf("the value of %s belongs on the lines below it", d.keyword), fix)
	f.value = value{at: d.args, lines: []string{args}, spans: []text.Span{d.args}}
	return f
}
