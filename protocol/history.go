package protocol

// CommandRevert takes RevertParams and answers RevertResult.
const CommandRevert = "aptix.revert"

// The methods of the history.
const (
	// Request: HistoryParams -> History.
	MethodHistory = "aptix/history"
	// Request: HistoryEntryParams -> History: one entry, or none where the history has no such one.
	MethodHistoryEntry = "aptix/historyEntry"
	// Request: HistoryFilesParams -> PreviewResult: what an apply did, its files in the order of the entry, or what
	// taking it back would do.
	MethodHistoryFiles = "aptix/historyFiles"
	// Notification to the client, without params: the history of the open folders changed, or the state of an entry that
	// MethodHistory gave last.
	MethodHistoryChanged = "aptix/historyChanged"
)

// History is what was applied, the latest first.
type History struct {
	Entries []HistoryEntry `json:"entries"`
}

// HistoryEntry is one apply, or one revert of an apply.
type HistoryEntry struct {
	ID string `json:"id"`
	// RFC 3339, UTC.
	Time string `json:"time"`
	// The absolute path of the workspace root.
	Root string `json:"root"`
	// The name of the reply for people, or what a line patch calls itself.
	Label string `json:"label"`
	// The front end: cli, lsp, mcp, or agent: asked for by an agent, and agreed to in an editor.
	Source string `json:"source"`
	// Whether it was taken back.
	Reverted bool `json:"reverted"`
	// How its files compare with it now.
	State EntryState `json:"state"`
	// The id of the entry that this one took back; empty for the apply of a reply.
	Reverts string `json:"reverts"`
	// Whether what it took back was a revert, so that the reply is applied again. Only the language server tells.
	Again bool `json:"again,omitempty"`
	// Their state is always `done`; a rename is a deletion and a creation.
	Files []File `json:"files"`
}

// EntryState is how the files that an entry changed compare with it now. It is in words for people.
type EntryState string

// The states of an entry: all files are as it left them, all are as they were before it, or neither; unknown where they
// cannot be read, as the workspace is not there.
const (
	EntryInForce EntryState = "in force"
	EntryUndone  EntryState = "undone"
	EntryChanged EntryState = "changed since"
	EntryUnknown EntryState = "unknown"
)

// HistoryParams asks for entries.
type HistoryParams struct {
	// A document or a folder: only entries of its workspace folder. Empty for those of all open folders.
	URI string `json:"uri"`
	// At most so many entries, over all folders; 0 for all.
	Limit int `json:"limit"`
}

// HistoryEntryParams asks for one entry.
type HistoryEntryParams struct {
	// Empty for the latest apply of an open folder that was not taken back.
	ID string `json:"id"`
}

// HistoryFilesParams asks for the files of an entry.
type HistoryFilesParams struct {
	ID string `json:"id"`
	// Not what the entry did, but what taking it back would do to the files as they are now.
	Revert bool `json:"revert"`
	// With revert: files that were edited since are merged, where they can be.
	Merge bool `json:"merge"`
}

// RevertParams takes an entry back.
type RevertParams struct {
	// Empty for the latest apply of an open folder that was not taken back.
	ID string `json:"id"`
	// Keep what was edited since in files that are not as they were left. Without it, or where that cannot be
	// done for every such file, nothing is written.
	Merge bool `json:"merge"`
	// The person was asked already and knows the files, so that no setting asks again.
	Asked bool `json:"asked,omitempty"`
}

// RevertResult is what became of a revert. Every key but lasting is always there.
type RevertResult struct {
	// Whether the tree was changed by this call, and stays so.
	Applied bool `json:"applied"`
	// Whether every file was seen to be as before the apply.
	Verified bool `json:"verified"`
	// Whether a partial result was taken back.
	RolledBack bool `json:"rolledBack"`
	// The id of the revert itself in the history; empty where nothing was written.
	ID string `json:"id"`
	// The id of the entry that is taken back.
	Reverts string `json:"reverts"`
	Files   []File `json:"files"`
	// Paths of files that are not as planned and were left as they are.
	Left []string `json:"left"`
	// Files that are not as the apply left them. Where there are any, nothing was written, unless they were merged.
	Conflicts []RevertConflict `json:"conflicts"`
	Message   string           `json:"message"`
	// What an undo in the editor does not take back, as a part of Message; left out where it takes back all.
	Lasting string `json:"lasting,omitempty"`
	// As in ApplyResult.
	Warnings []ToolMessage `json:"warnings,omitempty"`
}

// RevertConflict is a file that is not as an apply left it.
type RevertConflict struct {
	Path string `json:"path"`
	// For people, to be read after the path.
	Why string `json:"why"`
	// Whether the revert can be made all the same, with later edits kept.
	Mergeable bool `json:"mergeable"`
	// Whole lines of the file as it is now that were edited where the apply had.
	Clashes []Range `json:"clashes"`
}
