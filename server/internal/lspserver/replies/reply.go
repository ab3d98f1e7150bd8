// Package replies describes how an editor shows a checked reply: lenses, actions, problems, hovers, symbols, rows and
// words. It depends on the check, the documents and the files of the reply's folder. It changes no file, and asks the
// person nothing.
package replies

import (
	"path"
	"slices"
	"strings"

	"go.lsp.dev/uri"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/lspserver/documents"
	"github.com/aptix-dev/aptix/server/internal/lspserver/workspace"
	"github.com/aptix-dev/aptix/server/internal/paths"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Reply is the result of checking one document as it was in one snapshot.
type Reply struct {
	*check.Result
	URI      uri.URI
	Document *documents.Document // nil if the text does not come from a document
	Lines    *text.Lines
	View     workspace.View // its Folder is nil if no folder is open

	DocPaths paths.LookupFunc // finds the file of a docPath; nil if no folder is open

	Which string // "block 2 of 3: " if a position selected one of several blocks; otherwise ""

	// Documentation is true if the document perhaps only describes edits. Its problems are then shown as hints.
	Documentation bool

	Allowed bool // whether the person agreed to changes of protected files by this document

	applied []history.Apply // the applies of the document's blocks, latest first (see [Reply.Recall])
	past    []int           // the indexes of blocks that were applied earlier, and whose files have changed since
}

// replyLanguages lists the languages of documents in which the server looks for replies. It lists no programming
// languages, because a reply in source code is only a quotation in a comment or a string.
var replyLanguages = []string{"markdown", "plaintext", "text", "mdx", "rmd", "quarto", "prompt", "instructions", "chatagent", "skill"}

// MayHold reports whether the server looks for replies in a document.
func MayHold(doc *documents.Document) bool {
	if doc.About.Dismissed.Load() {
		return false
	}
	return doc.About.Requested.Load() || slices.Contains(replyLanguages, doc.LanguageID) || IsWhole(doc)
}

// IsWhole reports whether a whole document may be one block.
func IsWhole(doc *documents.Document) bool {
	_, named := check.OfFile(string(doc.URI))
	return named || strings.HasPrefix(string(doc.URI), "untitled:")
}

// ForCheck returns the document with the format in which the engine must read it. If the document is untitled, the
// language that the person chose decides the format.
func ForCheck(doc *documents.Document) check.Document {
	d := check.Document{Name: path.Base(string(doc.URI)), Text: doc.Text, Format: check.Markdown, Reply: strings.HasPrefix(string(doc.URI), aptix.ChatScheme+":")}
	if !IsWhole(doc) {
		return d
	}
	d.Format = ""
	_, named := check.OfFile(string(doc.URI))
	if f, ok := check.OfLanguage(doc.LanguageID); ok && !named && strings.TrimSpace(doc.Text) != "" {
		d.Format = f.Name
	}
	return d
}
