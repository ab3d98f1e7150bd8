package convert

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A bundleEntry is an entry of a bundle (rules B2 and B3).
type bundleEntry struct {
	Path      string  `json:"path"`
	Operation string  `json:"operation"`
	Content   *string `json:"content,omitempty"`
}

// bundle writes files with their whole contents. A rename becomes a deletion and a creation.
func bundle(files []plan.File, _ *meter.Meter) (string, error) {
	var entries []bundleEntry
	for _, f := range ordered(plan.Paths(files)) {
		e := bundleEntry{Path: f.Path, Operation: "delete"}
		if why := regular(f); why != "" {
			return "", &CannotError{Bundle, f.Path, why}
		}
		if f.After.Exists {
			content, why := wholeText(f)
			if why != "" {
				return "", &CannotError{Bundle, f.Path, why}
			}
			e.Operation, e.Content = "create", &content
			if f.Before.Exists {
				e.Operation = "replace"
			}
		}
		entries = append(entries, e)
	}
	return pretty(struct {
		Root  string        `json:"root"`
		Files []bundleEntry `json:"files"`
	}{".", entries}), nil
}

// wholeText returns the content of a file in a bundle, or the reason why a bundle cannot have it. An existing file
// keeps its encoding and byte order mark, which the content lacks. A new file gets exactly the content.
func wholeText(f plan.File) (content, why string) {
	if !f.Before.Exists {
		if !utf8.ValidString(f.After.Data) || strings.ContainsRune(f.After.Data, 0) {
			return "", notText
		}
		return f.After.Data, ""
	}
	_, content, why = texts(f)
	return content, why
}

const notText = "it is not text in UTF-8"

// texts returns the decoded texts of an existing file before and after the change, or the reason why an edit of the
// text cannot express the change.
func texts(f plan.File) (before, after, why string) {
	before, was, err := text.Decode(f.Before.Data)
	if err != nil {
		return "", "", "it is " + err.Error()
	}
	after, is, err := text.Decode(f.After.Data)
	if err != nil {
		return "", "", "it becomes " + err.Error()
	}
	if was != is {
		return "", "", "its encoding or its byte order mark changes"
	}
	return before, after, ""
}

// pretty returns v as JSON with one member on each line, indented by two spaces (rule R37). Its strings must be
// valid UTF-8.
func pretty(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		panic("a document of strings and numbers has no JSON: " + err.Error())
	}
	return b.String()
}
