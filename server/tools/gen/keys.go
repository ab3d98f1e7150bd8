package main

import (
	"fmt"
	"regexp"
	"strings"
)

// A key is a key binding. It runs a command of the extension, or of VS Code, if a condition is
// true.
type key struct {
	Command string `json:"command"` // the name of the command in package.json
	Key     string `json:"key"`
	Mac     string `json:"mac"`
	When    string `json:"when"`

	readme string // the description in docs/vscode.md; "" if the key is not described there
}

const (
	inReply   = "editorTextFocus && " + inDocument
	inPreview = "activeEditor == multiDiffEditor && aptix.preview"
	reviewed  = "editorTextFocus && " + inReview
	inReplies = "focusedView == aptix.replies && listFocus && !inputFocus"
	// In a terminal, the shell gets the first stroke.
	anywhere = "!terminalFocus"
)

// extensionKeys lists all keys of the extension. They are chords of Ctrl+K and a letter with Shift,
// because VS Code itself has few of these. Ctrl+Alt is not used, because it writes characters on
// many keyboards.
var extensionKeys = []key{
	// The button of the preview has another command. Otherwise VS Code would show the keys on the
	// button.
	chord("shift+a", "aptix.applyActive", inReply+" || "+inPreview, "apply the block at the cursor, or all blocks if the cursor is in none; in a preview, apply the preview"),
	chord("shift+a", "aptix.replies.apply", inReplies, "in the view Replies: apply the reply or the block"),
	chord("shift+p", "aptix.previewActive", inReply, "preview the block at the cursor, or all blocks"),
	chord("shift+p", "aptix.replies.preview", inReplies, "in the view Replies: preview the reply or the block"),
	{Command: "aptix.replies.remove", Key: "delete", Mac: "cmd+backspace", When: inReplies, readme: "in the view Replies: remove a reply from it"},
	{Command: "aptix.replies.toggle", Key: "space", Mac: "space", When: inReplies, readme: "in the view Replies: leave out a file or a hunk, or include it again"},
	chord("shift+down", "aptix.nextBlock", inReply, "go to the next block"),
	chord("shift+up", "aptix.previousBlock", inReply, "go to the previous block"),
	chord("shift+down", "aptix.review.next", reviewed, "in a review of a change: go to the next hunk"),
	chord("shift+up", "aptix.review.previous", reviewed, "in a review of a change: go to the previous hunk"),
	chord("shift+k", "aptix.review.keep", reviewed, "in a review of a change: keep the hunk at the cursor"),
	chord("shift+u", "aptix.review.undo", reviewed, "in a review of a change: undo the hunk at the cursor"),
	chord("shift+u", "aptix.skipHunk", "activeEditor == multiDiffEditor && ("+inDiff+")", "in a preview or an offer: leave out the hunk at the cursor"),
	chord("shift+z", "aptix.history.revertLast", anywhere+" && workspaceFolderCount > 0", "revert the latest change, after a question"),
	chord("shift+v", "aptix.previewClipboard", anywhere, "preview the text on the clipboard"),
	chord("shift+c", "aptix.chat.preview", anywhere+" && chatIsEnabled", "preview the last answer in the chat"),
	chord("shift+l", "aptix.chat.apply", anywhere+" && chatIsEnabled", "apply the last answer in the chat"),
	{Command: "aptix.chat.fix", Key: "ctrl+.", Mac: "cmd+.", When: "editorTextFocus && resourceScheme == aptix-chat"},
}

// chord returns a key that consists of Ctrl+K, or Cmd+K on macOS, and a second stroke.
func chord(second, command, when, readme string) key {
	return key{Command: command, Key: "ctrl+k " + second, Mac: "cmd+k " + second, When: when, readme: readme}
}

// renderKeys replaces contributes.keybindings in package.json.
func renderKeys(_, old string) (string, error) {
	var rows []any
	for _, k := range extensionKeys {
		rows = append(rows, k)
	}
	return replaceRows(old, "/contributes/keybindings", rows)
}

// renderKeysTable replaces the table of keys in docs/vscode.md.
func renderKeysTable(_, old string) (string, error) {
	var b strings.Builder
	b.WriteString("| Key | On macOS | What it does |\n| --- | --- | --- |\n")
	for _, k := range extensionKeys {
		if k.readme != "" {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", pressed(k.Key), pressed(k.Mac), k.readme)
		}
	}
	return replaceMarked(old, "keys", b.String())
}

var firstLetter = regexp.MustCompile(`\b[a-z]`)

// pressed returns keys as people write them, such as Ctrl+K Shift+A.
func pressed(keys string) string { return firstLetter.ReplaceAllStringFunc(keys, strings.ToUpper) }
