package protocol

// Batch describes a line patch with the ids that Aptix assigned to it (rules L24 and L25). The patch was applied, or
// its changes were already in the files. Parts that a person left out are missing. Keys, labels and descriptions come
// from the patch and are absent if the patch has none. Ids in the patch itself are ignored.
type Batch struct {
	// A UUIDv7 in lower case, like every id here.
	BatchID    string      `json:"batchId"`
	BatchKey   string      `json:"batchKey,omitempty"`
	BatchLabel string      `json:"batchLabel,omitempty"`
	Files      []FilePatch `json:"files"`
}

// FilePatch has the changes of one file.
type FilePatch struct {
	FilePatchID string `json:"filePatchId"`
	FileKey     string `json:"fileKey,omitempty"`
	DocPath     string `json:"docPath"`
	// The file that the docPath names, relative to the workspace root, with forward slashes.
	Path      string `json:"path"`
	FileLabel string `json:"fileLabel,omitempty"`
	// The checksum that the patch gives for the file before the changes.
	OriginalSHA256 string `json:"originalSha256"`
	// The checksum of the resulting file: of its bytes, or of the text that an editor has open.
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
	// For an insertion, the line after which the new lines are inserted; 0 for the top of the file.
	AfterLine *int `json:"afterLine,omitempty"`
	// For other operations, the first and the last of the old lines.
	StartLine             int      `json:"startLine,omitempty"`
	EndLine               int      `json:"endLine,omitempty"`
	ExpectedOriginalLines []string `json:"expectedOriginalLines,omitzero"`
	NewLines              []string `json:"newLines,omitzero"`
}

// PatchChangeInfo is the history's information about an id from a line patch: a batchId, a filePatchId or a changeId.
type PatchChangeInfo struct {
	ID string    `json:"id"`
	Of PatchPart `json:"of"`
	// The line patch, without the parts that ID does not name: for a filePatchId, Batch has only that file; for a
	// changeId, it has only that change in its file.
	Batch  Batch       `json:"batch"`
	Status PatchStatus `json:"status"`
	// The id of the apply in the history, its time (RFC 3339, UTC), and the absolute path of the workspace root.
	Apply string `json:"apply"`
	Time  string `json:"time"`
	Root  string `json:"root"`
	// The current state of the files in Batch, in the same order.
	Files []PatchedFile `json:"files"`
}

// PatchPart names a level of a line patch.
type PatchPart string

// The levels of a line patch.
const (
	PatchBatch PatchPart = "batch"
	PatchFile  PatchPart = "file"
	PatchLines PatchPart = "change"
)

// PatchStatus is the state of an apply.
type PatchStatus string

// The states of an apply.
const (
	PatchApplied  PatchStatus = "applied"
	PatchReverted PatchStatus = "reverted"
)

// PatchedFile is the current state of a file that a line patch changed.
type PatchedFile struct {
	// Relative to the workspace root.
	Path     string        `json:"path"`
	Standing PatchStanding `json:"standing"`
}

// PatchStanding compares a file with the results of an apply.
type PatchStanding string

// StandsAsLeft: the file is as the apply left it. StandsUndone: as it was before the apply. StandsEdited: different
// from both. StandsUnknown: the workspace is missing.
const (
	StandsAsLeft  PatchStanding = "left"
	StandsUndone  PatchStanding = "undone"
	StandsEdited  PatchStanding = "edited"
	StandsUnknown PatchStanding = "unknown"
)
