package lspserver

import (
	"path"
	"slices"
	"strings"

	"go.lsp.dev/uri"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/docpath"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/lspserver/documents"
	"github.com/aptix-dev/aptix/server/internal/lspserver/workspace"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A checked is the result of checking one document as it was in one snapshot.
type checked struct {
	*check.Result
	uri   uri.URI
	doc   *documents.Document // nil if the text is in no document
	lines *text.Lines
	view  workspace.View // its Folder is nil if no folder is open

	docPaths docpath.LookupFunc // nil if no folder is open

	which string // "block 2 of 3: " if a position selected one of several blocks; otherwise ""

	// documentation is true if the document may only describe edits. Its problems are then shown as hints.
	documentation bool

	allowed bool // whether the person agreed to changes of protected files by this document

	applied []history.Apply // the applies of the document's blocks, latest first: see [Server.recall]
	past    []int           // the indexes of blocks that were applied earlier, and whose files have changed since
}

// replyLanguages lists the languages of documents in which the server looks for replies. It lists no programming
// languages: if source code seems to contain a reply, this is only a quotation in a comment or a string.
var replyLanguages = []string{"markdown", "plaintext", "text", "mdx", "rmd", "quarto", "prompt", "instructions", "chatagent", "skill"}

func mayHold(doc *documents.Document) bool {
	if doc.About.Dismissed.Load() {
		return false
	}
	return doc.About.Requested.Load() || slices.Contains(replyLanguages, doc.LanguageID) || isWhole(doc)
}

func isWhole(doc *documents.Document) bool {
	_, named := check.OfFile(string(doc.URI))
	return named || strings.HasPrefix(string(doc.URI), "untitled:")
}

// forCheck returns the document with the format in which the engine must read it. If the document is untitled, the
// language that the person chose decides the format.
func forCheck(doc *documents.Document) check.Document {
	d := check.Document{Name: path.Base(string(doc.URI)), Text: doc.Text, Format: check.Markdown, Reply: strings.HasPrefix(string(doc.URI), aptix.ChatScheme+":")}
	if !isWhole(doc) {
		return d
	}
	d.Format = ""
	_, named := check.OfFile(string(doc.URI))
	if f, ok := check.OfLanguage(doc.LanguageID); ok && !named && strings.TrimSpace(doc.Text) != "" {
		d.Format = f.Name
	}
	return d
}
