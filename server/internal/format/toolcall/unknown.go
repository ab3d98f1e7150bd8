package toolcall

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/reply"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// An unknown is the tag of an edit in an unsupported notation (rule C17), which is reported instead of being ignored.
type unknown string

var (
	// unknownTag matches the tags around calls, and tags that are named after a tool that edits.
	unknownTag = lazyregexp.New(`^ {0,3}<((?:tool_use|tool_calls?|function_calls?|tool_code|function|invoke|str_replace\w*|text_editor|create_file|write_file|write|edit|edit_file|multi_edit|search_replace|insert|delete_file)\b)[^<>\n]*>`)
	// editWord matches the name of a tool or command that edits, as a whole word.
	editWord = lazyregexp.New(`\b(?:str_replace\w*|text_editor\w*|create|create_file|insert|write|write_file|write_to_file|edit|edit_file|multi_edit|search_replace|replace_in_file|apply_diff|insert_content|search_and_replace|delete_file)\b`)
	// pathValue matches the path of a file, and newText a word that names a text for the file.
	pathValue = lazyregexp.New(`(?:\b(?:path|file_path|target_file|filename|file)\\?"?\s*[:=]\s*\\?["']|<(?:path|file_path|target_file|filename|file)>\s*|\b(?:path|file_path|target_file|filename)"?>\s*)([^\s"'<>\\]+)`)
	newText   = lazyregexp.New(`\b(?:old_str|new_str|old_string|new_string|file_text|insert_text|content|contents|code_edit|diff|search|replace|text)\b|<(?:old|new|find|before|after|original|updated)>`)
)

// unknownEnd returns the end of an unsupported edit in tags that begins on the line at an offset, and its tag. If there
// is none, tag is "".
func unknownEnd(s string, at int, m *meter.Meter) (end int, closed bool, tag unknown) {
	lineEnd, _ := text.LineEnd(s, at)
	if s[at] != '<' && s[at] != ' ' || mdblock.OpensCall(s[at:lineEnd]) {
		return 0, false, ""
	}
	tagged := unknownTag.FindStringSubmatch(s[at:lineEnd])
	if tagged == nil {
		return 0, false, ""
	}
	end = len(s)
	if !m.Pay((len(s) - at) / 8) {
		return 0, false, ""
	}
	if i := strings.Index(s[at:], "</"+tagged[1]+">"); i >= 0 {
		_, end = text.LineEnd(s, at+i)
		closed = true
	}
	if s = s[at:min(end, at+enough)]; !m.Pay(eachMatched*len(s)) || !mayEdit(s) {
		return 0, false, ""
	}
	return end, closed, unknown(tagged[1])
}

// holdsUnknown reports whether a fence begins with an unsupported edit in tags. Under the tag of a programming
// language, the text may be code.
func holdsUnknown(r *format.Region) (tag unknown, ok bool) {
	switch r.Lang {
	case "", "xml", "text", "txt", "tool_call", "tool_calls", "tool_use", "tool_code":
		body := strings.TrimLeft(r.Body, " \t\r\n")
		if body != "" {
			_, _, tag = unknownEnd(body, 0, nil)
		}
	}
	return tag, tag != ""
}

const (
	enough      = 64 << 10 // how many bytes of an edit are read to recognize it
	eachMatched = 64       // the cost of matching a byte, in units
)

// mayEdit reports whether a text has the name of a tool that edits, a file, and a text for the file, and no supported
// call.
func mayEdit(s string) bool {
	m := pathValue.FindStringSubmatch(s)
	if m == nil || !reply.IsPath(m[1]) || !editWord.MatchString(s) || !newText.MatchString(s) {
		return false
	}
	for at := 0; at < len(s); {
		end, next := text.LineEnd(s, at)
		if mdblock.OpensCall(s[at:end]) || beginsCall(s, at) {
			return false
		}
		at = next
	}
	return true
}

// parsed reports an unsupported edit.
func (u unknown) parsed(body string) format.Parsed {
	end, _ := text.LineEnd(body, 0)
	return format.Parsed{Entries: 1, Diagnostics: []diag.Diagnostic{diag.New(diag.CallUnknown, text.Span{End: end},
		fmt.Sprintf("`<%s>` seems to begin an edit, but this notation is not supported; Aptix knows %s", string(u), known()))}}
}
