package diag

// Possible problems of the new text of a change, in any format.
const (
	CutShort      Code = "text-cut-off"
	ForeignMarks  Code = "foreign-marks"
	RepeatedLines Code = "repeated-lines"
	InvalidSyntax Code = "invalid-syntax"
)
