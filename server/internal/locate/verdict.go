package locate

// A Verdict is the outcome of a search for a passage.
type Verdict int

// The verdicts.
const (
	Missing   Verdict = iota // the text has neither the passage nor anything that is easily seen to be similar
	Near                     // only a rule other than the exact one finds the passage
	Ambiguous                // the passage is in several places
	Done                     // the text already has the replacement
	Applies                  // the passage has one place
)
