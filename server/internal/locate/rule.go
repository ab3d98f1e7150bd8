package locate

// A Rule is one way in which a passage may differ from the text and still be
// recognized. Only [ExactRule] and, for some formats, [LineEndingRule] lead to an edit as
// they are. What another rule finds is a message, or a fix of the reply: each format's own
// rules say what is applied.
type Rule struct {
	Name    string // in docs/matching.md
	Differs string // in messages: "only the indentation differs"

	// In docs/matching.md, a sentence each.
	Forgives    string // what may differ
	Certain     string // whether a fix by the rule is made unasked, and why
	Replacement string // what becomes of the text that is put in

	// Fold is what lines that are the same to the rule have in common. Nil for a rule that
	// compares passages as a whole.
	Fold func(line string) string
}

// Rules is the ladder: all rules, from the closest to the loosest. The first one by which
// a passage is found decides.
func Rules() []Rule {
	return []Rule{ExactRule, LineEndingRule, TrailingSpaceRule, TabsRule, IndentationRule, SpacingRule, LookAlikeRule, EdgeLineRule, LikenessRule}
}

// A Verdict is what became of a passage that was looked for.
type Verdict int

// The verdicts.
const (
	Missing   Verdict = iota // it is not in the text, nor anything like it that is seen at once
	Near                     // a rule other than the exact one finds it
	Ambiguous                // it is in several places
	Done                     // its replacement is in the text already
	Applies                  // it has one place
)
