package diag

// The findings of the lint profile sys-004. They are hints, and are reported only if the
// profile is enabled.
const (
	LintTopLevel Code = "sys-004-top-level-folder"
	LintTests    Code = "sys-004-test-name"
	LintDDR      Code = "sys-004-ddr-placement"
	LintPretty   Code = "sys-004-not-pretty"
)
