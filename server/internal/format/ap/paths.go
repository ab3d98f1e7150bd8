package ap

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

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
			b.fail(diag.APArgument, d.args, fmt.Sprintf("the line ending must be written %s", strings.ToUpper(args)), certain("Write "+strings.ToUpper(args), text.Edit{Span: d.args, New: strings.ToUpper(args)}))
			f.broken = true
		}
	default:
		b.inlinePath(d, v)
		return
	}
	b.readPath(d, v)
}

// inlinePath reports a path that is on the line of FILE itself.
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
	b.fail(diag.APInlineValue, d.args, "the path belongs on the line below FILE", fix)
}

func (b *builder) readPath(d directive, v value) {
	f := b.file
	f.pathAt = v.at
	switch {
	case v.empty():
		f.broken = true // only reported if no action has the path
	case len(v.lines) > 1:
		f.broken = true
		f.path, f.pathAt = v.lines[0], v.spans[0]
		b.fail(diag.APStrayText, text.Span{Start: v.spans[1].Start, End: v.at.End}, "only one path is expected below FILE, up to the next directive",
			possible("Remove it", remove(text.Span{Start: v.spans[0].End, End: v.at.End})))
	default:
		f.path = v.lines[0]
		b.quotedPath(f)
	}
}

// quotedPath reports a path in quotes, because file names hardly ever have them.
func (b *builder) quotedPath(f *file) {
	bare := strings.TrimFunc(f.path, func(r rune) bool { return strings.ContainsRune("`\"'", r) })
	if len(f.path) != len(bare)+2 || f.path[0] != f.path[len(f.path)-1] || bare == "" {
		return
	}
	f.broken = true
	b.fail(diag.APArgument, f.pathAt, fmt.Sprintf("the path must be written without quotes: %s", bare), certain("Remove the quotes", text.Edit{Span: f.pathAt, New: bare}))
	f.path = bare
}

// commentsOff removes from a value the comments between directives, which 3.2 ignores (rule A54).
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

// namesFile reports whether only one line is below CREATE. That line is then a path, and a
// content follows.
func (b *builder) namesFile(d directive) bool {
	v := trimmed(b.body[:b.stop], d.below)
	return len(v.lines) == 1 && !commentsOnly(v)
}

// createPath reports a CREATE that is written instead of FILE.
func (b *builder) createPath(d directive) {
	v := trimmed(b.body[:b.stop], d.below)
	b.close()
	b.fail(diag.APMissingFile, d.line, "a path is below CREATE, but it belongs below FILE, and CREATE follows it",
		certain("Name the file by FILE", text.Edit{Span: text.Span{Start: d.word.Start, End: d.line.End}, New: kwFile}, insert(d.below.End, b.id+" "+kwCreate+b.eol)))
	b.file = &file{start: d, path: v.lines[0], pathAt: v.at, broken: true}
	b.files = append(b.files, b.file)
	b.number++
	b.mod = &mod{number: b.number, act: d, action: kwCreate, at: d.line, until: d.below.End, fields: map[string]*field{}}
	b.file.mods = append(b.file.mods, b.mod)
}

// hasPathOfFile reports whether the path of a FILE that has none is below the following action. A
// value below CREATE is a content if no `content` follows.
func (b *builder) hasPathOfFile(d directive) bool {
	return kinds[d.keyword] == action && b.file != nil && b.file.path == "" && len(b.file.mods) == 0 && b.namesFile(d) &&
		(d.keyword != kwCreate || b.next == kwContent)
}

// pathBelow reads the path of a FILE that has none from below the following action. The fix is
// certain if the text looks like a path, because an action has no other text.
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

// noFile reports the first directive that comes before any FILE.
func (b *builder) noFile(d directive) {
	if !b.lost {
		b.fail(diag.APMissingFile, d.line, fmt.Sprintf("%s comes before any FILE, so its file is unknown", d.keyword))
	}
	b.lost = true
}

// createBelow handles text below CREATE, which 3.2 reads as the content (rule A53).
func (b *builder) createBelow(d directive, v value) {
	if b.version == v32 && !commentsOnly(v) {
		b.mod.fields[kwContent] = &field{d: d, value: v}
		b.mod.at.End = v.at.End
		return
	}
	if !commentsOnly(v) {
		b.file.broken = true
		b.fail(diag.APStrayText, v.at, "text is below CREATE, but the text of a file belongs in the value of `content`",
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
