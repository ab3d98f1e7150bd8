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
)

// Formats are all formats, in the order in which they are asked what is theirs. No other
// list of them exists: names, fences and file names come from here. A tool call can hold
// SEARCH/REPLACE blocks, and so comes before them. A file between
// tags can hold anything, and a whole file is what no other format claims.
var Formats = []format.Format{filetags.Format, toolcall.Format, searchreplace.Format, applypatch.Format, shell.Format, bundle.Format, structured.Format, lines.Format, git.Format, ap.Format, wholefile.Format}

// FormatNames are the values that [Document.Format] can have, besides "".
func FormatNames() []string {
	names := []string{Markdown}
	for _, f := range Formats {
		names = append(names, f.Name)
	}
	return names
}

// FormatOf is the format of a name; false for a name of none.
func FormatOf(name string) (format.Format, bool) {
	return first(func(f format.Format) bool { return f.Name == name })
}

// OfLanguage is the format whose files have a language in an editor; false for none.
func OfLanguage(language string) (format.Format, bool) {
	return first(func(f format.Format) bool { return f.Language != "" && f.Language == language })
}

// OfFile is the first format that a file of this name is for, and for nothing else; false
// for none.
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
