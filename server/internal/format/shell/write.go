package shell

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/shellscript"
	"github.com/aptix-dev/aptix/server/internal/text"
)

func openHereDoc(rd shellscript.Redirect) bool {
	return (rd.Op == "<<" || rd.Op == "<<-") && !rd.Body.Closed
}

// hasNoEnd reports a here-document without the line with its delimiter, because the text may be cut off. It returns
// false if there is none.
func (r *reader) hasNoEnd(c shellscript.Command) bool {
	i := slices.IndexFunc(c.Redirects, openHereDoc)
	if i < 0 {
		return false
	}
	rd := c.Redirects[i]
	r.parsed.Entries++
	if rd.Body.Missed != (text.Span{}) {
		return true // [reader.goesOn] reports the line
	}
	r.parsed.Report(diag.ShellNoEnd, rd.Target.At, "there is no line `"+rd.Target.Text+"` to end this here-document, which may have been cut off; write this line at the end of the here-document")
	return true
}

// goesOn reports a here-document that goes on below a line that was meant to end it.
func (r *reader) goesOn(rd shellscript.Redirect) {
	if line := rd.Body.Missed; line != (text.Span{}) {
		r.parsed.Report(diag.ShellNoEnd, line, "a shell does not end the here-document at this line, because there is white space around `"+rd.Target.Text+"`; write this word alone on the line",
			diag.Fix{Title: "Remove the white space", Edits: []text.Edit{{Span: line, New: rd.Target.Text}}})
	}
}

// cat reads `cat > PATH <<'EOF'`. Without a redirect, cat only shows a text.
func (r *reader) cat(c shellscript.Command, args shellscript.Arguments) bool {
	body, ok := c.Input()
	to, appends, writes := c.Output()
	if !ok || !writes || len(args.Files) > 1 || len(args.Files) == 1 && args.Files[0].Text != "-" {
		return false
	}
	r.write(c, to, body, appends)
	return true
}

// tee reads `tee PATH <<'EOF'`. It ignores that tee also prints the text.
func (r *reader) tee(c shellscript.Command, args shellscript.Arguments) bool {
	body, ok := c.Input()
	if !ok || len(args.Files) != 1 || r.writesFile(c) {
		return false
	}
	r.write(c, args.Files[0], body, len(args.Options) > 0)
	return true
}

func (r *reader) write(c shellscript.Command, to shellscript.Word, body shellscript.HereDoc, appends bool) {
	at := intent.Literal{}
	switch written := body.At.In(r.body); {
	case written == body.Text:
		at.Span = body.At
	case body.Escaped && shellscript.Unescape(written) == body.Text:
		at = intent.Literal{Span: body.At, As: unquoted{}}
	}
	if name := r.put(c, to, body.Text, at, appends); !appends {
		r.written[name] = draft{body: body, change: len(r.parsed.Set.Changes) - 1}
	}
}

// An unquoted is the notation of a text in a here-document whose delimiter has no quotes.
type unquoted struct{}

func (unquoted) Write(value string) string { return shellscript.Escape(value) }

// echo reads `echo 'text' > PATH`.
func (r *reader) echo(c shellscript.Command, args shellscript.Arguments) bool {
	to, appends, writes := c.Output()
	if !writes {
		return false
	}
	var words []string
	for _, w := range args.Files {
		if strings.ContainsRune(w.Text, '\\') || w.Braces {
			// The output of such an echo depends on the shell.
			return false
		}
		words = append(words, w.Text)
	}
	r.put(c, to, strings.Join(words, " ")+"\n", intent.Literal{}, appends)
	return true
}

// gitApply reads `git apply` with a patch from a here-document, or from a file that the script wrote.
func (r *reader) gitApply(c shellscript.Command, args shellscript.Arguments) bool {
	if r.dir != "" {
		return false
	}
	if body, ok := c.Input(); ok && !body.Escaped && !r.writesFile(c) {
		r.patch(body)
		return len(args.Files) == 0 || args.Files[0].Text == "-"
	}
	name := ""
	for _, rd := range c.Redirects {
		if rd.Op == "<" {
			name = rd.Target.Text
		}
	}
	if len(args.Files) == 1 {
		name = args.Files[0].Text
	}
	d, ok := r.written[name]
	if !ok || d.body.Escaped || r.writesFile(c) {
		return false
	}
	r.patch(d.body)
	return true
}

// forget drops the change that writes a file, because the script deletes the file later. It returns false if there
// is no such change.
func (r *reader) forget(w shellscript.Word) bool {
	name, _ := r.path(w)
	d, ok := r.written[name]
	if ok {
		r.parsed.Set.Changes[d.change].Path = ""
		delete(r.written, name)
	}
	return ok
}

// dropTemporary removes the changes of files that the script both writes and deletes, and of files in the system's
// folder for temporary files.
func (r *reader) dropTemporary() {
	r.parsed.Set.Changes = slices.DeleteFunc(r.parsed.Set.Changes, func(c intent.Change) bool {
		gone := c.Path == "" || c.Kind == intent.Write && (strings.HasPrefix(c.Path, "/tmp/") || strings.HasPrefix(c.Path, "/var/tmp/"))
		if gone {
			r.parsed.Entries--
			r.parsed.Readable--
		}
		return gone
	})
}
