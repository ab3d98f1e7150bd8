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
		p.drift(ds)
		p.checkID(ds)
		p.document(ds)
	}
	return p
}

// readHeader finds the patch's ID and version (ap 3.1 §2.2). It is false where
// nothing can be read without them.
func (p *patch) readHeader() bool {
	p.version = v31
	for line := range eachLine(p.body) {
		s := strings.TrimPrefix(line.In(p.body), "\ufeff")
		line.Start = line.End - len(s)
		if m := headerLine.FindStringSubmatchIndex(s); m != nil {
			p.id = s[m[2]:m[3]]
			_, p.start = text.LineEnd(p.body, line.End)
			p.readVersion(line, s, text.Span{Start: line.Start + m[4], End: line.Start + m[5]})
			p.beforeHeader(line)
			return true
		}
		if _, keyword, ok := directiveOf(s); ok && (kinds[keyword] == action || keyword == kwFile) {
			return p.missingHeader(line, s)
		}
	}
	p.fail(diag.APHeaderMissing, firstLine(p.body), "no line `[ID] AP 3.1` is here, and no directive; an ap patch begins with its header")
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

// missingHeader takes the ID from the first directive. ap 3.2 §3.6 forgives that,
// and nothing in the patch says that it is one of 3.1.
func (p *patch) missingHeader(line text.Span, s string) bool {
	id, _, _ := directiveOf(s)
	p.id, p.start, p.version = id, line.Start, v32
	fixes := []diag.Fix{certain(fmt.Sprintf("Insert `%s AP 3.2`", id), insert(line.Start, id+" AP 3.2"+p.eol))}
	if !slices.ContainsFunc(lex(p.body, id, p.start, v32), func(d directive) bool { return since32[d.keyword] }) {
		fixes = append(fixes, possible(fmt.Sprintf("Insert `%s AP 3.1`", id), insert(line.Start, id+" AP 3.1"+p.eol)))
	}
	p.fail(diag.APHeaderMissing, line, "the header is missing: a patch begins with `[ID] AP 3.1` or `[ID] AP 3.2`", fixes...)
	p.beforeHeader(text.Span{Start: line.Start, End: line.Start})
	return true
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
	edits := []text.Edit{remove(p.wholeLine(open))}
	last := p.start
	for _, d := range lex(p.body, p.id, p.start, p.version) {
		last = d.below.Start
	}
	mark := strings.TrimSpace(strings.TrimPrefix(open.In(p.body), "\ufeff"))[:3]
	for line := range eachLine(p.body[last:]) {
		if s := strings.TrimSpace(line.In(p.body[last:])); strings.HasPrefix(s, mark) && strings.Trim(s, mark[:1]) == "" {
			p.stop = last + line.Start
		}
	}
	if p.stop < len(p.body) {
		edits = append(edits, remove(text.Span{Start: p.stop, End: len(p.body)}))
	}
	p.lenient(diag.APFence, open, "the patch is inside a Markdown fence, which an .ap file does not have", certain("Remove the fence", edits...))
}

// wholeLine is a line with its ending.
func (p *patch) wholeLine(line text.Span) text.Span {
	_, next := text.LineEnd(p.body, line.End)
	return text.Span{Start: line.Start, End: next}
}

var validID = regexp.MustCompile(`^[0-9a-f]{8}$`)

// checkID tells that the ID is not eight hexadecimal digits (ap 3.1 §2.2).
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
	id := strings.ToLower(p.id)
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
