package agenttools

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/fileset"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/paths"
	"github.com/aptix-dev/aptix/server/internal/text"
)

const (
	searchTime  = 5 * time.Second
	maxSearched = 1 << 20   // the size limit of a file in bytes; larger files are left out
	maxFound    = 100 << 10 // the limit for the content in a result, in bytes
	usualChunks = 20
	mostChunks  = 100
)

type searchInput struct {
	Query string     `json:"query" jsonschema:"The words, the text or the regular expression to search for, depending on mode."`
	Mode  searchMode `json:"mode,omitempty" jsonschema:"words (the default): lines with any of the words, in files that contain all of them. literal: the text as it is, on one line. regexp: an RE2 regular expression, matched line by line."`
	Case  bool       `json:"caseSensitive,omitempty" jsonschema:"Distinguish upper case from lower case. By default, case does not matter."`
	Under string     `json:"under,omitempty" jsonschema:"Only files whose docPath begins with this or matches it as a glob: * stands for any name, ** for any folders, ? for any character."`
	folderInput
	Limit count `json:"limit,omitempty" jsonschema:"The most chunks to return, up to 100. The default is 20."`
}

type searchMode string

const (
	byWords   searchMode = "words"
	byLiteral searchMode = "literal"
	byRegexp  searchMode = "regexp"
)

var search = define(Tool{
	Name: "workspace_search", Title: "Search the files", ReadOnly: true,
	Description: "Find places in the files as they are now, open documents included. Binary files, huge files and files that git ignores are left out. " +
		"Use the answer to find and understand code. Before you write a patch, read the whole file with workspace_read_file to get its lines and its sha256.",
}, func(ctx context.Context, host Host, in searchInput) (foundChunks, []protocol.ToolMessage, error) {
	q, err := in.compile()
	if err != nil {
		return foundChunks{}, nil, err
	}
	folders, err := in.folders(ctx, host)
	if err != nil {
		return foundChunks{}, nil, err
	}
	found := q.search(ctx, folders)
	if ctx.Err() != nil {
		return foundChunks{}, nil, ctx.Err()
	}
	return found, remember(ctx, host.History(), found.Chunks), nil
})

func (q query) search(ctx context.Context, folders []Folder) foundChunks {
	ctx, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	found := foundChunks{Chunks: []chunk{}}
	size := 0
	for _, folder := range folders {
		for p := range files(ctx, folder) {
			for _, c := range q.inFile(ctx, file{paths.DocPath(folder.Names[0], p), folder, p}) {
				if size += len(c.Content); len(found.Chunks) == q.limit || size > maxFound {
					found.Truncated = true
					return found
				}
				found.Chunks = append(found.Chunks, c)
			}
		}
	}
	found.Truncated = ctx.Err() != nil
	return found
}

func (q query) inFile(ctx context.Context, f file) []chunk {
	if !q.under.MatchString(f.key) {
		return nil
	}
	content, ok := f.searchable()
	if !ok {
		return nil
	}
	return q.chunks(ctx, f.key, content)
}

func (f file) searchable() (content string, ok bool) {
	source, data, err := f.data()
	if err != nil || len(data) > maxSearched {
		return "", false
	}
	if source == fileset.Active {
		return data, true
	}
	content, _, err = text.Decode(data)
	return content, err == nil
}

// remember records the hashes of snippets. If a later patch has the hash of a snippet instead of the hash of the file,
// the refusal can explain this (rule L20).
func remember(ctx context.Context, store *history.Store, chunks []chunk) []protocol.ToolMessage {
	var snippets []history.Snippet
	for _, c := range chunks {
		if c.IsFullFile {
			continue
		}
		for _, s := range []string{c.Content, strings.TrimRight(c.Content, "\r\n")} {
			snippets = append(snippets, history.Snippet{SHA: text.SumHex(s), DocPath: c.DocPath, Start: c.StartLine, End: c.EndLine})
		}
	}
	if store == nil || snippets == nil {
		return nil
	}
	if err := store.RememberSnippet(ctx, snippets); err != nil {
		return []protocol.ToolMessage{{Code: "not-remembered", Message: fmt.Sprintf("the history cannot record these snippets: %v", err)}}
	}
	return nil
}

const (
	contextLines   = 3
	maxChunkLines  = 60
	maxLine        = 1 << 10 // in bytes; longer lines, such as minified code, are not shown
	smallFileLines = 40      // a file is shown whole if it has at most this many lines
	smallFileBytes = 8 << 10 // and at most this many bytes
)

// foundChunks is the result of a search (rule R31).
type foundChunks struct {
	Chunks    []chunk `json:"chunks" jsonschema:"The places, ordered by file (files in outer folders first) and then by line."`
	Truncated bool    `json:"truncated" jsonschema:"Whether there may be more places, because a limit was reached."`
}

type chunk struct {
	DocPath    string `json:"docPath" jsonschema:"The key of the file."`
	Source     string `json:"source" jsonschema:"rag-snippet (some lines of the file) or rag-full (all of it). Neither is a base for a patch: read the file first."`
	IsFullFile bool   `json:"isFullFile" jsonschema:"Whether this is the whole file."`
	StartLine  int    `json:"startLine" jsonschema:"The first line, counted from 1."`
	EndLine    int    `json:"endLine" jsonschema:"The last line."`
	Content    string `json:"content" jsonschema:"The lines."`
}

func (q query) chunks(ctx context.Context, docPath, content string) []chunk {
	lines := text.SplitLines(content)
	matches := q.matches(ctx, lines)
	switch {
	case !slices.Contains(matches, true):
		return nil
	case len(lines) <= smallFileLines && len(content) <= smallFileBytes:
		return []chunk{{DocPath: docPath, Source: "rag-full", IsFullFile: true, StartLine: 1, EndLine: len(lines), Content: content}}
	}
	var chunks []chunk
	shown := withContext(lines, matches)
	for start, end := 0, 0; start < len(lines); start = max(end, start+1) {
		end = start
		for end < len(lines) && shown[end] && end-start < maxChunkLines {
			end++
		}
		if slices.Contains(matches[start:end], true) {
			chunks = append(chunks, chunk{DocPath: docPath, Source: "rag-snippet", StartLine: start + 1, EndLine: end, Content: strings.Join(lines[start:end], "")})
		}
	}
	return chunks
}

func withContext(lines []string, matches []bool) []bool {
	shown := make([]bool, len(lines))
	for i := range lines {
		around := matches[max(0, i-contextLines):min(len(lines), i+contextLines+1)]
		shown[i] = len(lines[i]) <= maxLine && slices.Contains(around, true)
	}
	return shown
}
