package cli

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/escape"
)

// printBatches prints line patches with their ids, keys and labels. No patch can begin with a
// line like these, so a patch printed after them can still be applied.
func printBatches(w io.Writer, batches []protocol.Batch) error {
	out := bufio.NewWriter(w)
	for _, b := range batches {
		printNamed(out, "batch "+b.BatchID, b.BatchKey, b.BatchLabel)
		for _, f := range b.Files {
			printNamed(out, "  file "+f.FilePatchID+" "+f.DocPath, f.FileKey, f.FileLabel)
			for _, c := range f.Changes {
				printNamed(out, "    change "+c.ChangeID+" "+operation(c), c.ChangeKey, c.Description)
			}
		}
	}
	return out.Flush()
}

func printNamed(w io.Writer, what, key, label string) {
	if key != "" {
		what += " (" + key + ")"
	}
	if label != "" {
		what += ": " + label
	}
	fmt.Fprintln(w, strings.TrimRight(escape.Line(what), " "))
}

// operation returns the operation and its lines, such as "replace 4-6".
func operation(c protocol.PatchChange) string {
	switch {
	case c.AfterLine != nil:
		return fmt.Sprintf("%s after %d", c.Operation, *c.AfterLine)
	case c.StartLine == c.EndLine:
		return fmt.Sprintf("%s %d", c.Operation, c.StartLine)
	}
	return fmt.Sprintf("%s %d-%d", c.Operation, c.StartLine, c.EndLine)
}
