package diag

// The problems of shell scripts.
const (
	ShellLine    Code = "shell-line"
	ShellNoEnd   Code = "shell-no-end"
	ShellCommand Code = "shell-command"
)
