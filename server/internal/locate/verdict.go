package locate

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
