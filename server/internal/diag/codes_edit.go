package diag

// The problems of a find/replace step in its file.
const (
	FindNotFound           Code = "find-not-found"
	FindConsumed           Code = "find-consumed"
	FindAmbiguous          Code = "find-ambiguous"
	FindInsideWord         Code = "find-inside-word"
	ReplacementIndentation Code = "replacement-indentation"
	ReplacementRepeats     Code = "replacement-repeats-line"
	AlreadyApplied         Code = "already-applied"
	AppliedBefore          Code = "applied-before"
)
