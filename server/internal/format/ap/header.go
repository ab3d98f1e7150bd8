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
	eol     string // for lines that a fix adds to the patch
	id      string // of the directives, perhaps invalid
	version version
	start   int // the offset after the header
	stop    int // the offset of the patch's end: the end of the body, or a fence around the patch
	files   []*file
	found   []diag.Diagnostic
	drifts  []text.Span // lines that count as text but were probably meant as directives
	rest    []text.Span // the text below END
}

// driftedIn reports whether a span contains a line that was probably meant as a directive. Parts that the span lacks
// are then not reported.
func (p *patch) driftedIn(span text.Span) bool {
	return slices.ContainsFunc(p.drifts, span.Contains)
}

func (p *patch) report(d diag.Diagnostic) { p.found = append(p.found, d) }

func (p *patch) fail(code diag.Code, at text.Span, message string, fixes ...diag.Fix) {
	p.report(diag.Diagnostic{Span: at, Severity: diag.Error, Code: code, Message: message, Fixes: fixes})
}

// lenient reports a deviation from the specification of 3.1: an error in 3.1, a warning in 3.2.
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

// read reads the body of a block as a patch. Problems are in `found`.
func read(body string) *patch {
	p := &patch{body: body, stop: len(body), eol: string(cmp.Or(text.DominantEOL(body), text.LF))}
	if p.readHeader() {
		ds := lex(body[:p.stop], p.id, p.start, p.version)
		ds = p.cutOff(p.earlyEnd(ds))
		p.drift(ds)
		p.checkID(ds)
		p.document(ds)
	}
	return p
}

func known(ds []directive) bool {
	return slices.ContainsFunc(ds, func(d directive) bool { return d.keyword != "" })
}

// readHeader reads the ID and the version (rules A3 and A4). It returns false if there is neither header nor
// directive.
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

// headerWhere reads the first line that is a header or a directive with an ID that isID accepts. isID rules out
// prose that looks like a header: `Using AP 3.2`.
func (p *patch) headerWhere(isID func(id string, below int) bool) bool {
	for line := range text.EachLine(p.body) {
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

// missingHeader uses the ID of the first directive as the patch's ID (rule A9). The fix is certain if no other line
// could be a malformed header: no text above has the ID or version 3.1, and no header is farther down.
func (p *patch) missingHeader(line text.Span, id string) {
	p.id, p.start, p.version = id, line.Start, v32
	fix := possible(fmt.Sprintf("Insert `%s AP 3.2`", id), text.Insertion(line.Start, id+" AP 3.2"+p.eol))
	above := p.body[:line.Start]
	fix.Preferred = !strings.Contains(above, id) && !strings.Contains(above, v31.String()) &&
		!slices.ContainsFunc(lex(p.body, id, p.start, v31), func(d directive) bool { return d.keyword == kwAP })
	p.fail(diag.APHeaderMissing, line, "the header is missing: a patch begins with `[ID] AP 3.1` or `[ID] AP 3.2`", fix)
	p.beforeHeader(text.Span{Start: line.Start, End: line.Start})
}

// beforeHeader checks the text above the header: only comments in 3.1, any text in 3.2. A fence there surrounds the
// patch.
func (p *patch) beforeHeader(header text.Span) {
	var edits []text.Edit
	var first text.Span
	for line := range text.EachLine(p.body[:header.Start]) {
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
	for line := range text.EachLine(p.body[:p.start]) {
		if s := strings.TrimPrefix(line.In(p.body), "\ufeff"); headerLine.MatchString(s) && strings.HasPrefix(s, p.id) {
			at = text.Span{Start: line.End - len(s), End: line.End - len(s) + len(p.id)}
			edits = append(edits, text.Edit{Span: at, New: id})
		}
	}
	if len(edits) == 0 && len(ds) > 0 {
		at = ds[0].id
	}
	edits = append(edits, text.Each(ds, func(d directive) text.Edit { return text.Edit{Span: d.id, New: id} })...)
	p.lenient(diag.APBadID, at, fmt.Sprintf("%q is not a patch ID, which has 8 digits from 0-9 and a-f", p.id), certain(fmt.Sprintf("Write %s throughout", id), edits...))
}

// newID returns a valid ID with which no line of the patch begins: the current ID in lower case if possible,
// otherwise one computed from the patch.
func (p *patch) newID() string {
	id := strings.ToLower(strings.Trim(p.id, "[]"))
	h := fnv.New32a()
	for {
		used := false
		for line := range text.EachLine(p.body) {
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
