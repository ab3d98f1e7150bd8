package ap

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A file is a FILE block (rule A13).
type file struct {
	start  directive
	path   string
	pathAt text.Span
	eol    text.EOL // None to keep what the file has
	mods   []*mod
	rename *field
	broken bool // something in it is not understood
}

// A mod is a modification block (rule A14).
type mod struct {
	number   int       // in the patch, from 1
	act      directive // zero where the action is missing
	action   string    // "" where it is missing
	at       text.Span // from the first directive to the end of the last value
	until    int       // where the next directive of something else begins
	fields   map[string]*field
	leading  int // blank lines, at most
	trailing int
	scopeEnd bool
	remark   text.Span // comments below the action
	unsure   bool      // something in it is not understood, so that nothing in it is missing for sure
}

// A field is a KEY-VALUE directive.
type field struct {
	d directive
	value
}

func (m *mod) field(keyword string) *field { return m.fields[keyword] }

// document makes files and modifications of directives.
func (p *patch) document(ds []directive) {
	b := builder{patch: p}
	for i, d := range ds {
		b.next = ""
		if i+1 < len(ds) {
			b.next = ds[i+1].keyword
		}
		b.directive(d)
		if d.keyword == kwEnd && p.version == v32 {
			break
		}
	}
	b.close()
	p.ending(ds)
	if len(ds) == 0 {
		p.fail(diag.APMissingFile, text.Span{Start: max(p.start-1, 0), End: p.start}, "the patch has no FILE: it changes nothing")
	}
}

// A builder holds what the next directive belongs to.
type builder struct {
	*patch
	file   *file
	mod    *mod
	number int
	next   string // the keyword of the directive that follows; "" for none
	lost   bool   // a directive before any FILE was told of
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
		b.fail(diag.APDuplicate, d.line, "the header is there twice; a patch has one", certain("Remove it", remove(b.wholeLine(d.line))))
	case d.keyword == kwEnd:
		b.end(d)
	case b.hasPathOfFile(d):
		b.pathBelow(d)
	case d.keyword == kwCreate && b.next == kwContent && b.namesFile(d):
		b.createPath(d)
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

// broken says that the file block is not to be trusted.
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
		b.fail(diag.APUnknownDirective, d.line, fmt.Sprintf("the line begins with the patch's ID and is no directive: %q; give the patch an ID that no content begins with", shown(d.line.In(b.body))))
		return
	}
	b.fail(diag.APUnknownDirective, d.line, fmt.Sprintf("%q is no directive", shown(word)), b.closestKeyword(d)...)
}

// keyword tells that a keyword is not written as it should be, and that 3.1 does
// not have it.
func (b *builder) keyword(d directive) {
	word := d.word.In(b.body)
	if word != d.keyword || d.word.Start == d.id.End {
		span, write := d.word, d.keyword
		if d.word.Start == d.id.End {
			write = " " + write
		}
		b.fail(diag.APKeyword, span, fmt.Sprintf("%q is written %s", word, d.keyword), certain("Write "+d.keyword, text.Edit{Span: span, New: write}))
		b.broken()
	}
	if b.version == v31 && since32[d.keyword] && d.keyword != kwEnd {
		b.fail(diag.APNeeds32, d.word, fmt.Sprintf("%s is a directive of ap 3.2, and the header says 3.1", d.keyword), b.to32()...)
		b.broken()
	}
}

// to32 makes the header one of 3.2. That may change what else the patch means.
func (b *builder) to32() []diag.Fix {
	line := text.Span{Start: strings.LastIndexAny(strings.TrimRight(b.body[:b.start], "\r\n"), "\r\n") + 1, End: b.start}
	i := strings.Index(line.In(b.body), "3.1")
	if i < 0 {
		return nil
	}
	return []diag.Fix{possible("Make the header one of ap 3.2", text.Edit{Span: text.Span{Start: line.Start + i, End: line.Start + i + 3}, New: "3.2"})}
}

