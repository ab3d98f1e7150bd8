package ap

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

type version int

const (
	v31 version = iota
	v32
)

func (v version) String() string { return [...]string{"3.1", "3.2"}[v] }

type patch struct {
	body    string
	eol     string // the line ending for lines that a fix adds to the patch
	id      string // the ID of the directives, which may be invalid
	version version
	start   int // the offset after the header
	stop    int // the offset of the patch's end: the end of the body, or a fence around the patch
	files   []*file
	found   []diag.Diagnostic
	drifts  []text.Span // lines that count as text but were probably meant as directives
	rest    []text.Span // the text below END
}

// driftedIn reports whether a span contains a line that was probably meant as a directive. If it does, parts that the
// span lacks are not reported.
func (p *patch) driftedIn(span text.Span) bool {
	return slices.ContainsFunc(p.drifts, span.Contains)
}

func (p *patch) report(d diag.Diagnostic) { p.found = append(p.found, d) }

func (p *patch) fail(code diag.Code, at text.Span, message string, fixes ...diag.Fix) {
	p.report(diag.Diagnostic{Span: at, Severity: diag.Error, Code: code, Message: message, Fixes: fixes})
}

// lenient reports a deviation from the specification of 3.1. It is an error in 3.1 and a warning in 3.2.
func (p *patch) lenient(code diag.Code, at text.Span, message string, fixes ...diag.Fix) {
	severity := diag.Error
	if p.version == v32 {
		severity = diag.Warning
	}
	p.report(diag.Diagnostic{Span: at, Severity: severity, Code: code, Message: message, Fixes: fixes})
}

func (p *patch) sorted() []diag.Diagnostic {
	diag.Sort(p.found)
	return p.found
}

func certain(title string, edits ...text.Edit) diag.Fix {
	return diag.Fix{Title: title, Edits: edits, Preferred: true}
}

func possible(title string, edits ...text.Edit) diag.Fix {
	return diag.Fix{Title: title, Edits: edits}
}

func remove(span text.Span) text.Edit { return text.Edit{Span: span} }

// read reads the body of a block as a patch. Problems are in the field `found` of the result.
func read(body string) *patch {
	p := &patch{body: body, stop: len(body), eol: string(cmp.Or(text.DominantEOL(body), text.LF))}
	if p.readHeader() {
		ds := lex(body[:p.stop], p.id, p.start, p.version)
		if !known(ds) && p.otherID() {
			// Stop, because this problem would cause all further problems.
			return p
		}
		ds = p.cutOff(p.foldersForFiles(p.earlyEnd(ds)))
		p.loneFence(ds)
		p.drift(ds)
		p.checkID(ds)
		p.document(ds)
	}
	return p
}

func known(ds []directive) bool {
	return slices.ContainsFunc(ds, func(d directive) bool { return d.keyword != "" })
}

// foldersForFiles reports and removes each CREATE_FILE without content. Otherwise CREATE_FILE would be read as CREATE,
// and a CREATE without content creates a folder.
func (p *patch) foldersForFiles(ds []directive) []directive {
	out := ds[:0]
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

// readHeader reads the ID and the version (rules A3 and A4). It returns false if there is neither header nor directive.
func (p *patch) readHeader() bool {
	p.version = v31
	if p.headerWhere(func(id string, below int) bool { return idLike(id) || known(lex(p.body, id, below, v31)) }) {
		return true
	}
	if p.headerWhere(func(string, int) bool { return true }) {
		return true
	}
	p.fail(diag.APHeaderMissing, format.LineAt(p.body, 0), "there is neither a line `[ID] AP 3.1` nor a directive here; an ap patch begins with its header")
	return false
}

// headerWhere finds the first line that is a header or a directive with an ID that isID accepts. If it is a directive,
// the header is missing. isID is needed because prose may look like a header: `Using AP 3.2`.
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

var wordAP = lazyregexp.New(`[ \t](?i:AP)[ \t]`)

// missingHeader uses the ID of the first directive as the patch's ID (rule A9). The version is 3.2, unless 3.1 is the
// only version that the patch mentions.
func (p *patch) missingHeader(line text.Span, id string) {
	p.id, p.start, p.version = id, line.Start, v32
	at, message := line, "the header is missing: a patch begins with `[ID] AP 3.1` or `[ID] AP 3.2`"
	edit := text.Insertion(line.Start, "")
	said, near := p.said(line)
	if !near.Empty() {
		at, message, edit = near, "the header must be exactly `[ID] AP 3.1` or `[ID] AP 3.2`", text.Edit{Span: p.wholeLine(near)}
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

// beforeHeader checks the text above the header, which may only be comments in 3.1, and any text in 3.2. A fence in
// this text surrounds the patch, together with its closing fence.
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
			edits = append(edits, text.Insertion(line.End-len(strings.TrimPrefix(line.In(p.body), "\ufeff")), "# "))
		}
	}
	if len(edits) > 0 && p.version == v31 {
		p.fail(diag.APTextBeforeHeader, first, "only comments, which begin with #, may be above the header", certain("Comment out the text above the header", edits...))
	}
}

func (p *patch) wholeLine(line text.Span) text.Span {
	_, next := text.LineEnd(p.body, line.End)
	return text.Span{Start: line.Start, End: next}
}

var validID = lazyregexp.New(`^[0-9a-f]{8}$`)

// checkID reports an ID that is not eight hexadecimal digits (rule A4).
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
	p.lenient(diag.APBadID, at, fmt.Sprintf("%q is not a patch ID, which has 8 digits from 0-9 and a-f", p.id), certain(fmt.Sprintf("Write %s throughout", id), edits...))
}

// newID returns a valid ID that begins no line of the patch: the current ID in lower case if possible, otherwise an ID
// that is computed from the patch.
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

func (p *patch) readVersion(line text.Span, s string, at text.Span) {
	word := wordAP.FindStringIndex(s)
	if name := s[word[0]+1 : word[1]-1]; name != kwAP {
		span := text.Span{Start: line.Start + word[0] + 1, End: line.Start + word[1] - 1}
		p.fail(diag.APKeyword, span, fmt.Sprintf("%q must be written AP", name), certain("Write AP", text.Edit{Span: span, New: kwAP}))
	}
	switch written := at.In(p.body); strings.TrimRight(strings.TrimPrefix(written, "v"), ".") {
	case "3.1":
		p.plainVersion(at, v31)
	case "3.2":
		p.plainVersion(at, v32)
	default:
		p.fail(diag.APVersion, at, fmt.Sprintf("version %s of ap is unknown; the known versions are 3.1 and 3.2", written),
			possible("Write 3.1", text.Edit{Span: at, New: "3.1"}), possible("Write 3.2", text.Edit{Span: at, New: "3.2"}))
	}
}

func (p *patch) plainVersion(at text.Span, v version) {
	p.version = v
	if at.In(p.body) != v.String() {
		p.fail(diag.APVersion, at, fmt.Sprintf("the version must be written %s, with nothing around it", v), certain("Write "+v.String(), text.Edit{Span: at, New: v.String()}))
	}
}

// said returns the versions that the patch names above its first directive, or in a header farther down. `near` is a
// line that names a version and has the patch's ID; it is above the first directive.
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

// saysVersion matches a text that names a version of ap, for example a malformed header.
var saysVersion = lazyregexp.New(`(?i)(?:^|[^0-9a-z])ap(?:[^0-9a-z]*(?:version|ver|v)?[^0-9a-z]*(3\.[12])(?:[^0-9.]|\.?$)|[^0-9a-z]*$)`)
