package main

import (
	"fmt"
	"strings"
)

// A command is a command that the extension registers. The commands of the code lenses
// (aptix.apply, aptix.preview) belong to the server.
type command struct {
	ID         string `json:"command"` // the name of the command in package.json
	Category   string `json:"category"`
	Title      string `json:"title"`
	ShortTitle string `json:"shortTitle,omitempty"` // the title of the command on a button
	Icon       string `json:"icon,omitempty"`

	palette string // the condition under which the Command Palette shows the command; "" for always
	readme  string // the description in docs/vscode.md; "" for a command that only a view or a preview has
}

const (
	never = "false"
	// inDocument is the condition that the active document has blocks.
	inDocument = "resourcePath in aptix.documents"

	// inDiff is the condition that the active editor shows a change that the person can take apart.
	inDiff = "aptix.preview || aptix.offer"

	// inReview is the condition that the hunks of an apply are being reviewed.
	inReview = "aptix.reviewing"
)

// extensionCommands lists all commands of the extension.
var extensionCommands = []command{
	{ID: "aptix.previewActive", Title: "Preview", readme: "show the diff of the block at the cursor, or of all blocks if the cursor is in none"},
	{ID: "aptix.previewAll", Title: "Preview All Blocks", readme: "show the diff of all blocks in the active document"},
	{ID: "aptix.applyActive", Title: "Apply", readme: "apply the block at the cursor, or all blocks as one change if the cursor is in none"},
	{ID: "aptix.nextBlock", Title: "Next Block", palette: inDocument, readme: "go to the next block of the active document"},
	{ID: "aptix.previousBlock", Title: "Previous Block", palette: inDocument, readme: "go to the previous block of the active document"},
	{ID: "aptix.menu.preview", Title: "Preview with Aptix", Icon: "$(diff-multiple)", palette: never},
	{ID: "aptix.menu.apply", Title: "Apply with Aptix", Icon: "$(check)", palette: never},
	{ID: "aptix.previewClipboard", Title: "Preview from Clipboard", Icon: "$(clippy)", readme: "show the diff of the text on the clipboard"},
	{ID: "aptix.applyClipboard", Title: "Apply from Clipboard", readme: "apply the text on the clipboard, after a question that names the files"},
	{ID: "aptix.previewSelection", Title: "Preview Selection", palette: "editorHasSelection", readme: "show the diff of the selected text"},
	{ID: "aptix.applySelection", Title: "Apply Selection", palette: "editorHasSelection", readme: "apply the selected text"},
	{ID: "aptix.chat.preview", Title: "Preview Last Chat Answer", Icon: "$(diff-multiple)", readme: "show the diff of the last answer in the chat"},
	{ID: "aptix.chat.apply", Title: "Apply Last Chat Answer", Icon: "$(check-all)", readme: "apply the last answer in the chat"},
	{ID: "aptix.chat.fix", Title: "Fix the Chat Answer", palette: never},
	{ID: "aptix.chat.send", Title: "Send Problems to Chat", palette: never},
	{ID: "aptix.checkDocument", Title: "Check This Document", readme: "show the blocks of all formats in the active document, even if it is documentation"},
	{ID: "aptix.copyFeedback", Title: "Copy Problems for the Model", readme: "copy the problems of the reply, as text to send to the model that wrote it"},
	{ID: "aptix.installCommand", Title: "Install 'aptix' Command in PATH", readme: "link the program of the extension into a folder of PATH, for the terminal"},
	{ID: "aptix.sample.open", Title: "Open Sample", readme: "open a sample workspace, and the walkthrough that uses it"},
	{ID: "aptix.sample.preview", Title: "Preview the Sample Reply", palette: never},
	{ID: "aptix.sample.apply", Title: "Apply the Sample Reply", palette: never},
	{ID: "aptix.sample.undo", Title: "Undo the Sample Reply", palette: never},
	{ID: "aptix.sample.fix", Title: "Open the Broken Sample Reply", palette: never},
	{ID: "aptix.showOutput", Title: "Show Output", readme: "show the log of the language server"},
	{ID: "aptix.restart", Title: "Restart Server", readme: "restart the language server"},
	{ID: "aptix.applyPreview", Title: "Apply This Preview", ShortTitle: "Apply", palette: "aptix.preview"},
	{ID: "aptix.discardPreview", Title: "Discard This Preview", ShortTitle: "Discard Preview", palette: "aptix.preview"},
	{ID: "aptix.editPreview", Title: "Edit before Apply", palette: "aptix.preview", readme: "in a preview: make the right sides editable; what you write there is applied"},
	{ID: "aptix.chooseParts", Title: "Choose Files and Hunks…", Icon: "$(checklist)", palette: inDiff, readme: "in a preview or an offer: a list with check boxes, to skip and include files and hunks"},
	{ID: "aptix.skipHunk", Title: "Skip This Hunk", palette: inDiff, readme: "in a preview or an offer: leave out the hunk at the cursor"},
	{ID: "aptix.skipFile", Title: "Skip This File", palette: inDiff, readme: "in a preview or an offer: leave out the file at the cursor"},
	{ID: "aptix.applyOffer", Title: "Apply the Offered Change", ShortTitle: "Apply", palette: "aptix.offer"},
	{ID: "aptix.discardOffer", Title: "Discard the Offered Change", ShortTitle: "Discard Offer", palette: "aptix.offer"},
	{ID: "aptix.showOffer", Title: "Show the Offered Change", palette: "aptix.offers"},
	{ID: "aptix.replies.preview", Title: "Preview", Icon: "$(diff-multiple)", palette: never},
	{ID: "aptix.replies.apply", Title: "Apply", Icon: "$(check)", palette: never},
	{ID: "aptix.replies.remove", Title: "Remove from Replies", Icon: "$(close)", palette: never},
	{ID: "aptix.replies.toggle", Title: "Include or Skip", palette: never},
	{ID: "aptix.history.revertLast", Title: "Revert Last Apply", Icon: "$(discard)", readme: "revert the latest apply"},
	{ID: "aptix.review.last", Title: "Review Last Apply", Icon: "$(checklist)", readme: "go through the changes of the latest apply in its files, and keep or undo each"},
	{ID: "aptix.review.keep", Title: "Keep This Hunk", palette: inReview, readme: "in a review: keep the hunk at the cursor, and go to the next"},
	{ID: "aptix.review.undo", Title: "Undo This Hunk", palette: inReview, readme: "in a review: undo only the hunk at the cursor, and go to the next"},
	{ID: "aptix.review.next", Title: "Next Hunk", palette: inReview, readme: "in a review: go to the next hunk"},
	{ID: "aptix.review.previous", Title: "Previous Hunk", palette: inReview, readme: "in a review: go to the previous hunk"},
	{ID: "aptix.review.end", Title: "End the Review", palette: inReview, readme: "end a review; what was undone stays undone"},
	{ID: "aptix.history.review", Title: "Review in the Files", palette: never},
	{ID: "aptix.history.filter", Title: "Filter History…", Icon: "$(filter)", readme: "show only the changes whose names or files contain the words that you type"},
	{ID: "aptix.history.all", Title: "Show All History", Icon: "$(clear-all)", palette: "aptix.historyFiltered", readme: "end the filter of the history"},
	{ID: "aptix.history.ofFile", Title: "History of This File", readme: "show the changes to a file, or to files in a folder"},
	{ID: "aptix.history.revertAfter", Title: "Revert Everything After This…", palette: never},
	{ID: "aptix.history.refresh", Title: "Refresh History", Icon: "$(refresh)", palette: never},
	{ID: "aptix.history.more", Title: "Load More History", palette: never},
	{ID: "aptix.history.show", Title: "Show Changes", Icon: "$(diff-multiple)", palette: never},
	{ID: "aptix.history.showFile", Title: "Show Changes", palette: never},
	{ID: "aptix.history.openFile", Title: "Open File", Icon: "$(go-to-file)", palette: never},
	{ID: "aptix.history.revert", Title: "Revert…", Icon: "$(discard)", palette: never},
	{ID: "aptix.history.reapply", Title: "Apply Again…", Icon: "$(redo)", palette: never},
	{ID: "aptix.history.previewRevert", Title: "Show What Revert Would Do", palette: never},
	{ID: "aptix.history.copyId", Title: "Copy ID", palette: never},
	{ID: "aptix.history.revertPreviewed", Title: "Revert as Previewed", ShortTitle: "Revert", palette: "aptix.revertPreview"},
	{ID: "aptix.history.mergePreviewed", Title: "Revert and Keep Later Edits", palette: "aptix.mergePreview"},
}

// renderCommands replaces contributes.commands in package.json.
func renderCommands(_, old string) (string, error) {
	var rows []any
	for _, c := range extensionCommands {
		c.Category = "Aptix"
		rows = append(rows, c)
	}
	return replaceRows(old, "/contributes/commands", rows)
}

// renderPalette replaces contributes.menus.commandPalette in package.json.
func renderPalette(_, old string) (string, error) {
	type item struct {
		Command string `json:"command"`
		When    string `json:"when"`
	}
	var rows []any
	for _, c := range extensionCommands {
		if c.palette != "" {
			rows = append(rows, item{c.ID, c.palette})
		}
	}
	return replaceRows(old, "/contributes/menus/commandPalette", rows)
}

// renderCommandsTable replaces the table of commands in docs/vscode.md.
func renderCommandsTable(_, old string) (string, error) {
	var b strings.Builder
	b.WriteString("| Command | What it does |\n| --- | --- |\n")
	for _, c := range extensionCommands {
		if c.readme != "" {
			fmt.Fprintf(&b, "| Aptix: %s | %s |\n", c.Title, c.readme)
		}
	}
	return replaceMarked(old, "commands", b.String())
}
