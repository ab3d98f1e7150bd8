package doubt

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Rule is one reason to doubt a change.
type Rule struct {
	ID string

	existing bool // the rule does not apply to a file that is new or was empty
	program  bool // the rule does not apply to a document

	doubts func(*Change) *Doubt // returns the doubt, or nil; called only if the rule applies to the file
}

// Doubts returns the doubt of the rule about the change, or nil.
func (r Rule) Doubts(c *Change) *Doubt {
	if r.existing && c.New || r.program && c.isDocument() {
		return nil
	}
	return r.doubts(c)
}

// A Part is a part of a reply: the index of a block, and a span of its body.
type Part struct {
	Block int
	Span  text.Span
}

// A Doubt is the finding of a rule.
type Doubt struct {
	Rule    string // the ID of the rule, which [Of] sets
	Code    diag.Code
	Verdict diag.Severity // Error refuses the reply, Warning asks the person, and Info is only shown
	At      Part          // the part of the reply; if it is zero, the doubt is shown at the path of the file
	Message string
	Fixes   []diag.Fix
	Meant   string // the path of another file that may be meant, for a fix; "" if there is none
}

// rules lists all rules in groups. The rules of a group look for the same harm, and the rules with the clearest
// evidence come first. In each group, only the first rule that finds something reports it. The rules of the last group
// see only the result of a mistake, so they run only if no other rule finds its cause.
var rules = [][]Rule{
	{omission, standIn, masked, middle, stopsEarly, mostGone, torn, thinned, undefined, hollow, uncommented, lostBlock, lostInCopy, lostMember, invalid, firstLine, claim, scope},
	{otherEncoding, artifacts, relaid, recast, foreignEdge, foreignMarks, note, prose, foreignSign, respelled, translated, placeholders},
	{repeated, parted, otherFile, otherPackage, sameGuard, plainAwait, takenBack},
	{indentation},
}

// Of returns the doubts about a change, at most one for each group of rules.
func Of(c *Change) []Doubt {
	if c.keepsData() {
		return nil
	}
	var found []Doubt
	for i, group := range rules {
		if i == len(rules)-1 && len(found) > 0 {
			break
		}
		for _, rule := range group {
			if c.Meter.Spent() {
				return nil // The reply is refused.
			}
			if d := rule.Doubts(c); d != nil {
				d.Rule, d.At = rule.ID, cmp.Or(d.At, c.At)
				found = append(found, *d)
				break
			}
		}
	}
	return found
}

// keepsData reports whether a JSON file keeps its data and only its layout changes. If so, the person must have asked
// for the new layout.
func (c *Change) keepsData() bool {
	if !c.Whole || c.ext() != ".json" {
		return false
	}
	var old, new bytes.Buffer
	return json.Compact(&old, []byte(c.Before())) == nil && json.Compact(&new, []byte(c.Content)) == nil && bytes.Equal(old.Bytes(), new.Bytes())
}

func warn(at Part, code diag.Code, format string, args ...any) *Doubt {
	return &Doubt{At: at, Verdict: diag.Warning, Code: code, Message: fmt.Sprintf(format, args...)}
}

func (d *Doubt) with(fixes []diag.Fix) *Doubt {
	d.Fixes = fixes
	return d
}

// Diagnostic returns the doubt as a diagnostic.
func (d Doubt) Diagnostic() diag.Diagnostic {
	return diag.Diagnostic{Span: d.At.Span, Severity: d.Verdict, Code: d.Code, Message: d.Message, Fixes: d.Fixes}
}

// textAt returns the part of the reply with the whole text. It is zero if the text is not in one piece.
func (c *Change) textAt() Part {
	if c.ContentAt.Span == (text.Span{}) {
		return Part{}
	}
	return Part{c.At.Block, c.ContentAt.Shown()}
}
