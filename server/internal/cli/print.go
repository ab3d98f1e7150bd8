package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/mattn/go-isatty"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/plan"
)

func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && isatty.IsTerminal(file.Fd())
}

// printContent prints text that another program may read, such as a patch. It leaves out control characters only if `w`
// is a terminal.
func printContent(w io.Writer, content string) error {
	if isTerminal(w) {
		w = escape.Writer{W: w}
	}
	_, err := io.WriteString(w, content)
	return err
}

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

// printDiagnostics prints each diagnostic as `FILE:LINE:COL: severity: message [code]`. Line and column count from 1.
// The column is in UTF-16 units, as in editors.
func (std IO) printDiagnostics(w io.Writer, all []protocol.Diagnostic) {
	p := std.painter(w)
	var out strings.Builder
	for _, d := range all {
		place := fmt.Sprintf("%s:%d:%d:", escape.Report(escape.Line(d.File)), d.Range.Start.Line+1, d.Range.Start.Character+1)
		fmt.Fprintf(&out, "%s %s %s %s\n", p.paint(bold, place), p.paint(severityColor[d.Severity], d.Severity+":"), escape.Report(d.Message), p.paint(dim, "["+d.Code+"]"))
	}
	_, _ = io.WriteString(unescaped(w), out.String())
}

var severityColor = map[string]string{"error": red, "warning": yellow, "info": cyan, "hint": cyan}

func printNoBlock(w io.Writer, r *check.Result) {
	if r.Declined {
		fmt.Fprintln(w, "aptix: the model says that it cannot make a safe edit; ask it for a full file bundle")
		return
	}
	if r.Known {
		fmt.Fprintln(w, "aptix: "+r.NoBlock())
		return
	}
	fmt.Fprintln(w, "aptix: no Aptix block found: "+escape.Report(r.NoBlock()))
}

// printVerdict prints a summary of a reply with blocks: `3 blocks, 4 files, no problems`.
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

func (std IO) printFiles(files []protocol.File) {
	p := std.painter(std.Out)
	var out strings.Builder
	for _, f := range files {
		path := f.Path
		if f.Operation == protocol.OperationRename {
			path += " -> " + f.To
		}
		added, removed := p.paint(green, fmt.Sprintf("+%d", f.Added)), p.paint(red, fmt.Sprintf("−%d", f.Removed))
		fmt.Fprintf(&out, "%s %s %s %s\n", f.Operation, escape.Report(escape.Line(path)), added, removed)
	}
	_, _ = io.WriteString(std.Out, out.String())
}

// printBatches prints line patches with their ids, keys and labels. These lines may be above a patch, because a program
// that applies the patch skips them.
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
	fmt.Fprintln(w, strings.TrimRight(escape.Report(escape.Line(what)), " "))
}

// operation returns the operation of a change and its lines, such as "replace 4-6".
func operation(c protocol.PatchChange) string {
	switch {
	case c.AfterLine != nil:
		return fmt.Sprintf("%s after %d", c.Operation, *c.AfterLine)
	case c.StartLine == c.EndLine:
		return fmt.Sprintf("%s %d", c.Operation, c.StartLine)
	}
	return fmt.Sprintf("%s %d-%d", c.Operation, c.StartLine, c.EndLine)
}

// showProgress prints a line on a terminal if the work takes longer than a second. `stop` removes the line.
func showProgress(w io.Writer, what string) (stop func()) {
	w = unescaped(w) // control characters are needed to rewrite a line on the terminal
	if !isTerminal(w) {
		return func() {}
	}
	done, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		begin := time.Now()
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				fmt.Fprintf(w, "\raptix: %s, %d s (Ctrl-C stops it, nothing is half-written)", what, int(time.Since(begin).Seconds()))
			case <-done:
				if time.Since(begin) >= time.Second {
					fmt.Fprint(w, "\r\x1b[K")
				}
				return
			}
		}
	}()
	return func() { close(done); <-gone }
}

// printPatch prints changes as a patch. A file or a pipe gets the patch unchanged. A terminal shows it with colors,
// without control characters, and in a pager.
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

// paintPatch colors the patch of one file. The lines before the first hunk are the header.
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

// patchColor returns the color in which git shows a line of a patch.
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
