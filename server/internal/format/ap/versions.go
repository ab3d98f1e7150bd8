package ap

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

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

// said returns the versions that the patch names above its first directive, or in a header below
// it. near is a line above that also has the patch's ID.
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

// saysVersion matches a text that names a version of ap, such as a malformed header.
var saysVersion = lazyregexp.New(`(?i)(?:^|[^0-9a-z])ap(?:[^0-9a-z]*(?:version|ver|v)?[^0-9a-z]*(3\.[12])(?:[^0-9.]|\.?$)|[^0-9a-z]*$)`)
