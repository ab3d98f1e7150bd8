package lines

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format/jsonshape"
	"github.com/aptix-dev/aptix/server/internal/lenientjson"
	"github.com/aptix-dev/aptix/server/internal/text"
)

func number(at text.Span, value int) text.Edit {
	return text.Edit{Span: at, New: strconv.Itoa(value)}
}

// maxLine is higher than the number of lines of any editable file.
const maxLine = 1 << 30

// number reads a line number, which must be at least least.
func (r *reader) number(e jsonshape.Object, name string, least int) (int, text.Span, bool) {
	m := e.Member(name)
	if m == nil {
		r.Report(diag.MissingLineNumber, jsonshape.Bracket(e.Node), fmt.Sprintf("`%s` is missing; it is a line number", name))
		return 0, text.Span{}, false
	}
	v, err := strconv.Atoi(m.Value.Text)
	if m.Value.Kind == lenientjson.Number && err == nil && least <= v && v <= maxLine {
		return v, m.Value.Span, true
	}
	r.Report(diag.LineNumberInvalid, jsonshape.Narrow(m.Value), fmt.Sprintf("`%s` is %s; a whole number from %d on is expected", name, written(m.Value), least), plainNumber(m.Value, least)...)
	return 0, text.Span{}, false
}

// plainNumber returns the fix for a number that is in quotes, or has a fraction of zero.
func plainNumber(n *lenientjson.Node, least int) []diag.Fix {
	if n.Kind != lenientjson.String && n.Kind != lenientjson.Number {
		return nil
	}
	digits, fraction, _ := strings.Cut(strings.TrimSpace(n.Text), ".")
	v, err := strconv.Atoi(digits)
	if err != nil || v < least || v > maxLine || strings.Trim(fraction, "0") != "" {
		return nil
	}
	return []diag.Fix{{Title: fmt.Sprintf("Write %d", v), Edits: []text.Edit{number(n.Span, v)}, Preferred: true}}
}

// written returns the text of a value for a message.
func written(n *lenientjson.Node) string {
	switch n.Kind {
	case lenientjson.Number, lenientjson.Bool:
		return text.Cut(n.Text, 60)
	case lenientjson.String:
		return text.Cut(lenientjson.Quote(n.Text), 60)
	}
	return n.Kind.String()
}
