package protocol

// CommandRevert takes RevertParams and returns RevertResult.
const CommandRevert = "aptix.revert"

// The methods of the history.
const (
	// Request: HistoryParams -> History.
	MethodHistory = "aptix/history"
	// Request: HistoryEntryParams -> History: one entry, or none if the history lacks it.
	MethodHistoryEntry = "aptix/historyEntry"
	// Request: HistoryFilesParams -> PreviewResult: the files of an entry, in the order of the entry, as the entry
	// changed them or as a revert would change them.
	MethodHistoryFiles = "aptix/historyFiles"
	// Request: ReviewParams -> Review.
	MethodReview = "aptix/review"
	// Request: UnseenParams -> Unseen: the changed files that the person may not have looked at since.
	MethodUnseen = "aptix/unseen"
	// Notification to the client, without params: the history of the open folders changed, or the state of an entry in
	// the latest result of MethodHistory changed.
	MethodHistoryChanged = "aptix/historyChanged"
)

// History lists the applies and reverts, the latest first.
type History struct {
	Entries []HistoryEntry `json:"entries"`
	// If the entries are reverted in the listed order: the id of the first entry that cannot be reverted, because its
	// files have changed since. Why gives the reason in words for a person. Both are set only if HistoryParams.After is
	// set.
	Clash string `json:"clash,omitempty"`
	Why   string `json:"why,omitempty"`
}

// HistoryEntry describes one apply, or one revert of an apply.
type HistoryEntry struct {
	ID string `json:"id"`
	// RFC 3339, UTC.
	Time string `json:"time"`
	// The absolute path of the workspace root.
	Root string `json:"root"`
	// A name of the reply for people, or the label of a line patch.
	Label string `json:"label"`
	// The front end: cli, lsp, mcp or agent. For agent, an agent requested the change and a person agreed to it in an
	// editor.
	Source   string `json:"source"`
	Reverted bool   `json:"reverted"`
	// The current state of the entry's files.
	State EntryState `json:"state"`
	// The id of the reverted entry; empty for the apply of a reply.
	Reverts string `json:"reverts"`
	// Whether only a part of the entry in Reverts was reverted.
	Part bool `json:"part,omitempty"`
	// Whether the reverted entry was itself a revert, so that the reply is applied again. Only the language server sets
	// it.
	Again bool `json:"again,omitempty"`
	// The changed files, each with the state `done`. A rename is listed as a deletion and a creation.
	Files []File `json:"files"`
}

// EntryState compares the files of an entry with their state after the entry. Its values can be shown to people as they
// are.
type EntryState string

// EntryInForce: all files are as the entry left them. EntryUndone: all are as they were before the entry. EntryChanged:
// neither is true. EntryPartly: like EntryChanged, and a part of the entry was reverted. EntryUnknown: the workspace is
// missing, so the files cannot be read.
const (
	EntryInForce EntryState = "applied"
	EntryUndone  EntryState = "undone"
	EntryChanged EntryState = "changed since"
	EntryPartly  EntryState = "partly reverted"
	EntryUnknown EntryState = "unknown"
)

// HistoryParams selects entries of the history.
type HistoryParams struct {
	// The URI of a document or a folder, to get only the entries of its workspace folder. Empty for the entries of all
	// open folders.
	URI string `json:"uri"`
	// The maximum number of entries over all folders; 0 for no limit.
	Limit int `json:"limit"`
	// Words to search for, in upper or lower case. An entry must have each word in its label or in the path of a file.
	Words string `json:"words,omitempty"`
	// The URI of a file or a folder. If it is set, the result has only entries that changed this file, or a file in
	// this folder.
	Changed string `json:"changed,omitempty"`
	// The id of an entry. If it is set, the result has only the entries that must be reverted to restore the state
	// after that entry, latest first.
	After string `json:"after,omitempty"`
}

// HistoryEntryParams names one entry.
type HistoryEntryParams struct {
	// Empty for the latest apply that was not reverted, in any of the open folders.
	ID string `json:"id"`
}

