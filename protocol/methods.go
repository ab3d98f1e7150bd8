package protocol

// The commands of workspace/executeCommand. CommandApply is for every client;
// CommandPreview shows a unified diff where the client has nothing better.
const (
	CommandApply   = "aptix.apply"
	CommandPreview = "aptix.preview"
	// CommandCheck shows the blocks of all formats in a document until it is closed, also where it is not taken for a reply. It answers nothing.
	CommandCheck = "aptix.check"
	// CommandFeedback answers a FeedbackResult: the reply's problems as a text for the model that wrote it.
	CommandFeedback = "aptix.feedback"
	// CommandSkip takes SkipParams, and answers nothing.
	CommandSkip = "aptix.skip"
)

// The custom methods. A client that knows none of them loses only comfort.
const (
	// Request: PreviewParams -> PreviewResult.
	MethodPreview = "aptix/preview"
	// Request: ContentParams -> ContentResult: the text of a virtual document of a preview.
	MethodContent = "aptix/content"
	// Notification to the client: Status, after each check of a document.
	MethodStatus = "aptix/status"
	// Request to the client: QuestionParams -> QuestionResult. A person asked for a change, and has to agree to it first.
	// Only for clients that say `offers` in their initializationOptions; others are asked by window/showMessageRequest.
	MethodQuestion = "aptix/question"
	// Request to the client: DocumentsParams -> DocumentsResult: what the editor holds of the files of an edit that it has
	// answered. Only for clients that say `documents` in their initializationOptions.
	MethodDocuments = "aptix/documents"
	// Request: no params -> InstallResult: makes the program the command `aptix` of the shell.
	MethodInstallCommand = "aptix/installCommand"
)

// PreviewScheme is the URI scheme of the virtual documents of a preview.
const PreviewScheme = "aptix-preview"

// Target names what a command is about: a block of an open document, or a text
// that is in no document (the clipboard, a selection).
type Target struct {
	// The reply's document. With Text, it only tells which workspace folder is meant, and may be empty.
	URI string `json:"uri"`
	// Counted from 1; null for all blocks, as one transaction.
	Block *int `json:"block"`
	// A place in the document, instead of Block: the block there is meant, or all blocks where there is none. Messages say which.
	At *Position `json:"at,omitempty"`
	// The reply itself, where it is in no document.
	Text *string `json:"text,omitempty"`
	// Leave out replacements whose find is missing, as the setting aptix.missingFind does; it asks.
	SkipMissing bool `json:"skipMissing,omitempty"`
	// Make all certain fixes first, in the document where the editor lets it be changed.
	Fix bool `json:"fix,omitempty"`
	// No editor shows the text, so that the person is asked before it is applied.
	Unseen bool `json:"unseen,omitempty"`
	// The id of an apply, for a preview: what it did is shown, and not what the document would do.
	Applied string `json:"applied,omitempty"`
	// The token of an earlier QuestionParams to which the person agrees: the same question about the same reply is not asked again, once.
	Agreed string `json:"agreed,omitempty"`
}

// QuestionParams asks a person about a change. The texts are plain, and safe to show.
type QuestionParams struct {
	// All of it, as other editors show it.
	Question string `json:"question"`
	// Names this question in Target.Agreed. Nothing but this request tells it.
	Token string `json:"token"`
	// Its first line, such as `Apply 3 files +10 −2?`.
	Title string `json:"title"`
	Files []File `json:"files"`
	// Why it is asked, one sentence each; empty where only the setting or the kind of the change asks.
	Reasons []string `json:"reasons"`
	// What agrees, such as `Apply`.
	Button string `json:"button"`
}

// DocumentsParams asks for documents.
type DocumentsParams struct {
	URIs []string `json:"uris"`
}

// DocumentsResult has those of the documents that are open.
type DocumentsResult struct {
	Documents []OpenDocument `json:"documents"`
}

// OpenDocument is a document as the editor holds it when it answers.
type OpenDocument struct {
	// As it was asked for.
	URI string `json:"uri"`
	// As textDocument/didOpen and didChange count it.
	Version int32 `json:"version"`
	// Of the text in UTF-8, each CRLF as LF; in lower-case hex.
	SHA256 string `json:"sha256"`
}

// QuestionResult is the person's answer.
type QuestionResult struct {
	Accepted bool `json:"accepted"`
}

