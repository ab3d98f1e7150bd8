package diag

// The problems of SEARCH/REPLACE blocks and apply_patch patches.
const (
	SearchNoPath  Code = "search-no-path"
	SearchPaths   Code = "search-paths-differ"
	SearchMarks   Code = "search-marks"
	SearchDivider Code = "search-divider"
	SearchEmpty   Code = "search-empty"
	SearchPair    Code = "search-pair"
	ScopeMissed   Code = "scope-missed"
	PatchNoEnd    Code = "patch-no-end"
	PatchLine     Code = "patch-line"
	PatchEmpty    Code = "patch-empty"
	PatchAppends  Code = "patch-appends"
)
