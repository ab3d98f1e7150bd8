package ap

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

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
	fix := diag.Fix{Title: "Remove the text", Edits: []text.Edit{remove(text.Span{Start: v.at.Start, End: b.wholeLine(text.Span{Start: v.at.End, End: v.at.End}).End})}}
	fix.Preferred = commentsOnly(v) && d.keyword != kwDelete || len(v.lines) == 1 && isFence(v.lines[0])
	b.fail(diag.APStrayText, v.at, fmt.Sprintf("%s has no value, but text is below it: %q", d.keyword, shown(v.lines[0])), fix)
}

func (b *builder) noArgs(d directive) {
	if d.args.Empty() {
		return
	}
	args := d.args.In(b.body)
	b.broken()
	fix := possible("Remove the argument", remove(text.Span{Start: d.word.End, End: d.line.End}))
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
		b.fail(diag.APArgument, d.args, "the number must follow without a colon", certain("Remove the colon", text.Edit{Span: d.args, New: strconv.Itoa(n)}))
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
		// A line between the two fields is probably an action with a wrong ID.
		return
	}
	d := f.d
	fix := possible("Remove this occurrence", remove(text.Span{Start: d.line.Start, End: d.below.End}))
	// A second snippet below the content may begin another modification without an action, so its fix is not
	// certain.
	fix.Preferred = f.String() == old.String() && (d.keyword != kwSnippet || b.mod.fields[kwContent] == nil)
	b.report(diag.Diagnostic{Span: d.line, Severity: diag.Error, Code: diag.APDuplicate,
		Message: fmt.Sprintf("%s occurs twice in one modification; keep only one", d.keyword),
		Related: []diag.Related{{Span: old.d.line, Message: "the first occurrence"}}, Fixes: []diag.Fix{fix}})
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
		b.fail(diag.APMissingPath, d.line, "RENAME has no path; write it on the line below")
	case len(f.lines) > 1:
		b.broken()
		b.fail(diag.APStrayText, text.Span{Start: f.spans[1].Start, End: f.at.End}, "only one path is expected below RENAME, up to the next directive")
	}
	b.file.rename, b.mod = f, nil
}

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
	fix := certain("Put the value on the line below", text.Edit{Span: text.Span{Start: d.word.End, End: d.args.Start}, New: b.eol})
	// Several spaces may be the indentation of the value, so the fix is not certain.
	fix.Preferred = d.args.Start-d.word.End == 1
	b.fail(diag.APInlineValue, d.args, fmt.Sprintf("the value of %s belongs on the lines below it", d.keyword), fix)
	f.value = value{at: d.args, lines: []string{args}, spans: []text.Span{d.args}}
	return f
}

func (b *builder) startFile(d directive) {
	b.close()
	b.file, b.mod = &file{start: d}, nil
	b.files = append(b.files, b.file)
	f := b.file
	v := b.commentsOff(trimmed(b.body[:b.stop], d.below))
	args := d.args.In(b.body)
	name := strings.ToUpper(args)
	eol, known := endings[name]
	if !known {
		b.inlinePath(d, v)
		return
	}
	if f.eol = eol; args != name {
		b.fail(diag.APArgument, d.args, "the line ending must be written "+name, certain("Write "+name, text.Edit{Span: d.args, New: name}))
		f.broken = true
	}
	b.readPath(v)
}

var endings = map[string]text.EOL{"": text.None, "LF": text.LF, "CRLF": text.CRLF, "CR": text.CR}

func (b *builder) inlinePath(d directive, v value) {
	b.file.broken = true
	args := d.args.In(b.body)
	eol, path := "", args
	if word, rest, ok := strings.Cut(args, " "); ok && endings[word] != text.None {
		eol, path = " "+word, strings.TrimSpace(rest)
	}
	fix := certain("Put the path on the line below", text.Edit{Span: text.Span{Start: d.word.End, End: d.line.End}, New: eol + b.eol + path})
	fix.Preferred = !strings.ContainsAny(path, " \t\"'`")
	b.file.path, b.file.pathAt = path, d.args
	if !v.empty() {
		b.fail(diag.APArgument, d.args, fmt.Sprintf("FILE takes LF, CRLF or CR, not %s; the path is on the line below", shown(args)), possible("Remove the text after FILE", remove(text.Span{Start: d.word.End, End: d.line.End})))
		return
	}
	b.fail(diag.APInlineValue, d.args, "the path belongs on the line below FILE", fix)
}

func (b *builder) readPath(v value) {
	f := b.file
	f.pathAt = v.at
	switch {
	case v.empty():
		f.broken = true // reported when the block ends
	case len(v.lines) > 1:
		f.broken = true
		f.path, f.pathAt = v.lines[0], v.spans[0]
		b.fail(diag.APStrayText, text.Span{Start: v.spans[1].Start, End: v.at.End}, "only one path is expected below FILE, up to the next directive",
			possible("Remove the lines below the path", remove(text.Span{Start: v.spans[0].End, End: v.at.End})))
	default:
		f.path = v.lines[0]
		b.quotedPath(f)
	}
}

// quotedPath reports quotes around a path, because files hardly ever have quotes in their names.
func (b *builder) quotedPath(f *file) {
	bare := strings.TrimFunc(f.path, func(r rune) bool { return strings.ContainsRune("`\"'", r) })
	if len(f.path) != len(bare)+2 || f.path[0] != f.path[len(f.path)-1] || bare == "" {
		return
	}
	f.broken = true
	b.fail(diag.APArgument, f.pathAt, fmt.Sprintf("the path must be written without quotes: %s", bare), certain("Remove the quotes", text.Edit{Span: f.pathAt, New: bare}))
	f.path = bare
}

// commentsOff removes comments between directives, which 3.2 ignores (rule A54).
func (b *builder) commentsOff(v value) value {
	if b.version != v32 || len(v.lines) < 2 {
		return v
	}
	var out value
	for i, line := range v.lines {
		if !strings.HasPrefix(strings.TrimSpace(line), "#") && !text.IsBlank(line) {
			out.lines, out.spans = append(out.lines, line), append(out.spans, v.spans[i])
		}
	}
	if out.empty() {
		return v
	}
	out.at = text.Span{Start: out.spans[0].Start, End: out.spans[len(out.spans)-1].End}
	return out
}

func (b *builder) noFile(d directive) {
	if !b.lost {
		b.fail(diag.APMissingFile, d.line, fmt.Sprintf("%s comes before any FILE, so its file is unknown", d.keyword))
	}
	b.lost = true
}

// createBelow reads text directly below CREATE, which is the content in 3.2 (rule A53).
func (b *builder) createBelow(d directive, v value) {
	switch {
	case commentsOnly(v):
		b.stray(d, v)
	case b.version == v32:
		b.mod.fields[kwContent] = &field{d: d, value: v}
		b.mod.at.End = v.at.End
	default:
		b.file.broken = true
		b.fail(diag.APStrayText, v.at, "text is below CREATE, but the text of a file belongs in the value of `content`")
	}
}

func commentsOnly(v value) bool {
	return !slices.ContainsFunc(v.lines, func(line string) bool {
		return !text.IsBlank(line) && !strings.HasPrefix(strings.TrimSpace(line), "#")
	})
}
