package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
)

// printJSON prints a report as two-space indented JSON.
func printJSON(w io.Writer, report protocol.Report) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(report)
}

// printDiagnostics prints `FILE:LINE:COL: severity: message [code]`, line and
// column counted from 1, the column in UTF-16 units as editors count.
func printDiagnostics(w io.Writer, all []protocol.Diagnostic) {
	out := bufio.NewWriter(w)
	defer out.Flush()
	for _, d := range all {
		fmt.Fprintf(out, "%s:%d:%d: %s: %s [%s]\n", d.File, d.Range.Start.Line+1, d.Range.Start.Character+1, d.Severity, d.Message, d.Code)
	}
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
		fmt.Fprintf(w, "%s %s +%d −%d\n", f.Operation, path, f.Added, f.Removed)
	}
}
