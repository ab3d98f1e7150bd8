package jsonshape

import (
	"fmt"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/findreplace"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/lenientjson"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// ReplacementNames are the members of a replacement.
var ReplacementNames = []string{"find", "replace", "limit"}

// Replacements reads the replacements in a list. If `strict` is true, each must have a limit (rule S4).
func (d *Document) Replacements(list *lenientjson.Member, strict bool, notArray, empty diag.Code) []intent.Step {
	var steps []intent.Step
	for _, n := range d.Elements(list, notArray, empty) {
		if step, ok := d.Replacement(d.Object(n, ReplacementNames), strict); ok {
			steps = append(steps, step)
		}
	}
	return steps
}

// Replacement reads a replacement, its limit and its texts (rules S3 and S4).
func (d *Document) Replacement(o Object, strict bool) (intent.Step, bool) {
	find, ok1 := o.String("find", diag.MissingFind, diag.FindNotString, "it is the text to look for")
	replace, ok2 := o.String("replace", diag.MissingReplace, diag.ReplaceNotString, "it is the new text; an empty string deletes the old text")
	limit, ok3 := d.limit(o, strict && ok1 && ok2)
	if ok1 && find.Text == "" {
		d.Report(diag.EmptyFind, find.Span, "`find` is empty; write the text to replace, copied from the file")
		ok1 = false
	}
	if !ok1 || !ok2 || !ok3 {
		return nil, false
	}
	if text.WithEOL(find.Text, text.LF) == text.WithEOL(replace.Text, text.LF) {
		d.Report(diag.FindEqualsReplace, replace.Span, "`replace` is the same as `find`, so nothing will change")
	}
	return findreplace.Replacement{Find: find.Text, Replace: replace.Text, Limit: limit, At: o.Node.Span, FindAt: Literal(find), ReplaceAt: Literal(replace)}, true
}

// limit reads the limit of a replacement, "once" (the default) or "all". If `strict` is true, it reports a missing
// limit.
func (d *Document) limit(o Object, strict bool) (findreplace.Limit, bool) {
	m := o.Member("limit")
	switch {
	case m == nil:
		if strict {
			d.Report(diag.MissingLimit, Bracket(o.Node), "`limit` is missing; it is read as \"once\"",
				diag.Fix{Title: "Insert `\"limit\": \"once\"`", Edits: []text.Edit{o.Append("limit", "once")}})
		}
		return findreplace.Once, true
	case m.Value.Kind != lenientjson.String:
		d.Report(diag.LimitNotString, Narrow(m.Value), fmt.Sprintf("`limit` is %v; \"once\" or \"all\" is expected", m.Value.Kind), meantWord(m.Value, limits(), limitWords)...)
		return 0, false
	case m.Value.Text == "once":
		return findreplace.Once, true
	case m.Value.Text == "all":
		return findreplace.All, true
	}
	d.Report(diag.UnknownLimit, m.Value.Span, fmt.Sprintf("`limit` is \"%s\"; \"once\" or \"all\" is expected", text.Short(m.Value.Text)), meantWord(m.Value, limits(), limitWords)...)
	return 0, false
}

// UnknownOperation reports an operation that does not exist.
func (d *Document) UnknownOperation(n *lenientjson.Node) {
	d.Report(diag.UnknownOperation, n.Span, fmt.Sprintf("there is no operation \"%s\"; the known operations are %s", text.Short(n.Text), listed(d.words.operations())),
		meantWord(n, d.words.operations(), d.words.operationWords)...)
}

// meantWord returns the fix that writes the word that a value seems to mean. The fix is certain if the two differ
// only in case, dashes or white space.
func meantWord(n *lenientjson.Node, known []string, words map[string]string) []diag.Fix {
	word := nearest(n.Text, known, words)
	if word == "" {
		return nil
	}
	certain := n.Kind == lenientjson.String && same(n.Text, known) != ""
	return []diag.Fix{{Title: fmt.Sprintf("Change the value to %q", word), Edits: []text.Edit{Literal(n).Set(word)}, Preferred: certain}}
}