// SkipMode is what is to become of a part of a block, and of the others.
type SkipMode string

// The modes.
const (
	SkipThis   SkipMode = "skip"
	SkipOthers SkipMode = "only"
	SkipNot    SkipMode = "include"
	// Part is a replacement of the block, counted from 0 over all its files, that is left out while its find is missing.
	SkipMissing SkipMode = "missing"
	// Such a replacement is not left out any more.
	SkipRequired SkipMode = "required"
	// Nothing is left out: the protected files of all blocks that the document has now are written without a question.
	SkipNoQuestion SkipMode = "allow"
	// They are asked about again.
	SkipQuestion SkipMode = "ask"
)

// SkipParams leaves a part out of a block, or takes it in again: a file or a hunk. It holds for previews and applies,
// until the block is applied or its text changes.
type SkipParams struct {
	URI string `json:"uri"`
	// Counted from 1.
	Block int `json:"block"`
	// Counted from 0, over the files of the block and the hunks in each, as code lenses name them.
	Part int      `json:"part"`
	Mode SkipMode `json:"mode"`
}

// ApplyResult is the answer to aptix.apply. Every key is always there.
type ApplyResult struct {
	// Whether the tree was changed by this call, and stays so.
	Applied bool `json:"applied"`
	// Whether every file was seen to be as planned.
	Verified bool `json:"verified"`
	// Whether a partial result was taken back.
	RolledBack bool   `json:"rolledBack"`
	ID         string `json:"id"`
	Files      []File `json:"files"`
	// Paths of files that are not as planned and were left alone, because someone else changed them.
	Left    []string `json:"left"`
	Message string   `json:"message"`
	// What an undo in the editor does not take back, as a part of Message; left out where it takes back all.
	Lasting string `json:"lasting,omitempty"`
	// The line patches that were applied, or found done, with their ids; left out where there are none.
	Batches []Batch `json:"batches,omitempty"`
	// What went otherwise than it should beside the change itself, such as an upload to the file set; left out where there
	// is nothing to say.
	Warnings []ToolMessage `json:"warnings,omitempty"`
	// The reply was refused only because some finds are missing; with skipMissing in the target, the rest can be applied.
	// Only for clients that say `offers` in their initializationOptions; others are asked by window/showMessageRequest.
	Rest bool `json:"rest,omitempty"`
	// As Rest: each error of the refused blocks has a certain fix, so that it may be applied with fix in the target.
	Fixable bool `json:"fixable,omitempty"`
}

// FeedbackResult is the answer to aptix.feedback.
type FeedbackResult struct {
	// For the clipboard; empty where there is nothing to complain of.
	Text string `json:"text"`
}

// PreviewResult is a multi-file diff.
type PreviewResult struct {
	Title string `json:"title"`
	// Why there is nothing to show; empty where there is.
	Message string        `json:"message"`
	Files   []PreviewFile `json:"files"`
	// Whether the files are what was applied, so that there is nothing to apply.
	Applied bool `json:"applied,omitempty"`
}

// PreviewFile is one row of a multi-file diff. Left and Right are URIs of virtual documents; Left is empty
// for a file that is created, Right for one that is deleted.
type PreviewFile struct {
	// The URI of the file itself, for its name and language.
	Resource string `json:"resource"`
	Left     string `json:"left"`
	Right    string `json:"right"`
}

// ContentParams asks for a virtual document.
type ContentParams struct {
	URI string `json:"uri"`
}

// ContentResult is the text of a virtual document.
type ContentResult struct {
	Text string `json:"text"`
}

// InstallResult is the answer to aptix/installCommand.
type InstallResult struct {
	// Whether the link is there, in a folder of PATH, and first in it.
	Installed bool `json:"installed"`
	// What was done, or what the person has to do.
	Message string `json:"message"`
}

// Status is the state of one document's blocks, for a status bar.
type Status struct {
	URI string `json:"uri"`
	// Whether the document is a reply, and not documentation that shows blocks.
	Reply bool `json:"reply"`
	// How many Aptix blocks the document holds.
	Blocks int `json:"blocks"`
	// How many of them can be applied now.
	Ready  int `json:"ready"`
	Errors int `json:"errors"`
	// For people, such as `3 files +10 −2`, and what became of the files since the document was applied:
	// `3 files +10 −2 (undone)`, `already applied (changed since)`.
	Text string `json:"text"`
}