// end stops a 3.2 patch. In 3.1 it can end one too, as nothing may follow it.
func (b *builder) end(d directive) {
	b.noArgs(d)
	if b.version == v32 {
		return
	}
	b.fail(diag.APNeeds32, d.word, "END is a directive of ap 3.2, and the header says 3.1",
		append([]diag.Fix{{Title: "Remove it", Edits: []text.Edit{remove(b.wholeLine(d.line))}, Preferred: trimmed(b.body[:b.stop], d.below).empty()}}, b.to32()...)...)
}

func (b *builder) startFile(d directive) {
	b.close()
	b.file, b.mod = &file{start: d}, nil
	b.files = append(b.files, b.file)
	f := b.file
	v := b.commentsOff(trimmed(b.body[:b.stop], d.below))
	switch args := d.args.In(b.body); strings.ToUpper(args) {
	case "":
	case "LF", "CRLF", "CR":
		f.eol = map[string]text.EOL{"LF": text.LF, "CRLF": text.CRLF, "CR": text.CR}[strings.ToUpper(args)]
		if args != strings.ToUpper(args) {
			b.fail(diag.APArgument, d.args, fmt.Sprintf("the newline is written %s", strings.ToUpper(args)), certain("Write "+strings.ToUpper(args), text.Edit{Span: d.args, New: strings.ToUpper(args)}))
			f.broken = true
		}
	default:
		b.inlinePath(d, v)
		return
	}
	b.readPath(d, v)
}

// inlinePath: the path stands on the line of FILE.
func (b *builder) inlinePath(d directive, v value) {
	b.file.broken = true
	args := d.args.In(b.body)
	eol, path := "", args
	if word, rest, ok := strings.Cut(args, " "); ok && (word == "LF" || word == "CRLF" || word == "CR") {
		eol, path = " "+word, strings.TrimSpace(rest)
	}
	fix := certain("Put the path on the line below", text.Edit{Span: text.Span{Start: d.word.End, End: d.line.End}, New: eol + b.eol + path})
	fix.Preferred = !strings.ContainsAny(path, " \t\"'`")
	b.file.path, b.file.pathAt = path, d.args
	if !v.empty() {
		b.fail(diag.APArgument, d.args, fmt.Sprintf("FILE takes LF, CRLF or CR, not %s; the path is on the line below", shown(args)), possible("Remove it", remove(text.Span{Start: d.word.End, End: d.line.End})))
		return
	}
	b.fail(diag.APInlineValue, d.args, "the path stands on the line below FILE", fix)
}

func (b *builder) readPath(d directive, v value) {
	f := b.file
	f.pathAt = v.at
	switch {
	case v.empty():
		f.broken = true // reported where no action has it
	case len(v.lines) > 1:
		f.broken = true
		f.path, f.pathAt = v.lines[0], v.spans[0]
		b.fail(diag.APStrayText, text.Span{Start: v.spans[1].Start, End: v.at.End}, "below FILE stands one path, and nothing else before the next directive",
			possible("Remove it", remove(text.Span{Start: v.spans[0].End, End: v.at.End})))
	default:
		f.path = v.lines[0]
		b.quotedPath(f)
	}
}

// quotedPath: no file is meant whose name has quotes around it.
func (b *builder) quotedPath(f *file) {
	bare := strings.TrimFunc(f.path, func(r rune) bool { return strings.ContainsRune("`\"'", r) })
	if len(f.path) != len(bare)+2 || f.path[0] != f.path[len(f.path)-1] || bare == "" {
		return
	}
	f.broken = true
	b.fail(diag.APArgument, f.pathAt, fmt.Sprintf("the path stands as it is, without quotes: %s", bare), certain("Remove the quotes", text.Edit{Span: f.pathAt, New: bare}))
	f.path = bare
}

// commentsOff leaves out comments between directives, which 3.2 ignores (rule A54).
func (b *builder) commentsOff(v value) value {
	if b.version != v32 || len(v.lines) < 2 {
		return v
	}
	var out value
	for i, line := range v.lines {
		if !strings.HasPrefix(strings.TrimSpace(line), "#") && !isBlank(line) {
			out.lines, out.spans = append(out.lines, line), append(out.spans, v.spans[i])
		}
	}
	if out.empty() {
		return v
	}
	out.at = text.Span{Start: out.spans[0].Start, End: out.spans[len(out.spans)-1].End}
	return out
}

