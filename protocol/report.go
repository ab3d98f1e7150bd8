// Package protocol defines the messages from Aptix to other programs: the report of the command line and the custom
// methods of the language server. The Go structs here are the only source; extension/src/protocol.gen.ts is generated
// from them.
package protocol

// Report is the output of `--json`: the contents of a reply and the results.
type Report struct {
	// Whether this run changed files, and the changes were not rolled back.
	Applied bool `json:"applied"`
	// The id of this apply in the history; empty if nothing was applied.
	ID     string  `json:"id"`
	Blocks []Block `json:"blocks"`
	// Other parts of the reply that could change a file but that no format reads; empty if the reply has no block.
	Unread []Unread `json:"unread"`
	// Whether the reply has no block, but states that no safe edit can be made.
	Declined bool `json:"declined"`
}

// UnreadKind is the apparent kind of an unread part of a reply.
type UnreadKind string

// The kinds of unread parts.
const (
	UnreadShell       UnreadKind = "shell"
	UnreadFence       UnreadKind = "fence"
	UnreadDiff        UnreadKind = "diff"
	UnreadToolCall    UnreadKind = "tool-call"
	UnreadTag         UnreadKind = "tag"
	UnreadPair        UnreadKind = "pair"
	UnreadInstruction UnreadKind = "instruction"
)

// Unread is a part of a reply that could change a file but that no format reads.
type Unread struct {
	// The 1-based line of the reply on which the part begins.
	Line int        `json:"line"`
	Kind UnreadKind `json:"kind"`
	// Relative to the workspace root, with forward slashes; empty if the part names no file.
	Path string `json:"path"`
	// A message, such as `not read: line 40, a shell command that writes src/new.ts`.
	Message string `json:"message"`
	// Whether the part certainly changes a file, so that Aptix asks the person before it applies the rest of the reply.
	Asks bool `json:"asks"`
}

// BlockState is the state of a block.
type BlockState string

// The states of a block.
const (
	BlockReady      BlockState = "ready"
	BlockDone       BlockState = "done"
	BlockIncomplete BlockState = "incomplete"
	BlockError      BlockState = "error"
)

// Block is one Aptix block of a reply.
type Block struct {
	// Counted from 1, over the Aptix blocks of the reply only.
	Index int `json:"index"`
	// The name of the format, as in --format: bundle, git, ap, ...
	Format string `json:"format"`
	// The 1-based line on which the block begins. If it has a fence, that is the line of the fence.
	Line        int          `json:"line"`
	State       BlockState   `json:"state"`
	Files       []File       `json:"files"`
	Diagnostics []Diagnostic `json:"diagnostics"`
	// The line patch with its ids, if it was applied or its changes were already in the files; otherwise absent.
	Batch *Batch `json:"batch,omitempty"`
}

// Operation names the change of a file as a whole.
type Operation string

// The operations of a file.
const (
	OperationCreate Operation = "create"
	OperationModify Operation = "modify"
	OperationDelete Operation = "delete"
	OperationRename Operation = "rename"
)

// FileState is the state of a file within a block.
type FileState string

// The states of a file.
const (
	FileChange FileState = "change"
	FileDone   FileState = "done"
	FileError  FileState = "error"
)

// File describes the change of one file by a block.
type File struct {
	// Relative to the workspace root, with forward slashes.
	Path      string    `json:"path"`
	Operation Operation `json:"operation"`
	// The new path of a rename; otherwise empty.
	To    string    `json:"to"`
	State FileState `json:"state"`
	// The number of lines that a line diff adds and removes.
	Added   int `json:"added"`
	Removed int `json:"removed"`
}

// Diagnostic is one message about a block.
type Diagnostic struct {
	Severity string `json:"severity"`
	// Whether the diagnostic is a doubt: a warning about which Aptix asks the person before an apply.
	Asks    bool   `json:"asks"`
	Code    string `json:"code"`
	Message string `json:"message"`
	// The reply's own file name, or "-" for standard input.
	File  string `json:"file"`
	Range Range  `json:"range"`
	Fixes []Fix  `json:"fixes"`
}

// Fix is the title of a possible repair of the block.
type Fix struct {
	Title string `json:"title"`
	// Whether the fix is certain, so that `--fix` makes it without a question.
	Preferred bool `json:"preferred"`
}

// Position counts lines from 0 and characters from 0 in UTF-16 units.
type Position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// Range is half-open: the end is not part of it.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}
