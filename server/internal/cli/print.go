package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/mattn/go-isatty"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/format"
)

// isTerminal reports whether a reader or writer is a terminal.
func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && isatty.IsTerminal(file.Fd())
}

// printContent prints text that another program may read, such as a patch. The text is
// unchanged unless w is a terminal, which gets no control characters.
func printContent(w io.Writer, content string) error {
	if isTerminal(w) {
		w = escape.Writer{W: w}
	}
	_, err := io.WriteString(w, content)
	return err
}

// printJSON prints a value as JSON with an indentation of two spaces.
func printJSON(w io.Writer, v any) error {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(escape.JSON(out.Bytes()))
	return err
}

// printDiagnostics prints `FILE:LINE:COL: severity: message [code]`. Line and column count
// from 1, the column in UTF-16 units as in editors.
func (std IO) printDiagnostics(w io.Writer, all []protocol.Diagnostic) {
	p := std.painter(w)
	var out strings.Builder
	for _, d := range all {
		place := fmt.Sprintf("%s:%d:%d:", escape.Line(d.File), d.Range.Start.Line+1, d.Range.Start.Character+1)
		fmt.Fprintf(&out, "%s %s %s %s\n", p.paint(bold, place), p.paint(severityColor[d.Severity], d.Severity+":"), escape.Text(d.Message), p.paint(dim, "["+d.Code+"]"))
	}
	_, _ = io.WriteString(unescaped(w), out.String())
}

var severityColor = map[string]string{"error": red, "warning": yellow, "info": cyan, "hint": cyan}

// printNoBlock explains for a reply without a block why there is nothing to do.
func printNoBlock(w io.Writer, r *check.Result) {
	if r.Declined {
		fmt.Fprintln(w, "aptix: the model says that it cannot make a safe edit; ask it for a full file bundle")
		return
	}
	fmt.Fprintln(w, "aptix: no Aptix block found: "+escape.Text(r.NoBlock()))
}

// printVerdict summarizes a reply with blocks: `3 blocks, 4 files, nothing wrong`.
func (std IO) printVerdict(r *check.Result) {
	if len(r.Blocks) == 0 {
		return
	}
	paths, found := map[string]bool{}, map[diag.Severity]int{}
	for _, b := range r.Blocks {
		for _, f := range b.Files {
			paths[f.Path] = true
		}
		for _, d := range b.Diagnostics {
			found[d.Severity]++
		}
	}
	for _, u := range r.Unread {
		found[u.Diagnostic.Severity]++
	}
	p := std.painter(std.Out)
	what := p.paint(green, "no problems")
	switch {
	case found[diag.Error] > 0:
		what = p.paint(red, format.Count(found[diag.Error], "error"))
	case !r.Applicable():
		what = p.paint(red, "incomplete")
	case found[diag.Warning] > 0:
		what = p.paint(yellow, format.Count(found[diag.Warning], "warning"))
	case len(r.Unread) > 0:
		what = p.paint(yellow, format.Count(len(r.Unread), "part")+" not read")
	case len(r.Plan.Files) == 0:
		what = "already applied"
	}
	fmt.Fprintf(std.Out, "%s, %s, %s\n", format.Count(len(r.Blocks), "block"), format.Count(len(paths), "file"), what)
}

// printFiles prints one line per file with its operation and the numbers of lines.
func (std IO) printFiles(files []protocol.File) {
	p := std.painter(std.Out)
	var out strings.Builder
	for _, f := range files {
		path := f.Path
		if f.Operation == protocol.OperationRename {
			path += " -> " + f.To
		}
		added, removed := p.paint(green, fmt.Sprintf("+%d", f.Added)), p.paint(red, fmt.Sprintf("−%d", f.Removed))
		fmt.Fprintf(&out, "%s %s %s %s\n", f.Operation, escape.Line(path), added, removed)
	}
	_, _ = io.WriteString(std.Out, out.String())
}
