package agenttools

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/docpath"
	"github.com/aptix-dev/aptix/server/internal/fileset"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// The bounds of a search.
const (
	searchTime    = 5 * time.Second
	maxSearched   = 1 << 20   // bytes of a file; larger ones are not looked into
	maxCandidates = 4_000     // chunks among which the best are chosen
	maxFound      = 100 << 10 // bytes of content in an answer
	usualChunks   = 20
	mostChunks    = 100
)

type searchInput struct {
	Query string     `json:"query" jsonschema:"What to look for: words, a text, or a regular expression, as mode says."`
	Mode  searchMode `json:"mode,omitempty" jsonschema:"words (the usual): places with the most and the rarest of the words come first. literal: the text as it is, in one line. regexp: an RE2 regular expression, matched line by line."`
	Case  bool       `json:"caseSensitive,omitempty" jsonschema:"Tell upper case from lower case. Without it, case does not matter."`
	Under string     `json:"under,omitempty" jsonschema:"Only files whose docPath begins so, or that matches a glob: * is any name, ** any folders, ? any letter."`
	folderInput
	Limit count `json:"limit,omitempty" jsonschema:"At most so many chunks, up to 100. Without it, 20."`
}

type searchMode string

// The modes of a search.
const (
	byWords   searchMode = "words"
	byLiteral searchMode = "literal"
	byRegexp  searchMode = "regexp"
)

// foundChunks is what a search returns (rule R31).
type foundChunks struct {
	Chunks    []chunk `json:"chunks" jsonschema:"The best places first; without words, in the order of docPaths."`
	Truncated bool    `json:"truncated" jsonschema:"Whether there may be more, as a limit was reached."`
}

type chunk struct {
	DocPath    string  `json:"docPath" jsonschema:"The key of the file."`
	Source     string  `json:"source" jsonschema:"rag-snippet (some lines of the file) or rag-full (all of it). Neither is a base for a patch: read the file first."`
	IsFullFile bool    `json:"isFullFile" jsonschema:"Whether this is the whole file."`
	StartLine  int     `json:"startLine" jsonschema:"The first line, counted from 1."`
	EndLine    int     `json:"endLine" jsonschema:"The last line."`
	Content    string  `json:"content" jsonschema:"The lines."`
	Score      float64 `json:"score,omitempty" jsonschema:"With words: how well the place fits, for comparison only."`
}

var search = define(Tool{
	Name: "workspace_search", Title: "Search the files", ReadOnly: true,
	Description: "Find places in the files as they are now, open documents included. What git ignores, binary files and huge ones are left out. " +
		"The answer is for finding and understanding: before you write a patch, read the whole file with workspace_read_file, for its lines and its sha256.",
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

// search looks into all folders, for as long as it may take.
func (q *query) search(ctx context.Context, folders []Folder) foundChunks {
	ctx, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	cut := false
	for _, folder := range folders {
		for p := range files(ctx, folder) {
			key := docpath.Key(folder.Names[0], p)
			if !q.under.MatchString(key) {
				continue
			}
			if s, ok := (file{key, folder, p}).searchable(); ok {
				q.look(key, s)
			}
			if cut = len(q.candidates) >= maxCandidates || ctx.Err() != nil; cut {
				break
			}
		}
	}
	best, more := q.best()
	return foundChunks{best, cut || more || ctx.Err() != nil}
}

// searchable is the text of a file; false for one that is none, or too large.
func (f file) searchable() (string, bool) {
	source, data, err := f.data()
	if err != nil || len(data) > maxSearched {
		return "", false
	}
	if source == fileset.Active {
		return data, true
	}
	s, _, err := text.Decode(data)
	return s, err == nil
}

// remember keeps the hashes of snippets, so that a patch that is based on one is
// refused by name (rule L20).
func remember(ctx context.Context, store *history.Store, chunks []chunk) []protocol.ToolMessage {
	var snippets []history.Snippet
	for _, c := range chunks {
		if c.IsFullFile {
			continue
		}
		for _, s := range []string{c.Content, strings.TrimRight(c.Content, "\r\n")} {
			sum := sha256.Sum256([]byte(s))
			snippets = append(snippets, history.Snippet{SHA: hex.EncodeToString(sum[:]), DocPath: c.DocPath, Start: c.StartLine, End: c.EndLine})
		}
	}
	if store == nil || snippets == nil {
		return nil
	}
	if err := store.RememberSnippet(ctx, snippets); err != nil {
		return []protocol.ToolMessage{{Code: "not-remembered", Message: fmt.Sprintf("these places are not remembered as such: %v", err)}}
	}
	return nil
}
