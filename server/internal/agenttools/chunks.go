package agenttools

import (
	"context"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

const (
	contextLines   = 3 // the number of lines that are shown before and after a matching line
	maxChunkLines  = 60
	maxLine        = 1 << 10 // the length in bytes of the longest line that is shown; minified code has longer ones
	smallFileLines = 40      // a file with at most this many lines is shown whole,
	smallFileBytes = 8 << 10 // if it has at most this many bytes
)

// foundChunks is the result of a search (rule R31).
type foundChunks struct {
	Chunks    []chunk `json:"chunks" jsonschema:"By file, those in outer folders first, and by line."`
	Truncated bool    `json:"truncated" jsonschema:"Whether there may be more, as a limit was reached."`
}

type chunk struct {
	DocPath    string `json:"docPath" jsonschema:"The key of the file."`
	Source     string `json:"source" jsonschema:"rag-snippet (some lines of the file) or rag-full (all of it). Neither is a base for a patch: read the file first."`
	IsFullFile bool   `json:"isFullFile" jsonschema:"Whether this is the whole file."`
	StartLine  int    `json:"startLine" jsonschema:"The first line, counted from 1."`
	EndLine    int    `json:"endLine" jsonschema:"The last line."`
	Content    string `json:"content" jsonschema:"The lines."`
}

// chunks returns the lines of a file that match, with the lines around them. If the file is
// small, it returns the whole file.
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

// withContext reports for each line whether it is shown, because it matches or is near a line that
// does.
func withContext(lines []string, matches []bool) []bool {
	shown := make([]bool, len(lines))
	for i := range lines {
		around := matches[max(0, i-contextLines):min(len(lines), i+contextLines+1)]
		shown[i] = len(lines[i]) <= maxLine && slices.Contains(around, true)
	}
	return shown
}
