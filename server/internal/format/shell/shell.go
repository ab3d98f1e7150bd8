// Package shell reads commands in shell scripts, without running them. It reads only commands whose text shows their
// effect on files. The rules are in docs/formats/shell.md.
package shell

import (
	"path"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/gitdiff"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/shellscript"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Format is the format of shell scripts.
var Format = format.Format{
	Name:   "shell",
	Title:  "a shell script that edits files",
	Noun:   "patch",
	Guest:  true,
	Claims: format.Claims{Find: find},
	Parse:  parse,
	Editor: format.Editor{Outline: format.OutlineParts("Shell script", "file", nil), Mention: format.MentionPathOrPart, Folds: true},
}

type reader struct {
	body  string
	room  *int
	depth int // the number of scripts around this script
	state
	outer []state // the states of the shells outside the open groups
	// an earlier command may keep the next command after `&&` from running
	conditional bool
	ends        map[string]bool // the delimiters of the here-documents so far

	groups int // the number of groups in the patches so far (see [intent.Change.Group])
	parsed format.Parsed
	// the here-documents that the script wrote to files, by path; a later command may apply one as a patch
	written map[string]draft
}

// A state is the effect of a shell's commands on the shell itself.
type state struct {
	dir       string   // the current folder, relative to the root; "" for the root
	pushed    []string // the folders to which `popd` returns, the next one last
	exited    bool     // a command ended the script
	uncertain bool     // the shell might not be run
}

// A draft is a here-document that the script wrote to a file.
type draft struct {
	body   shellscript.HereDoc
	change int // the index of the change that writes it
}

func parse(r *format.Region) format.Parsed {
	p := read(r)
	if with, edits := plain(r, p); with != nil {
		at := edits[0].Span
		fix := diag.Fix{Title: "Write plain quotes", Edits: edits, Preferred: true}
		return format.Parsed{Entries: 1, Summary: format.Count(1, "command"), Diagnostics: []diag.Diagnostic{diag.New(diag.ShellLine, at,
			"a shell reads typographic quotes and dashes as ordinary letters, so this command would not do what it seems to do; write plain quotes and dashes", fix)}}
	}
	return p
}

func read(r *format.Region) format.Parsed { return (&reader{body: r.Body, room: r.Room}).all() }

func (r *reader) all() format.Parsed {
	r.written, r.ends = map[string]draft{}, map[string]bool{}
	r.parsed.Set.PathsRepeat = true
	for _, c := range shellscript.Read(r.body) {
		r.command(c)
	}
	r.dropTemporary()
	if r.parsed.Entries == 0 && !diag.HasErrors(r.parsed.Diagnostics) {
		r.parsed.Report(diag.ShellLine, text.Span{End: len(r.body)}, "this script has no command whose effect on a file is known without running it")
	}
	r.parsed.Summary = format.Count(r.parsed.Entries, "command")
	return r.parsed
}

func (r *reader) unreadable(c shellscript.Command, why string, fixes ...diag.Fix) {
	r.parsed.Entries++
	r.parsed.Report(diag.ShellLine, r.firstLine(c.At), "`"+r.name(c)+"` "+why+", and Aptix runs no commands; write this change as a block of its own, or run the command yourself and delete it from the reply", fixes...)
}

func (r *reader) left(c shellscript.Command) {
	r.parsed.Report(diag.ShellCommand, r.firstLine(c.At), "Aptix does not run this command; run the command yourself if you need it")
}

func (r *reader) name(c shellscript.Command) string {
	names := []string{}
	if c.Group != "" {
		names = append(names, c.Group)
	}
	for _, w := range c.Words[:min(len(c.Words), 2)] {
		names = append(names, w.Text)
	}
	if len(names) == 2 && strings.HasPrefix(names[1], "-") {
		names = names[:1]
	}
	return strings.Join(names, " ")
}

func (r *reader) firstLine(at text.Span) text.Span {
	end, _ := text.LineEnd(r.body, at.Start)
	return text.Span{Start: at.Start, End: max(at.Start, min(at.End, end))}
}

func (r *reader) add(c shellscript.Command, change intent.Change) {
	change.At = r.extent(c)
	r.parsed.Entries++
	r.parsed.Readable++
	r.parsed.Set.Changes = append(r.parsed.Set.Changes, change)
}

func (r *reader) extent(c shellscript.Command) text.Span {
	at := c.At
	for _, rd := range c.Redirects {
		if rd.Body.At.End > at.End {
			_, at.End = text.LineEnd(r.body, rd.Body.At.End)
		}
	}
	return at
}

// path returns the path in a word, relative to the root, and its place for fixes.
func (r *reader) path(w shellscript.Word) (string, intent.Literal) {
	if r.dir == "" || path.IsAbs(w.Text) {
		return w.Text, intent.Literal{Span: w.At, As: quoted{}}
	}
	return r.dir + "/" + w.Text, intent.Literal{Span: w.At, As: below{r.dir}}
}

// A quoted is the notation of a path as a word of the shell.
type quoted struct{}

func (quoted) Write(value string) string {
	if value != "" && strings.Trim(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789./_-+@%,:=") == "" {
		return value
	}
	return "'" + strings.ReplaceAll(value, "'", `'\''`) + "'"
}

// A below is the notation of a path as a word of the shell, relative to a folder.
type below struct{ dir string }

func (b below) Write(value string) string {
	if rest, ok := strings.CutPrefix(value, b.dir+"/"); ok {
		return quoted{}.Write(rest)
	}
	return quoted{}.Write(strings.Repeat("../", 1+strings.Count(b.dir, "/")) + value)
}

func (r *reader) patch(body shellscript.HereDoc) {
	p := gitdiff.ParseIn(r.body, body.At, r.room)
	for i := range p.Set.Changes {
		p.Set.Changes[i].Group += r.groups
	}
	for _, c := range p.Set.Changes {
		r.groups = max(r.groups, c.Group)
	}
	r.parsed.Diagnostics = append(r.parsed.Diagnostics, p.Diagnostics...)
	r.parsed.Entries += p.Entries
	r.parsed.Readable += p.Readable
	r.parsed.Set.Changes = append(r.parsed.Set.Changes, p.Set.Changes...)
}
