package diag

// The problems of whole files in fences.
const (
	WholeNoPath  Code = "whole-no-path"
	WholeUnsure  Code = "whole-unsure"
	WholeSample  Code = "whole-sample"
	WholeNotText Code = "whole-not-text"
	WholeFences  Code = "whole-fences"
	LinesLost    Code = "lines-lost"
	FilePart     Code = "file-part"

	ElisionUnsure  Code = "elision-unsure"
	ElisionNoPlace Code = "elision-no-place"
)