func (b *builder) startMod(d directive) {
	b.closeMod()
	b.number++
	b.mod = &mod{number: b.number, act: d, action: d.keyword, at: d.line, until: d.below.End, fields: map[string]*field{}}
	b.file.mods = append(b.file.mods, b.mod)
	b.noArgs(d)
	v := trimmed(b.body[:b.stop], d.below)
	if d.keyword != kwCreate {
		b.stray(d, v)
	} else if !v.empty() {
		b.createBelow(d, v)
	}
}

// namesFile reports whether a single line stands below CREATE, which is a path
// then: the content follows.
func (b *builder) namesFile(d directive) bool {
	v := trimmed(b.body[:b.stop], d.below)
	return len(v.lines) == 1 && !commentsOnly(v)
}

// createPath: CREATE is written in the place of FILE.
func (b *builder) createPath(d directive) {
	v := trimmed(b.body[:b.stop], d.below)
	b.close()
	b.fail(diag.APMissingFile, d.line, "a path stands below CREATE; FILE names the file, and CREATE follows it",
		certain("Name the file by FILE", text.Edit{Span: text.Span{Start: d.word.Start, End: d.line.End}, New: kwFile}, insert(d.below.End, b.id+" "+kwCreate+b.eol)))
	b.file = &file{start: d, path: v.lines[0], pathAt: v.at, broken: true}
	b.files = append(b.files, b.file)
	b.number++
	b.mod = &mod{number: b.number, act: d, action: kwCreate, at: d.line, until: d.below.End, fields: map[string]*field{}}
	b.file.mods = append(b.file.mods, b.mod)
}

// hasPathOfFile reports whether the path of a FILE that has none is below the action that
// follows it. A value below CREATE is a content of its own where no `content` comes.
func (b *builder) hasPathOfFile(d directive) bool {
	return kinds[d.keyword] == action && b.file != nil && b.file.path == "" && len(b.file.mods) == 0 && b.namesFile(d) &&
		(d.keyword != kwCreate || b.next == kwContent)
}

// pathBelow reads the path of a FILE below the action that follows it. It is certain
// where it looks like a path: an action has no other text.
func (b *builder) pathBelow(d directive) {
	f, v := b.file, trimmed(b.body[:b.stop], d.below)
	path := v.lines[0]
	fix := certain("Move the path below FILE", insert(f.start.below.Start, path+b.eol), remove(b.wholeLine(v.at)))
	fix.Preferred = strings.ContainsAny(path, "./") && !strings.ContainsAny(path, " \t\"'`()")
	b.fail(diag.APMissingPath, f.start.line, fmt.Sprintf("FILE has no path on the line below; the one below %s, %s, belongs there", d.keyword, shown(path)), fix)
	f.path, f.pathAt = path, v.at
	b.number++
	b.mod = &mod{number: b.number, act: d, action: d.keyword, at: d.line, until: d.below.End, fields: map[string]*field{}}
	f.mods = append(f.mods, b.mod)
}

// noFile tells of the first directive that stands before any FILE.
func (b *builder) noFile(d directive) {
	if !b.lost {
		b.fail(diag.APMissingFile, d.line, fmt.Sprintf("%s stands before any FILE: no file is named that it is about", d.keyword))
	}
	b.lost = true
}

// createBelow: text stands below CREATE. 3.2 takes it as the content (rule A53).
func (b *builder) createBelow(d directive, v value) {
	if b.version == v32 && !commentsOnly(v) {
		b.mod.fields[kwContent] = &field{d: d, value: v}
		b.mod.at.End = v.at.End
		return
	}
	if !commentsOnly(v) {
		b.file.broken = true
		b.fail(diag.APStrayText, v.at, "below CREATE stands no text; what the file holds is the value of `content`",
			certain("Insert `content`", insert(d.below.Start, b.id+" "+kwContent+b.eol)))
		return
	}
	b.stray(d, v)
}

