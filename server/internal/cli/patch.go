package cli

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/plan"
)

// printPatch prints changes as a patch. A file or a pipe gets it unchanged. A terminal shows
// it with colors, without control characters, and in a pager.
func (std IO) printPatch(files []plan.File) error {
	p := std.painter(std.Out)
	var out strings.Builder
	for _, f := range files {
		patch := f.Unified()
		if bool(p) || isTerminal(std.Out) {
			patch = escape.Text(patch)
		}
		p.paintPatch(&out, patch)
	}
	return std.page(out.String())
}

// paintPatch writes the patch of one file. The lines before its first hunk are its header.
func (p painter) paintPatch(out *strings.Builder, patch string) {
	inHeader := true
	for line := range strings.Lines(patch) {
		text, ended := strings.CutSuffix(line, "\n")
		inHeader = inHeader && !strings.HasPrefix(text, "@@") && text != "GIT binary patch"
		out.WriteString(p.paint(patchColor(text, inHeader), text))
		if ended {
			out.WriteByte('\n')
		}
	}
}

// patchColor returns the color that git gives a line of a patch.
func patchColor(line string, inHeader bool) string {
	switch {
	case inHeader:
		return bold
	case strings.HasPrefix(line, "@@"):
		return cyan
	case strings.HasPrefix(line, "+"):
		return green
	case strings.HasPrefix(line, "-"):
		return red
	}
	return ""
}
