// Package settings defines the settings of Aptix. From the struct [Settings], `make gen` generates the configuration in
// extension/package.json and the table in docs/vscode.md.
package settings

// Section is the prefix of every key.
const Section = "aptix"

// Settings holds the settings of a person. The tag `key` of a field is the name of the setting below "aptix", and the
// tag `scope` is one of the scopes of VS Code. A workspace must not change a setting that protects the person, so the
// scope of such a setting excludes workspaces. The comment of a field is the description that people see in the editor.
type Settings struct {
	// Path of an `aptix` binary to run instead of the one that comes with the extension.
	ServerPath string `key:"server.path" scope:"machine"`

	// Treat warnings as errors, so that a change with warnings cannot be applied.
	Strict bool `key:"strict" scope:"machine"`

	// Extra rules beyond the formats, shown as hints.
	Profile Profile `key:"profile" scope:"resource"`

	// In which documents problems are underlined. A document counts as a reply if it is
	// new, ignored by git, not in the last commit, or outside the workspace. Any other
	// document may only describe edits, so it counts as documentation until you run
	// *Aptix: Check This Document*.
	Check Check `key:"check" scope:"resource"`

	// What to do if any `find` text of a reply is not in its file.
	MissingFind MissingFind `key:"missingFind" scope:"machine"`

	// When to ask before a change is applied.
	Confirm Confirm `key:"confirm" scope:"machine"`

	// More names of files and folders to protect at any depth, such as `deploy.sh`, `*.ps1` or `tools/hooks`.
	Protected []string `key:"protected" scope:"machine"`

	// When to ask before an agent's change is applied.
	AgentsConfirm Confirm `key:"agents.confirm" scope:"machine"`

	// While an answer streams in the chat, show in the status bar how many Aptix blocks it has. If
	// this is on, Aptix reads the chat after each message that you send, until its answer is
	// complete.
	ChatWatch bool `key:"chat.watch" scope:"application"`

	// Tell every model in the chat how to answer with edits that Aptix can apply. The
	// skills for single formats also work if this is off.
	ChatInstructions bool `key:"chat.instructions" scope:"application"`

	// Show Preview, Apply and the state above each block.
	CodeLens bool `key:"codeLens.enabled" scope:"resource"`

	// Mark files that Aptix has changed, in the Explorer and on tabs, until you open them.
	MarkChanged bool `key:"markChangedFiles" scope:"window"`

	// How many days to keep the history of applied changes; 0 for no limit.
	HistoryMaxAge int `key:"history.maxAge" scope:"application"`

	// How many megabytes of history to keep; the latest change is always kept. 0 for no
	// limit.
	HistoryMaxSize int `key:"history.maxSize" scope:"application"`

	// Keep the contents of git-ignored files in the history as well. They may contain
	// secrets. If they are not kept, a change to such a file cannot be reverted later.
	HistoryIgnored bool `key:"history.ignoredFiles" scope:"application"`

	// Where changed files are uploaded. Leave this empty for the file set of this machine (a file in the user's state
	// folder), or give the `postgres://` URL of a shared database.
	FileSet string `key:"fileSet" scope:"machine"`

	// Write the messages between the editor and the language server to the output channel.
	Trace Trace `key:"trace.server" scope:"window"`
}

// Default returns the settings that apply if a person sets none.
func Default() Settings {
	return Settings{
		Protected:      []string{},
		Profile:        ProfileNone,
		Check:          CheckReplies,
		MissingFind:    MissingFindRefuse,
		Confirm:        ConfirmWarnings,
		AgentsConfirm:  ConfirmAlways,
		CodeLens:       true,
		MarkChanged:    true,
		HistoryMaxAge:  90,
		HistoryMaxSize: 256,
		Trace:          TraceOff,
	}
}

// Confirm says when to ask before a change is applied.
type Confirm string

// The values of Confirm.
const (
	// Ask if a warning requires it: the change might not be the intended one, or it touches protected files.
	ConfirmWarnings Confirm = "warnings"
	// Ask every time.
	ConfirmAlways Confirm = "always"
)

// Values lists every value in the order of the documentation.
func (Confirm) Values() []string { return []string{string(ConfirmWarnings), string(ConfirmAlways)} }

// Check says in which documents problems are underlined.
type Check string

// The values of Check.
const (
	// In replies. In documentation they are hints, and blocks in the formats of other
	// tools, such as SEARCH/REPLACE, are not shown.
	CheckReplies Check = "replies"
	// In every Markdown and text file.
	CheckAll Check = "all"
	// In none, until you run *Aptix: Check This Document*.
	CheckOff Check = "off"
)

// Values lists every value in the order of the documentation.
func (Check) Values() []string {
	return []string{string(CheckReplies), string(CheckAll), string(CheckOff)}
}

// MissingFind says how to treat a reply if any of its `find` texts is not in its file.
type MissingFind string

// The values of MissingFind.
const (
	// Refuse the reply.
	MissingFindRefuse MissingFind = "refuse"
	// Leave that replacement out, and ask before the rest is applied.
	MissingFindSkip MissingFind = "skip"
)

// Values lists every value in the order of the documentation.
func (MissingFind) Values() []string {
	return []string{string(MissingFindRefuse), string(MissingFindSkip)}
}

// Profile names a set of rules beyond those of the formats.
type Profile string

// The values of Profile.
const (
	// None.
	ProfileNone Profile = "none"
	// Layout and style: folders, names of tests and DDRs, pretty printing.
	ProfileSYS004 Profile = "sys-004"
)

// Values lists every value in the order of the documentation.
func (Profile) Values() []string { return []string{string(ProfileNone), string(ProfileSYS004)} }

// Trace says how many messages with the language server are logged. Only the editor uses this setting.
type Trace string

// The values of Trace.
const (
	// Nothing.
	TraceOff Trace = "off"
	// The name of each message.
	TraceMessages Trace = "messages"
	// Each message in full.
	TraceVerbose Trace = "verbose"
)

// Values lists every value in the order of the documentation.
func (Trace) Values() []string {
	return []string{string(TraceOff), string(TraceMessages), string(TraceVerbose)}
}
