package protocol

// Batch is a line patch as it was applied, or found done, with the ids that it was given (rules L24 and L25). What a
// person left out of it is not in it. Keys, labels and descriptions are those of the patch, and left out where it has
// none; ids that a patch brings along are not taken.
type Batch struct {
	// A UUIDv7 in lower case, as all ids here.
	BatchID    string      `json:"batchId"`
	BatchKey   string      `json:"batchKey,omitempty"`
	BatchLabel string      `json:"batchLabel,omitempty"`
	Files      []FilePatch `json:"files"`
}

// FilePatch is the changes of one file.
type FilePatch struct {
	FilePatchID string `json:"filePatchId"`
	FileKey     string `json:"fileKey,omitempty"`
	DocPath     string `json:"docPath"`
	// The file that the docPath is the key of, relative to the workspace root, with forward slashes.
	Path      string `json:"path"`
	FileLabel string `json:"fileLabel,omitempty"`
	// As the patch has it.
	OriginalSHA256 string `json:"originalSha256"`
	// Of the file as it was left: of its bytes, or of the text that an editor has open.
	SHA256  string        `json:"sha256"`
	Changes []PatchChange `json:"changes"`
}

// PatchChange is one change of whole lines. Lines count from 1, in the file before any of the changes.
type PatchChange struct {
	ChangeID  string `json:"changeId"`
	ChangeKey string `json:"changeKey,omitempty"`
	// One of insert, replace, delete.
	Operation   string `json:"operation"`
	Description string `json:"description,omitempty"`
	// Of an insertion: the line after which it is made, 0 for the top of the file.
	AfterLine *int `json:"afterLine,omitempty"`
	// Of the others: the first line and the last.
	StartLine             int      `json:"startLine,omitempty"`
	EndLine               int      `json:"endLine,omitempty"`
	ExpectedOriginalLines []string `json:"expectedOriginalLines,omitzero"`
	NewLines              []string `json:"newLines,omitzero"`
}

// PatchChangeInfo is what the history knows by an id of a line patch: a batchId, a filePatchId or a changeId.
type PatchChangeInfo struct {
	ID string    `json:"id"`
	Of PatchPart `json:"of"`
	// What the id names and the levels above it: of a filePatchId the only file is that one, of a changeId the only
	// change, too.
	Batch  Batch       `json:"batch"`
	Status PatchStatus `json:"status"`
	// Of the apply: its id in the history, when it was (RFC 3339, UTC), and the absolute path of the workspace root.
	Apply string `json:"apply"`
	Time  string `json:"time"`
	Root  string `json:"root"`
	// How the files of Batch are now, in the same order.
	Files []PatchedFile `json:"files"`
}

// PatchPart is the level of a line patch that an id is of.
type PatchPart string

// The levels.
const (
	PatchBatch PatchPart = "batch"
	PatchFile  PatchPart = "file"
	PatchLines PatchPart = "change"
)

// PatchStatus is whether an apply is in force.
type PatchStatus string

// The states of an apply.
const (
	PatchApplied  PatchStatus = "applied"
	PatchReverted PatchStatus = "reverted"
)

// PatchedFile is the present state of a file that a line patch changed.
type PatchedFile struct {
	// Relative to the workspace root.
	Path     string        `json:"path"`
	Standing PatchStanding `json:"standing"`
}

// PatchStanding is how a file compares with what an apply made of it.
type PatchStanding string

// What a file can be: as it was left, as it was before, neither, or nobody knows, as the workspace is
// not there.
const (
	StandsAsLeft  PatchStanding = "left"
	StandsUndone  PatchStanding = "undone"
	StandsEdited  PatchStanding = "edited"
	StandsUnknown PatchStanding = "unknown"
)
