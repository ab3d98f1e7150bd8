package agenttools

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/fileset"
	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/paths"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// maxContent limits the size of a file that a model can read, in bytes.
const maxContent = 2 << 20

type docPathInput struct {
	DocPath string `json:"docPath" jsonschema:"The key of the file: the workspace folder's name, and the path in it, with / and in lower case. Copy it from another tool's answer."`
}

type fileContent struct {
	DocPath   string `json:"docPath" jsonschema:"The key of the file."`
	Source    string `json:"source" jsonschema:"Where the text comes from: active (open in the editor, perhaps not saved), cloud (the file set), or disk."`
	SHA256    string `json:"sha256" jsonschema:"The SHA-256 of the whole file. Copy it into originalSha256 of a patch; never work one out."`
	Content   string `json:"content" jsonschema:"The whole text of the file, with its own line endings."`
	SizeBytes int    `json:"sizeBytes" jsonschema:"The size of the file in bytes."`
	Lines     int    `json:"lines" jsonschema:"How many lines the file has. Line numbers of a patch go from 1 to this number."`
	EOL       string `json:"eol" jsonschema:"The line endings: lf, crlf, cr, mixed, or none. Write the lines of a patch without line endings."`
	Encoding  string `json:"encoding" jsonschema:"How the file is stored: utf-8, utf-8-bom, utf-16le or utf-16be. A patch does not change this."`

	EndsWithNewline bool `json:"endsWithNewline" jsonschema:"Whether the last line has a line ending. A patch does not change this."`
}

var readFile = define(Tool{
	Name: "workspace_read_file", Title: "Read a file", ReadOnly: true,
	Description: "Read the whole text of a file as it is now, with its SHA-256. Open documents are returned as the person sees them, even if they are not saved. " +
		"Read a file with this tool before you write a line patch for it: workspace_write_patch needs the line numbers and the sha256 of that text.",
}, func(ctx context.Context, host Host, in docPathInput) (fileContent, []protocol.ToolMessage, error) {
	folders, err := host.Folders(ctx)
	if err != nil {
		return fileContent{}, nil, err
	}
	f, err := find(ctx, folders, in.DocPath)
	if refusal, ok := errors.AsType[*Refusal](err); ok && refusal.Messages[0].Code == string(diag.DocPathUnknown) {
		return onlyShared(ctx, host.FileSet(), in.DocPath, refusal)
	}
	if err != nil {
		return fileContent{}, nil, err
	}
	return f.read(ctx, host.FileSet())
})

// read returns the text of a file that agents see (rule R29): from the open document, the file set or the disk.
func (f file) read(ctx context.Context, set *fileset.Set) (fileContent, []protocol.ToolMessage, error) {
	source, data, err := f.data()
	if err != nil {
		return fileContent{}, nil, err
	}
	var warnings []protocol.ToolMessage
	if set != nil && source == fileset.Disk {
		disk := data
		truths, err := set.Authority(ctx, sourceName, []fileset.Copies{{DocPath: paths.DocPath(f.folder.Names[0], f.path), ReadDisk: func() (text.Content, error) { return text.Content{Exists: true, Data: disk}, nil }}})
		switch {
		case err != nil && set.Shared():
			return fileContent{}, nil, Refuse("file-set-failed", "the shared file set failed, so it is unknown whether the text of %q on disk is current: %v", f.key, err)
		case err != nil:
			warnings = []protocol.ToolMessage{{Code: "file-set-failed", Message: fmt.Sprintf("the file set could not be read, so this is the text on disk: %v", err)}}
		default:
			source, data = truths[0].Source, truths[0].Content
			if truths[0].Refused != "" {
				warnings = []protocol.ToolMessage{{Code: "file-set-differs", Message: truths[0].Refused}}
			}
		}
	}
	content, err := contentOf(f.key, source, data)
	return content, warnings, err
}

// onlyShared returns a file that is in no folder, but in a shared file set. It ignores the file set of this machine,
// because that set also has files of other workspaces, which the caller must not see.
func onlyShared(ctx context.Context, set *fileset.Set, key string, unknown *Refusal) (fileContent, []protocol.ToolMessage, error) {
	if set == nil || !set.Shared() {
		return fileContent{}, nil, unknown
	}
	truths, err := set.Authority(ctx, sourceName, []fileset.Copies{{DocPath: key}})
	switch {
	case err != nil:
		return fileContent{}, nil, Refuse("file-set-failed", "no open folder has %q, and the shared file set does not answer: %v", key, err)
	case truths[0].Source == fileset.Nowhere:
		return fileContent{}, nil, unknown
	}
	content, err := contentOf(key, truths[0].Source, truths[0].Content)
	return content, []protocol.ToolMessage{{Code: "file-set-only", Message: truths[0].Refused}}, err
}

// sourceName is recorded as the source of each revision that a file set reads from the disk.
const sourceName = "mcp"

func contentOf(key string, source fileset.Source, data string) (fileContent, error) {
	if len(data) > maxContent {
		return fileContent{}, tooLarge(key, int64(len(data)))
	}
	s, encoding, err := text.Decode(data)
	if err != nil {
		return fileContent{}, Refuse("file-binary", "%q is not text: it is %v", key, err)
	}
	return fileContent{
		DocPath: key, Source: string(source), SHA256: text.SumHex(data), Content: s, SizeBytes: len(data),
		Lines: len(text.SplitLines(s)), EOL: eolName(s), Encoding: encodingNames[encoding], EndsWithNewline: strings.HasSuffix(s, "\n") || strings.HasSuffix(s, "\r"),
	}, nil
}

// data returns the text that a patch is compared with if there is no file set: the text of the open document, or the
// bytes on disk.
func (f file) data() (source fileset.Source, data string, err error) {
	if a := f.active(); a != nil {
		return fileset.Active, a.Text, nil
	}
	info, err := fs.Stat(f.folder.Tree, f.path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return "", "", Refuse(string(diag.PathNotRegular), "%q is not a regular file (%v); only files can be read", f.key, info.Mode().Type())
	case err == nil && info.Size() > maxContent:
		return "", "", tooLarge(f.key, info.Size())
	}
	raw, err := fs.ReadFile(f.folder.Tree, f.path)
	switch {
	case errors.Is(err, disk.ErrBuffersDiffer):
		return "", "", Refuse("file-open-twice", "%q: %v", f.key, disk.ErrBuffersDiffer)
	case fspath.Missing(err):
		return "", "", Refuse(string(diag.DocPathUnknown), "%q was removed just now", f.key)
	}
	return fileset.Disk, string(raw), unreadable(f.key, err)
}

func tooLarge(key string, size int64) *Refusal {
	return Refuse(string(diag.FileTooLarge), "%q has %d bytes; files above %d bytes are neither read nor searched", key, size, maxContent)
}

func eolName(s string) string {
	if text.MixedEOL(s) {
		return "mixed"
	}
	return map[text.EOL]string{text.LF: "lf", text.CRLF: "crlf", text.CR: "cr", text.None: "none"}[text.DominantEOL(s)]
}

var encodingNames = map[text.Encoding]string{text.UTF8: "utf-8", text.UTF8BOM: "utf-8-bom", text.UTF16LE: "utf-16le", text.UTF16BE: "utf-16be"}
