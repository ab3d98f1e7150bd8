package ap

import (
	"fmt"
	"hash/fnv"
	"regexp"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

type version int

const (
	v31 version = iota
	v32
)

func (v version) String() string { return [...]string{"3.1", "3.2"}[v] }

// A patch is what a body says.
type patch struct {
	body    string
	eol     string // what ends a new line of the patch
	id      string // of the directives, also where it is not valid
	version version
	start   int // where directives are read from: behind the header
	stop    int // where reading ends: the end of the body, or a fence around the patch
	files   []*file
	found   []diag.Diagnostic
	drifts  []text.Span // lines that are no directives, and were meant to be
}

// driftedIn reports whether some line in span was meant to be a directive. What is
// missing then is not to be told of.
func (p *patch) driftedIn(span text.Span) bool {
	return slices.ContainsFunc(p.drifts, span.Contains)
}

func (p *patch) report(d diag.Diagnostic) { p.found = append(p.found, d) }

func (p *patch) fail(code diag.Code, at text.Span, message string, fixes ...diag.Fix) {
	p.report(diag.Diagnostic{Span: at, Severity: diag.Error, Code: code, Message: message, Fixes: fixes})
}

// lenient reports what ap 3.2 forgives and 3.1 does not.
func (p *patch) lenient(code diag.Code, at text.Span, message string, fixes ...diag.Fix) {
	severity := diag.Error
	if p.version == v32 {
		severity = diag.Warning
	}
	p.report(diag.Diagnostic{Span: at, Severity: severity, Code: code, Message: message, Fixes: fixes})
}

func (p *patch) sorted() []diag.Diagnostic {
	slices.SortStableFunc(p.found, func(a, b diag.Diagnostic) int { return a.Span.Start - b.Span.Start })
	return p.found
}

func certain(title string, edits ...text.Edit) diag.Fix {
	return diag.Fix{Title: title, Edits: edits, Preferred: true}
}

func possible(title string, edits ...text.Edit) diag.Fix {
	return diag.Fix{Title: title, Edits: edits}
}

func insert(at int, s string) text.Edit {
	return text.Edit{Span: text.Span{Start: at, End: at}, New: s}
}

func remove(span text.Span) text.Edit { return text.Edit{Span: span} }

// read reads a body. What is wrong in it is in found.
func read(body string) *patch {
	p := &patch{body: body, stop: len(body), eol: string(text.DominantEOL(body))}
	if p.eol == "" {
		p.eol = "\n"
	}
	if p.readHeader() {
		ds := lex(body[:p.stop], p.id, p.start, p.version)
		if !known(ds) && p.otherID() {
			return p // all that follows from it is not worth telling
		}
		ds = p.cutOff(p.foldersForFiles(p.earlyEnd(ds)))
		p.loneFence(ds)
		p.drift(ds)
		p.checkID(ds)
		p.document(ds)
	}
	return p
}

// known reports whether any of the directives has a keyword.
func known(ds []directive) bool {
	return slices.ContainsFunc(ds, func(d directive) bool { return d.keyword != "" })
}

// cutOff tells of a patch that ends in the middle of a directive, which is then no
// directive: whatever its beginning looks like, its end is not there.
func (p *patch) cutOff(ds []directive) []directive {
	body := p.body[:p.stop]
	if len(ds) == 0 || strings.HasSuffix(body, "\n") || strings.HasSuffix(body, "\r") {
		return ds
	}
	end := len(ds) - 1
	last := ds[end]
	if last.line.End == p.stop {
		if last.keyword != "" {
			return ds
		}
		p.fail(diag.APTruncated, last.line, "the patch ends in the middle of a directive: it was cut off")
		return ds[:end]
	}
	start := strings.LastIndexAny(body, "\r\n") + 1
	if s := body[start:]; hasValue(last.keyword) && len(s) >= 3 && strings.HasPrefix(p.id, s) {
		p.fail(diag.APTruncated, text.Span{Start: start, End: p.stop}, "the patch ends in the middle of its ID: it was cut off")
	}
	return ds
}

// earlyEnd looks at an END that directives follow. One that is written as END ends
// the patch all the same (rule A8); another word may end a value or a file.
func (p *patch) earlyEnd(ds []directive) []directive {
	end := len(ds) - 1
	if end < 0 || p.version != v32 || ds[end].keyword != kwEnd || !known(lex(p.body[:p.stop], p.id, ds[end].below.Start, v31)) {
		return ds
	}
	d := ds[end]
	gone := possible("Remove it: the patch goes on", remove(p.wholeLine(d.line)))
	if d.word.In(p.body) == kwEnd {
		p.report(diag.Diagnostic{Span: d.line, Severity: diag.Warning, Code: diag.APIgnored, Fixes: []diag.Fix{gone},
			Message: "END ends the patch here, and directives follow it, which are ignored"})
		return ds
	}
	p.fail(diag.APKeyword, d.word, fmt.Sprintf("%q may be END, which ends the patch, but directives follow it", d.word.In(p.body)),
		gone, possible("Write END: the patch ends here", text.Edit{Span: d.word, New: kwEnd}))
	return ds[:end]
}

// foldersForFiles looks at a CREATE_FILE without a content: CREATE would make a
// folder of it.
func (p *patch) foldersForFiles(ds []directive) []directive {
	var out []directive
	for i, d := range ds {
		ofFile := d.keyword == kwCreate && strings.Contains(strings.ToLower(d.word.In(p.body)), "file")
		if !ofFile || !trimmed(p.body[:p.stop], d.below).empty() || p.hasContent(ds[i+1:]) {
			out = append(out, d)
			continue
		}
		p.fail(diag.APMissingContent, d.line, "a file is created from its content, which is missing; CREATE alone makes a folder",
			possible("Create a folder", text.Edit{Span: d.word, New: kwCreate}))
	}
	return out
}

// hasContent reports whether a content stands before the next action or file; a
// line that was meant to be one counts.
func (p *patch) hasContent(ds []directive) bool {
	for _, d := range ds {
		switch {
		case d.keyword == kwContent, d.keyword == "":
			return true
		case kinds[d.keyword] == action, d.keyword == kwFile, d.keyword == kwEnd:
			return false
		}
	}
	return false
}

// readHeader finds the patch's ID and version (rules A3 and A4). It is false where
// nothing can be read without them.
func (p *patch) readHeader() bool {
	p.version = v31
	if p.headerWhere(func(id string, below int) bool { return idLike(id) || known(lex(p.body, id, below, v31)) }) {
		return true
	}
	if p.headerWhere(func(string, int) bool { return true }) {
		return true
	}
	p.fail(diag.APHeaderMissing, firstLine(p.body), "no line `[ID] AP 3.1` is here, and no directive; an ap patch begins with its header")
	return false
}

// headerWhere reads the first line that is a header, or a directive that has none
// above it, if its ID is one: a line of prose may be `Using AP 3.2`.
func (p *patch) headerWhere(isID func(id string, below int) bool) bool {
	for line := range eachLine(p.body) {
		s := strings.TrimPrefix(line.In(p.body), "\ufeff")
		line.Start = line.End - len(s)
		_, below := text.LineEnd(p.body, line.End)
		if m := headerLine.FindStringSubmatchIndex(s); m != nil && isID(s[m[2]:m[3]], below) {
			p.id, p.start = s[m[2]:m[3]], below
			p.readVersion(line, s, text.Span{Start: line.Start + m[4], End: line.Start + m[5]})
			p.beforeHeader(line)
			return true
		}
		if id, keyword, ok := directiveOf(s); ok && (kinds[keyword] == action || keyword == kwFile) && isID(id, below) {
			p.missingHeader(line, id)
			return true
		}
	}
	return false
}

func firstLine(s string) text.Span {
	end, _ := text.LineEnd(s, 0)
	return text.Span{End: end}
}

var wordAP = regexp.MustCompile(`[ \t](?i:AP)[ \t]`)

func (p *patch) readVersion(line text.Span, s string, at text.Span) {
	word := wordAP.FindStringIndex(s)
	if name := s[word[0]+1 : word[1]-1]; name != kwAP {
		span := text.Span{Start: line.Start + word[0] + 1, End: line.Start + word[1] - 1}
		p.fail(diag.APKeyword, span, fmt.Sprintf("%q is written AP", name), certain("Write AP", text.Edit{Span: span, New: kwAP}))
	}
	switch written := at.In(p.body); strings.TrimRight(strings.TrimPrefix(written, "v"), ".") {
	case "3.1":
		p.plainVersion(at, v31)
	case "3.2":
		p.plainVersion(at, v32)
	default:
		p.fail(diag.APVersion, at, fmt.Sprintf("version %s of ap is not known; 3.1 and 3.2 are", written),
			possible("Write 3.1", text.Edit{Span: at, New: "3.1"}), possible("Write 3.2", text.Edit{Span: at, New: "3.2"}))
	}
}

func (p *patch) plainVersion(at text.Span, v version) {
	p.version = v
	if at.In(p.body) != v.String() {
		p.fail(diag.APVersion, at, fmt.Sprintf("the version is written %s, without anything around it", v), certain("Write "+v.String(), text.Edit{Span: at, New: v.String()}))
	}
}

// missingHeader takes the ID from the first directive (rule A9). Where nothing in
// the patch says that it is one of 3.1, it is one of 3.2.
func (p *patch) missingHeader(line text.Span, id string) {
	p.id, p.start, p.version = id, line.Start, v32
	at, message := line, "the header is missing: a patch begins with `[ID] AP 3.1` or `[ID] AP 3.2`"
	edit := insert(line.Start, "")
	said, near := p.said(line)
	if !near.Empty() {
		at, message, edit = near, "the header is not written as one: that is `[ID] AP 3.1` or `[ID] AP 3.2`, and nothing else", text.Edit{Span: p.wholeLine(near)}
	}
	versions := []version{v32, v31}
	if len(said) == 1 && said[0] == v31 {
		versions, p.version = []version{v31, v32}, v31
	}
	var fixes []diag.Fix
	for i, v := range versions {
		if v == v31 && i > 0 && slices.ContainsFunc(lex(p.body, id, p.start, v32), func(d directive) bool { return since32[d.keyword] }) {
			continue
		}
		edit.New = fmt.Sprintf("%s AP %s%s", id, v, p.eol)
		fix := possible(fmt.Sprintf("Insert `%s AP %s`", id, v), edit)
		fix.Preferred = i == 0 && (near.Empty() && len(said) < 2 || len(said) == 1)
		fixes = append(fixes, fix)
	}
	p.fail(diag.APHeaderMissing, at, message, fixes...)
	p.beforeHeader(text.Span{Start: edit.Span.Start, End: edit.Span.Start})
}

// saysVersion is a text that names a version of ap, as a header that is not
// written as one does.
var saysVersion = regexp.MustCompile(`(?i)(?:^|[^0-9a-z])ap(?:[^0-9a-z]*(?:version|ver|v)?[^0-9a-z]*(3\.[12])(?:[^0-9.]|\.?$)|[^0-9a-z]*$)`)

// said are the versions that the patch names above its first directive, or in a
// header below it; near is the line above that has the patch's ID too.
func (p *patch) said(first text.Span) (said []version, near text.Span) {
	add := func(s string) {
		for _, v := range []version{v31, v32} {
			if s == v.String() && !slices.Contains(said, v) {
				said = append(said, v)
			}
		}
	}
	for line := range eachLine(p.body[:first.Start]) {
		s := line.In(p.body)
		if m := saysVersion.FindStringSubmatch(s); m != nil {
			add(m[1])
			if strings.Contains(s, p.id) && !strings.HasPrefix(s, "#") {
				near = line
			}
		}
	}
	for _, d := range lex(p.body, p.id, p.start, v31) {
		if d.keyword == kwAP {
			add(d.args.In(p.body))
		}
	}
	return said, near
}

// beforeHeader looks at what stands above the header: comments in 3.1, anything in
// 3.2. A fence there, and its other half below, are around the patch.
func (p *patch) beforeHeader(header text.Span) {
	var edits []text.Edit
	var first text.Span
	for line := range eachLine(p.body[:header.Start]) {
		s := strings.TrimSpace(strings.TrimPrefix(line.In(p.body), "\ufeff"))
		switch {
		case s == "" || s[0] == '#':
		case isFence(s):
			p.fenced(line)
		default:
			if len(edits) == 0 {
				first = line
			}
			edits = append(edits, insert(line.End-len(strings.TrimPrefix(line.In(p.body), "\ufeff")), "# "))
		}
	}
	if len(edits) > 0 && p.version == v31 {
		p.fail(diag.APTextBeforeHeader, first, "only comments, which begin with #, stand above the header", certain("Make it a comment", edits...))
	}
}

func isFence(s string) bool { return strings.HasPrefix(s, "```") || strings.HasPrefix(s, "~~~") }

// fenced ends the patch at the fence that closes the one that stands above it.
func (p *patch) fenced(open text.Span) {
	opened := remove(p.wholeLine(open))
	ds := lex(p.body, p.id, p.start, p.version)
	closers, ended := p.closers(ds, open.In(p.body))
	sure := len(closers) == 1 || ended
	if len(closers) == 1 && !ended && describes(lastPath(p.body, ds)) {
		_, next := text.LineEnd(p.body, closers[0])
		sure = isBlank(p.body[next:]) // else the fence may be one of the file
	}
	if sure && len(closers) > 0 {
		p.stop = closers[0]
	}
	if sure {
		edits := []text.Edit{opened}
		if p.stop < len(p.body) {
			edits = append(edits, remove(text.Span{Start: p.stop, End: len(p.body)}))
		}
		p.lenient(diag.APFence, open, "the patch is inside a Markdown fence, which an .ap file does not have", certain("Remove the fence", edits...))
		return
	}
	if len(closers) == 0 {
		p.fail(diag.APFence, open, "the patch is inside a Markdown fence that nothing closes: it may be cut off", possible("Remove the fence: the patch is complete", opened))
		return
	}
	var fixes []diag.Fix
	for _, at := range closers {
		n := 1 + strings.Count(p.body[:at], "\n")
		fixes = append(fixes, possible(fmt.Sprintf("Remove the fence, and all from line %d on", n), opened, remove(text.Span{Start: at, End: len(p.body)})))
	}
	p.fail(diag.APFence, open, "the patch is inside a Markdown fence, and it is not certain where that ends: fences are in the last value, too", fixes...)
}

// loneFence looks for a fence in the last value that closes nothing: what stands
// around the patch goes on behind it.
func (p *patch) loneFence(ds []directive) {
	if len(ds) == 0 || kinds[ds[len(ds)-1].keyword] != keyValue || p.stop < len(p.body) || isMarkup(lastPath(p.body, ds)) {
		return
	}
	closers, _ := p.closers(ds, "```")
	if len(closers) != 1 {
		return
	}
	end, next := text.LineEnd(p.body, closers[0])
	if isBlank(p.body[next:]) {
		return // a value that ends with a fence is told of by itself
	}
	p.fail(diag.APFence, text.Span{Start: closers[0], End: end}, "a Markdown fence closes nothing here; it and what follows would be taken for text of the file",
		possible("Remove it, and all that follows", remove(text.Span{Start: closers[0], End: len(p.body)})))
}

// closers are the fences below the last directive that may close one: those that
// close nothing which was opened there. Ended says that END stands before them.
func (p *patch) closers(ds []directive, open string) (closers []int, ended bool) {
	last := p.start
	if len(ds) > 0 {
		last, ended = ds[len(ds)-1].below.Start, p.version == v32 && ds[len(ds)-1].keyword == kwEnd
	}
	mark := fenceOf(strings.TrimPrefix(open, "\ufeff"))
	inside := ""
	for line := range eachLine(p.body[last:]) {
		s := strings.TrimSpace(line.In(p.body[last:]))
		f := fenceOf(s)
		switch {
		case f == "" || f[0] != mark[0]:
		case inside != "":
			if len(f) >= len(inside) && f == s {
				inside = ""
			}
		case f != s:
			inside = f
		case len(f) >= len(mark):
			closers = append(closers, last+line.Start)
		}
	}
	return closers, ended
}

// fenceOf is the run of marks that a line begins with if it is a fence.
func fenceOf(s string) string {
	s = strings.TrimSpace(s)
	if !isFence(s) {
		return ""
	}
	return s[:len(s)-len(strings.TrimLeft(s, s[:1]))]
}

// lastPath is the path that the last FILE names.
func lastPath(body string, ds []directive) string {
	for _, d := range slices.Backward(ds) {
		if v := trimmed(body, d.below); d.keyword == kwFile && !v.empty() {
			return v.lines[0]
		}
	}
	return ""
}

// wholeLine is a line with its ending.
func (p *patch) wholeLine(line text.Span) text.Span {
	_, next := text.LineEnd(p.body, line.End)
	return text.Span{Start: line.Start, End: next}
}

var validID = regexp.MustCompile(`^[0-9a-f]{8}$`)

// checkID tells that the ID is not eight hexadecimal digits (rule A4).
func (p *patch) checkID(ds []directive) {
	if validID.MatchString(p.id) {
		return
	}
	id := p.newID()
	at := text.Span{Start: p.start, End: p.start}
	var edits []text.Edit
	for line := range eachLine(p.body[:p.start]) {
		if s := strings.TrimPrefix(line.In(p.body), "\ufeff"); headerLine.MatchString(s) && strings.HasPrefix(s, p.id) {
			at = text.Span{Start: line.End - len(s), End: line.End - len(s) + len(p.id)}
			edits = append(edits, text.Edit{Span: at, New: id})
		}
	}
	if len(edits) == 0 && len(ds) > 0 {
		at = ds[0].id
	}
	for _, d := range ds {
		edits = append(edits, text.Edit{Span: d.id, New: id})
	}
	p.lenient(diag.APBadID, at, fmt.Sprintf("%q is no patch ID: that is 8 digits from 0-9 and a-f", p.id), certain(fmt.Sprintf("Write %s throughout", id), edits...))
}

// newID is an ID that no line of the patch starts with: the one that is written,
// in lower case, or one that is made from the patch.
func (p *patch) newID() string {
	id := strings.ToLower(strings.Trim(p.id, "[]"))
	h := fnv.New32a()
	for {
		used := false
		for line := range eachLine(p.body) {
			used = used || strings.HasPrefix(line.In(p.body), id) && id != p.id
		}
		if validID.MatchString(id) && !used {
			return id
		}
		h.Write([]byte(p.body))
		id = fmt.Sprintf("%08x", h.Sum32())
	}
}
