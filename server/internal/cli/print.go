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
	"github.com/aptix-dev/aptix/server/internal/escape"
)

// isTerminal reports whether a reader or writer is a terminal.
func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && isatty.IsTerminal(file.Fd())
}

// printContent prints what the next program reads, such as a patch: as it is, but a
// terminal is sent no control characters.
func printContent(w io.Writer, content string) error {
	if isTerminal(w) {
		w = escape.Writer{W: w}
	}
	_, err := io.WriteString(w, content)
	return err
}

// printJSON prints a value as two-space indented JSON.
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

// printDiagnostics prints `FILE:LINE:COL: severity: message [code]`, line and
// column counted from 1, the column in UTF-16 units as editors count.
func printDiagnostics(w io.Writer, all []protocol.Diagnostic) {
	var out strings.Builder
	for _, d := range all {
		fmt.Fprintf(&out, "%s:%d:%d: %s: %s [%s]\n", escape.Line(d.File), d.Range.Start.Line+1, d.Range.Start.Character+1, d.Severity, d.Message, d.Code)
	}
	_, _ = io.WriteString(w, out.String())
}

// printNoBlock says why there is nothing to do, where a reply has no block.
func printNoBlock(w io.Writer, r *check.Result) {
	if r.Declined {
		fmt.Fprintln(w, "aptix: the reply declines: it says that no safe edit can be made; ask for a full file bundle instead")
		return
	}
	fmt.Fprintln(w, "aptix: no Aptix block found")
}

// printFiles prints one line a file: what becomes of it and how many lines.
func printFiles(w io.Writer, files []protocol.File) {
	for _, f := range files {
		path := f.Path
		if f.Operation == protocol.OperationRename {
			path += " -> " + f.To
		}
		fmt.Fprintf(w, "%s %s +%d −%d\n", f.Operation, escape.Line(path), f.Added, f.Removed)
	}
}