// HistoryFilesParams selects the entry whose files are shown.
type HistoryFilesParams struct {
	ID string `json:"id"`
	// Whether to return the effect of a revert on the current files, instead of the effect of the entry.
	Revert bool `json:"revert"`
	// With revert: merge files that have been edited since, if possible.
	Merge bool `json:"merge"`
}

// RevertParams names the entry to revert.
type RevertParams struct {
	// Empty for the latest apply that was not reverted, in any of the open folders.
	ID string `json:"id"`
	// Keep later edits in files that are no longer as the apply left them. If there are later edits, and merge is false
	// or any of these files cannot be merged, nothing is written.
	Merge bool `json:"merge"`
	// Whether the person has already agreed and has seen the files, so that no setting causes another question.
	Asked bool `json:"asked,omitempty"`
	// Revert only this part of the entry, and keep all later edits.
	Part *EntryPart `json:"part,omitempty"`
}

// EntryPart is a hunk of an entry: a run of changed lines, or a file that was created.
type EntryPart struct {
	Path string `json:"path"`
	// The number of the hunk in the file, counted from 0.
	Hunk int `json:"hunk"`
}

// ReviewParams names the entry whose hunks are listed.
type ReviewParams struct {
	// Empty for the latest apply that was not reverted, in any of the open folders.
	ID string `json:"id"`
}

// Review lists the hunks of an entry that are still in the files as the entry made them.
type Review struct {
	// Empty if there is no entry.
	ID    string       `json:"id"`
	Hunks []ReviewHunk `json:"hunks"`
	// The changes of the entry that have no place in a file, such as deletions, in words for a person. Empty if there
	// are none.
	Elsewhere string `json:"elsewhere"`
}

// ReviewHunk is a hunk at its place in the current file.
type ReviewHunk struct {
	URI  string    `json:"uri"`
	Part EntryPart `json:"part"`
	// The first line of the hunk and the line after its last line, counted from 0. They are the same if the hunk only
	// removed lines.
	Line int `json:"line"`
	End  int `json:"end"`
	// The lines that the hunk replaced; empty if it only added lines.
	Was string `json:"was"`
}

// UnseenParams selects changed files.
type UnseenParams struct {
	// The id of an entry. Only changes after that entry count. If the id is empty, all changes count.
	Since string `json:"since"`
}

// Unseen lists the files that were created or modified after an entry by applies that are still in force. Each file has
// the latest of these applies.
type Unseen struct {
	// The id of the latest entry; empty if there is none.
	Last  string       `json:"last"`
	Files []UnseenFile `json:"files"`
}

// UnseenFile is a changed file that the person has not looked at since. ID is the id of the apply that changed the
// file.
type UnseenFile struct {
	URI string `json:"uri"`
	ID  string `json:"id"`
}

// RevertResult reports on a revert. Every key except lasting and warnings is always present.
type RevertResult struct {
	// Whether this call changed files, and the changes were not rolled back.
	Applied bool `json:"applied"`
	// Whether every file was read back and is as it was before the apply.
	Verified bool `json:"verified"`
	// Whether a partial result was rolled back.
	RolledBack bool `json:"rolledBack"`
	// The id of the revert itself in the history; empty if nothing was written.
	ID string `json:"id"`
	// The id of the reverted entry.
	Reverts string `json:"reverts"`
	Files   []File `json:"files"`
	// Paths of files that are not as planned and were left as they are.
	Left []string `json:"left"`
	// Files that are not as the apply left them. If there are any, nothing was written unless they were merged.
	Conflicts []RevertConflict `json:"conflicts"`
	Message   string           `json:"message"`
	// The part of Message about effects that an undo in the editor does not revert; absent if an undo reverts
	// everything.
	Lasting string `json:"lasting,omitempty"`
	// As in ApplyResult.
	Warnings []ToolMessage `json:"warnings,omitempty"`
}

// RevertConflict is a file that is not as an apply left it.
type RevertConflict struct {
	Path string `json:"path"`
	// The reason for the conflict, worded to follow the path in a sentence.
	Why string `json:"why"`
	// Whether the revert is still possible if it keeps the later edits of the file.
	Mergeable bool `json:"mergeable"`
	// The ranges of whole lines that the apply changed and that have been edited since.
	Clashes []Range `json:"clashes"`
}
