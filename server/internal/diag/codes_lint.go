package diag

// The problems that the lint profile sys-004 finds. They are hints, and are reported only if that profile is enabled.
const (
	LintTopLevel Code = "sys-004-top-level-folder"
	LintTests    Code = "sys-004-test-name"
	LintDDR      Code = "sys-004-ddr-placement"
	LintPretty   Code = "sys-004-not-pretty"
)