func commentsOnly(v value) bool {
	for _, line := range v.lines {
		if !isBlank(line) && !strings.HasPrefix(strings.TrimSpace(line), "#") {
			return false
		}
	}
	return true
}

// stray tells of text below a directive that has no value.
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
	b.fail(diag.APStrayText, v.at, fmt.Sprintf("%s has no value, so no text stands below it: %q", d.keyword, shown(v.lines[0])), fix)
}

func (b *builder) noArgs(d directive) {
	if d.args.Empty() {
		return
	}
	args := d.args.In(b.body)
	b.broken()
	fix := possible("Remove it", remove(text.Span{Start: d.word.End, End: d.line.End}))
	fix.Preferred = args == ":"
	b.fail(diag.APArgument, d.args, fmt.Sprintf("%s takes no argument, and %q stands behind it", d.keyword, shown(args)), fix)
}

// implicit is the modification that a value belongs to; one without an action
// where none was begun.
func (b *builder) implicit(d directive) *mod {
	if b.mod == nil {
		b.number++
		b.mod = &mod{number: b.number, at: d.line, fields: map[string]*field{}}
		b.file.mods = append(b.file.mods, b.mod)
	}
	b.mod.until = d.below.End
	return b.mod
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
		b.fail(diag.APArgument, d.args, "no colon stands before the number", certain("Remove the colon", text.Edit{Span: d.args, New: strconv.Itoa(n)}))
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

// field reads a KEY-VALUE directive.
func (b *builder) field(d directive) *field {
	f := &field{d: d, value: trimmed(b.body[:b.stop], d.below)}
	args := d.args.In(b.body)
	if args == "" {
		return f
	}
	b.broken()
	if !f.empty() {
		b.fail(diag.APArgument, d.args, fmt.Sprintf("the value of %s stands on the lines below it, and %q behind it", d.keyword, shown(args)))
		return f
	}
	fix := certain("Put it on the line below", text.Edit{Span: text.Span{Start: d.word.End, End: d.args.Start}, New: b.eol})
	fix.Preferred = d.args.Start-d.word.End == 1 // more blanks may be its indentation
	b.fail(diag.APInlineValue, d.args, fmt.Sprintf("the value of %s stands on the lines below it", d.keyword), fix)
	f.value = value{at: d.args, lines: []string{args}, spans: []text.Span{d.args}}
	return f
}

func (b *builder) duplicate(old, f *field) {
	b.broken()
	if b.driftedIn(text.Span{Start: old.d.line.Start, End: f.d.line.End}) {
		return // an action between the two has another ID
	}
	d := f.d
	whole := text.Span{Start: d.line.Start, End: d.below.End}
	fix := possible("Remove this one", remove(whole))
	fixes := []diag.Fix{fix}
	again := d.keyword == kwSnippet && b.mod.fields[kwContent] != nil // it may begin a modification whose action is missing
	switch {
	case f.String() == old.String() && !again:
		fixes[0].Preferred = true
	case again && b.mod.action != "":
		fixes = []diag.Fix{possible(fmt.Sprintf("Begin another %s here", b.mod.action), insert(d.line.Start, b.id+" "+b.mod.action+b.eol)), fix}
	default:
		fixes = append(fixes, possible("Remove the first one", remove(text.Span{Start: old.d.line.Start, End: old.d.below.End})))
	}
	b.report(diag.Diagnostic{Span: d.line, Severity: diag.Error, Code: diag.APDuplicate,
		Message: fmt.Sprintf("%s is there twice in one modification", d.keyword),
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
		b.fail(diag.APStrayText, text.Span{Start: f.spans[1].Start, End: f.at.End}, "below RENAME stands one path, and nothing else before the next directive")
	}
	b.file.rename, b.mod = f, nil
}

// shown is s, not too long for a message.
func shown(s string) string {
	s = strings.TrimSpace(s)
	if line, _, more := strings.Cut(s, "\n"); more {
		return shown(line) + " ..."
	}
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "..."
	}
	return s
}
