package check

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/format/ap"
	"github.com/aptix-dev/aptix/server/internal/format/applypatch"
	"github.com/aptix-dev/aptix/server/internal/format/bundle"
	"github.com/aptix-dev/aptix/server/internal/format/filetags"
	"github.com/aptix-dev/aptix/server/internal/format/git"
	"github.com/aptix-dev/aptix/server/internal/format/lines"
	"github.com/aptix-dev/aptix/server/internal/format/searchreplace"
	"github.com/aptix-dev/aptix/server/internal/format/shell"
	"github.com/aptix-dev/aptix/server/internal/format/structured"
	"github.com/aptix-dev/aptix/server/internal/format/toolcall"
	"github.com/aptix-dev/aptix/server/internal/format/wholefile"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Formats lists all formats. If two formats could claim a text, the first in this list gets it. Files between tags come
// first, because they can contain any other format. Tool calls come before SEARCH/REPLACE blocks, because a tool call
// can contain these blocks. Whole files come last, because they claim only the remaining fences.
var Formats = []format.Format{filetags.Format, toolcall.Format, searchreplace.Format, applypatch.Format, bundle.Format, structured.Format, lines.Format, git.Format, ap.Format, shell.Format, wholefile.Format}

// FormatNames returns the possible values of [Document.Format], except "".
func FormatNames() []string {
	return append([]string{Markdown}, text.Each(Formats, func(f format.Format) string { return f.Name })...)
}

// FormatOf returns the format with the given name, or false if no format has it.
func FormatOf(name string) (format.Format, bool) {
	return first(func(f format.Format) bool { return f.Name == name })
}

// OfLanguage returns the format with the given language ID of an editor, or false if no format has it.
func OfLanguage(language string) (format.Format, bool) {
	return first(func(f format.Format) bool { return f.Language != "" && f.Language == language })
}

// OfFile returns the only format that uses a file name, or false if no format or several use it.
func OfFile(name string) (format.Format, bool) {
	return first(func(f format.Format) bool { return endsIn(name, f.Names) })
}

func first(is func(format.Format) bool) (format.Format, bool) {
	if i := slices.IndexFunc(Formats, is); i >= 0 {
		return Formats[i], true
	}
	return format.Format{}, false
}

func endsIn(name string, ends []string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(name, end) })
}
