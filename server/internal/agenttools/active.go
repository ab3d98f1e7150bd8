package agenttools

import (
	"context"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/paths"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// activeFiles lists the open documents (rule R30).
type activeFiles struct {
	Files []activeFile `json:"files" jsonschema:"The open documents."`
}

type activeFile struct {
	DocPath     string `json:"docPath" jsonschema:"The key of the file."`
	DisplayPath string `json:"displayPath" jsonschema:"As the editor names it, for people."`
	SizeBytes   int    `json:"sizeBytes" jsonschema:"The size of the text in bytes, as UTF-8."`
	IsDirty     bool   `json:"isDirty" jsonschema:"Whether the text differs from the file on disk."`
	IsActive    bool   `json:"isActive" jsonschema:"Whether the person is in this document."`
	SHA256      string `json:"sha256" jsonschema:"The SHA-256 of the text, to be copied into originalSha256 of a patch."`
}

var activeFileList = define(Tool{
	Name: "active_file_list", Title: "List the open documents", ReadOnly: true,
	Description: "List the documents that the person has open in the editor, with their SHA-256. The text of an open document is newer than the file on disk. " +
		"If no editor is running, the list is empty.",
}, func(ctx context.Context, host Host, in folderInput) (activeFiles, []protocol.ToolMessage, error) {
	folders, err := in.folders(ctx, host)
	list := activeFiles{Files: []activeFile{}}
	for _, folder := range folders {
		for _, a := range folder.Active {
			if !paths.HasDocPath(a.Path) {
				continue
			}
			list.Files = append(list.Files, activeFile{
				DocPath: paths.DocPath(folder.Names[0], a.Path), DisplayPath: a.Display, SizeBytes: len(a.Text),
				IsDirty: a.Dirty, IsActive: a.Focused, SHA256: text.SumHex(a.Text),
			})
		}
	}
	return list, nil, err
})

type activeSum struct {
	DocPath string `json:"docPath" jsonschema:"The key of the file."`
	SHA256  string `json:"sha256" jsonschema:"The SHA-256 of the text, to be copied into originalSha256 of a patch."`
	IsDirty bool   `json:"isDirty" jsonschema:"Whether the text differs from the file on disk."`
}

var activeFileSHA256 = define(Tool{
	Name: "active_file_sha256", Title: "Hash an open document", ReadOnly: true,
	Description: "Return the SHA-256 of a document that is open in the editor, as it is now. For a file that is not open, use workspace_read_file.",
}, func(ctx context.Context, host Host, in docPathInput) (activeSum, []protocol.ToolMessage, error) {
	folders, err := host.Folders(ctx)
	if err != nil {
		return activeSum{}, nil, err
	}
	f, err := find(ctx, folders, in.DocPath)
	if err != nil {
		return activeSum{}, nil, err
	}
	a := f.active()
	if a == nil {
		return activeSum{}, nil, Refuse("not-active", "%q is not open in an editor; workspace_read_file returns its text and its SHA-256", in.DocPath)
	}
	return activeSum{f.key, text.SumHex(a.Text), a.Dirty}, nil, nil
})
