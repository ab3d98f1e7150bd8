package protocol

// The commands of workspace/executeCommand. CommandApply is for every client; CommandPreview shows a unified diff if
// the client has no better view.
const (
	CommandApply   = "aptix.apply"
	CommandPreview = "aptix.preview"
	// CommandCheck shows the blocks of all formats in a document until it is closed, even if the document does not
	// count as a reply. It returns nothing.
	CommandCheck = "aptix.check"
	// CommandDismiss hides the blocks and problems of an open document until the document is closed or CommandCheck
	// shows them again. It returns nothing.
	CommandDismiss = "aptix.dismiss"
	// CommandFeedback returns a FeedbackResult: the reply's problems, as text to send to the model that wrote it.
	CommandFeedback = "aptix.feedback"
	// CommandSkip takes SkipParams and returns nothing.
	CommandSkip = "aptix.skip"
)

// The custom methods. Without them, a client loses only convenience.
const (
	// Request: Target -> PreviewResult: the changes that an apply of the target would make.
	MethodPreview = "aptix/preview"
	// Request: ContentParams -> ContentResult: the text of a virtual document of a preview.
	MethodContent = "aptix/content"
	// Notification to the client: Status, after each check of a document.
	MethodStatus = "aptix/status"
	// Request to the client: QuestionParams -> QuestionResult. The person requested a change and must agree to it
	// first. The request is sent only if the client has `offers` in its initializationOptions; other clients get
	// window/showMessageRequest.
	MethodQuestion = "aptix/question"
	// Request to the client: DocumentsParams -> DocumentsResult: the open documents among the named files, with the
	// version and checksum of each. It is sent after an edit, for the edited files, and only if the client has
	// `documents` in its initializationOptions.
	MethodDocuments = "aptix/documents"
	// Request: no params -> InstallResult: installs the program as the shell command `aptix`.
	MethodInstallCommand = "aptix/installCommand"
)

// PreviewScheme is the URI scheme of the virtual documents of a preview.
const PreviewScheme = "aptix-preview"

// Target is the object of a command: a block of an open document, or a text outside any document, such as the clipboard
// or a selection.
type Target struct {
	// The reply's document. If Text is set, URI only selects the workspace folder and may be empty.
	URI string `json:"uri"`
	// The number of the block, counted from 1; null for all blocks, as one transaction.
	Block *int `json:"block"`
	// A place in the document, instead of Block. It selects the block at that place, or all blocks if there is no block
	// at that place. Messages name the selected blocks.
	At *Position `json:"at,omitempty"`
	// The reply itself, if it does not come from a document.
	Text *string `json:"text,omitempty"`
	// Leave out the parts that cannot be applied: replacements whose find is not in the file, as with the setting
	// aptix.missingFind, and blocks with errors. The person is asked before the apply, and the question names these
	// parts.
	SkipMissing bool `json:"skipMissing,omitempty"`
	// Make all certain fixes first, in the document if the editor allows edits in it.
	Fix bool `json:"fix,omitempty"`
	// Whether no editor shows the text, so that the person is asked before the text is applied.
	Unseen bool `json:"unseen,omitempty"`
	// The id of an apply, for a preview: shows the effect of that apply instead of the effect of the document.
	Applied string `json:"applied,omitempty"`
	// The token of an earlier QuestionParams whose question the person answered with yes. It answers the same question
	// about the same reply, but only once.
	Agreed string `json:"agreed,omitempty"`
	// Texts that the person wrote in a preview, to apply in place of the reply's.
	Edited []EditedFile `json:"edited,omitempty"`
}

// EditedFile is the text of a file after an apply, as a person edited it.
type EditedFile struct {
	// The path, as in the URI of the right side of a PreviewFile.
	Path string `json:"path"`
	// The text on the right side before the person edited it. If the reply would produce a different text now, nothing
	// is applied.
	Was  string `json:"was"`
	Text string `json:"text"`
}

// QuestionParams asks a person about a change. The texts are plain and safe to show.
type QuestionParams struct {
	// The whole question, as clients without `offers` show it.
	Question string `json:"question"`
	// The token for Target.Agreed that identifies this question. Only this request reveals it.
	Token string `json:"token"`
	// The first line of the question, such as `Apply 3 files +10 −2?`.
	Title string `json:"title"`
	Files []File `json:"files"`
	// The reasons for the question, one sentence each; empty if only the setting or the kind of the change requires it.
	Reasons []string `json:"reasons"`
	// The label of the button that agrees, such as `Apply`.
	Button string `json:"button"`
}

// DocumentsParams names files that may be open.
type DocumentsParams struct {
	URIs []string `json:"uris"`
}

// DocumentsResult has the requested documents that are open.
type DocumentsResult struct {
	Documents []OpenDocument `json:"documents"`
}

// OpenDocument identifies the text of a document at the time of the editor's response.
type OpenDocument struct {
	// The URI from the request.
	URI string `json:"uri"`
	// The version, as counted by textDocument/didOpen and didChange.
	Version int32 `json:"version"`
	// The checksum of the text in UTF-8, with each CRLF as LF, in lower-case hex.
	SHA256 string `json:"sha256"`
}

// QuestionResult is the person's answer.
type QuestionResult struct {
	Accepted bool `json:"accepted"`
}

// SkipMode is a choice about a part of a block, or about all its other parts.
type SkipMode string

