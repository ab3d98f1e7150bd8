package diag

// The problems of tool calls.
const (
	CallUnknown   Code = "call-unknown"
	CallIgnored   Code = "call-ignored"
	CallTags      Code = "call-tags"
	InsertLine    Code = "insert-line"
	InsertMoved   Code = "insert-moved"
	InsertRepeats Code = "insert-repeats"
)
