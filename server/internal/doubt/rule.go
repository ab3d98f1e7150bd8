package doubt

import (
	"cmp"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Rule is one reason to doubt a change.
type Rule struct {
	ID string
	// Doubts looks for the evidence in a change of a file. It returns one doubt, or nil.
	Doubts func(*Change) *Doubt
}

// A Doubt is the finding of a rule.
type Doubt struct {
	Rule    string // the ID of the rule; [Fired] sets it
	Code    diag.Code
	Verdict diag.Severity // with Error the reply is refused, with Warning Aptix asks, with Info it only informs
	At      text.Span     // span in the block's body; zero for the place that names the file
	Message string
	Fixes   []diag.Fix
}

// rules lists all rules in groups. The rules of a group look for the same harm, in the order of
// their evidence, the clearest first. Only the first rule of a group that finds something reports
// it.
var rules = [][]Rule{
	{omission, loneComment, middle, stopsEarly, mostGone, hollow},
	{wentThrough, relaid, foreignEdge, foreignMarks, prose, foreignSign},
	{repeated},
}

// Of returns the objections to a change. Each kind of harm is reported only once.
func Of(c *Change) []diag.Diagnostic {
	var found []diag.Diagnostic
	for _, d := range Fired(c) {
		found = append(found, diag.Diagnostic{Span: cmp.Or(d.At, c.At), Severity: d.Verdict, Code: d.Code, Message: d.Message, Fixes: d.Fixes})
	}
	return found
}

// Fired returns the doubts of [Of] in the form of the rules.
func Fired(c *Change) []Doubt {
	var found []Doubt
	for _, group := range rules {
		for _, rule := range group {
			if d := rule.Doubts(c); d != nil {
				d.Rule = rule.ID
				found = append(found, *d)
				break
			}
		}
	}
	return found
}

// textAt returns the span for a doubt about a whole text.
func (c *Change) textAt() text.Span {
	if c.ContentAt.Span == (text.Span{}) {
		return text.Span{}
	}
	return c.ContentAt.Shown()
}