// The modes of SkipParams.
const (
	SkipThis   SkipMode = "skip"
	SkipOthers SkipMode = "only"
	SkipNot    SkipMode = "include"
	// Leave out a replacement as long as its find is not in the file. Part is the number of the replacement, counted
	// from 0 over all files of the block.
	SkipMissing SkipMode = "missing"
	// Require the replacement again, after SkipMissing.
	SkipRequired SkipMode = "required"
	// Leave nothing out, and write protected files without a question. This holds for all blocks that the document has
	// now.
	SkipNoQuestion SkipMode = "allow"
	// Ask about the protected files again, after SkipNoQuestion.
	SkipQuestion SkipMode = "ask"
)

// SkipParams leaves a part of a block out, such as a file or a hunk, or includes it again. The choice holds for every
// preview and apply of the block's text in the workspace, even by an agent, until the part is included again.
// SkipNoQuestion holds until the block is applied.
type SkipParams struct {
	URI string `json:"uri"`
	// Counted from 1.
	Block int `json:"block"`
	// Counted from 0 over the files of the block and the hunks in each, as in code lenses; -1 for all files of the
	// block.
	Part int      `json:"part"`
	Mode SkipMode `json:"mode"`
}

// ApplyResult is the result of aptix.apply. Lasting, batches, warnings and the keys of Ways are absent if they are
// empty or false. Every other key is always present.
type ApplyResult struct {
	// Whether this call changed files, and the changes were not rolled back.
	Applied bool `json:"applied"`
	// Whether every file was read back and is as planned.
	Verified bool `json:"verified"`
	// Whether a partial result was rolled back.
	RolledBack bool   `json:"rolledBack"`
	ID         string `json:"id"`
	Files      []File `json:"files"`
	// Paths of files that are not as planned and were left as they are, because another program or a person changed
	// them.
	Left    []string `json:"left"`
	Message string   `json:"message"`
	// The part of Message about effects that an undo in the editor does not revert; absent if an undo reverts
	// everything.
	Lasting string `json:"lasting,omitempty"`
	// The line patches that were applied or whose changes were already in the files, with their ids; absent if there
	// are none.
	Batches []Batch `json:"batches,omitempty"`
	// Problems that are not about the change itself, such as a failed upload to the file set; absent if there are none.
	Warnings []ToolMessage `json:"warnings,omitempty"`
	Ways
}

// Ways lists what a person can do after a refusal, or next to a preview. After a refusal, it is set only if the client
// has `offers` in its initializationOptions; other clients get window/showMessageRequest.
type Ways struct {
	// Whether a part of the reply can be applied with skipMissing in the target.
	Rest bool `json:"rest,omitempty"`
	// Whether the reply can be applied with fix in the target, because each error of the refused blocks has a certain
	// fix.
	Fixable bool `json:"fixable,omitempty"`
	// Whether the reply has problems, so that aptix.feedback returns a text about them for the model.
	Problems bool `json:"problems,omitempty"`
	// Whether the text has no block, so that aptix.feedback returns a request for a bundle.
	NoBlock bool `json:"noBlock,omitempty"`
	// Whether the text has code but no block, so that aptix/address returns the files to which the code may belong.
	Code bool `json:"code,omitempty"`
}

// FeedbackResult is the result of aptix.feedback.
type FeedbackResult struct {
	// A text for the clipboard; empty if there is no problem.
	Text string `json:"text"`
}

// PreviewResult is a multi-file diff.
type PreviewResult struct {
	Title string `json:"title"`
	// The reason why there is nothing to show, or the blocks that are not shown; empty otherwise.
	Message string        `json:"message"`
	Files   []PreviewFile `json:"files"`
	// Whether the files show a finished apply, so that there is nothing to apply.
	Applied bool `json:"applied,omitempty"`
	Ways
}

// PreviewFile is one row of a multi-file diff. Left and Right are URIs of virtual documents. Left is empty for a
// created file, Right for a deleted file.
type PreviewFile struct {
	// The URI of the real file. The editor takes the name and the language of the row from it.
	Resource string `json:"resource"`
	Left     string `json:"left"`
	Right    string `json:"right"`
	// The URI of a virtual document with the text that the apply left. It is set if later edits of the file clash with
	// the revert of the apply.
	Base string `json:"base,omitempty"`
}

// ContentParams names a virtual document.
type ContentParams struct {
	URI string `json:"uri"`
}

// ContentResult is the text of a virtual document.
type ContentResult struct {
	Text string `json:"text"`
}

// InstallResult is the result of aptix/installCommand.
type InstallResult struct {
	// Whether a shell now finds the link: its folder is in PATH, and no folder before it has another `aptix`.
	Installed bool `json:"installed"`
	// A summary of the installation, or the steps left for the person.
	Message string `json:"message"`
}

// Status describes one document's blocks for a status bar.
type Status struct {
	URI string `json:"uri"`
	// Whether the document is a reply, as opposed to documentation with blocks in it.
	Reply bool `json:"reply"`
	// The number of Aptix blocks in the document.
	Blocks int `json:"blocks"`
	// The number of blocks that can be applied now.
	Ready  int `json:"ready"`
	Errors int `json:"errors"`
	// The number of blocks that are cut off, or still being written.
	Incomplete int `json:"incomplete"`
	// A text for people, such as `3 files +10 −2`. It also tells how the files have changed since the apply: `3 files
	// +10 −2 (undone)`, `already applied (changed since)`.
	Text string `json:"text"`
	// Whether an editor may mistake marks of the blocks for marks of merge conflicts.
	Conflicts bool `json:"conflicts"`
}
