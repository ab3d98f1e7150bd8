// Package git reads git patches: docs/formats/git.md.
package git

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/gitdiff"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Format is the format of git patches.
var Format = format.Format{
	Name:  "git",
	Title: "a git patch",
	Noun:  "patch",
	Part:  "hunk",
	Claims: format.Claims{
		Fences:       mdblock.Tags(mdblock.Patch),
		Shaped:       func(r *format.Region) bool { return gitdiff.Shaped(r.Body) },
		Unmistakable: func(r *format.Region) bool { return gitdiff.Begins(r.Body) },
		Find:         find,
	},
	Files: format.Files{
		Names:    []string{".patch", ".diff"},
		Begins:   beginsFile,
		Language: "diff",
	},
	Parse: parse,
	Editor: format.Editor{
		Outline: format.OutlineParts("Aptix patch", "file", nil),
		Mention: func(r *format.Region, set intent.Set, at int) (format.Mention, bool) {
			return format.MentionPart(r.Body, set, at)
		},
		Folds: true,
	},
}

func parse(r *format.Region) format.Parsed {
	if b, ok := r.Shared.(bare); ok {
		return b.parsed(r)
	}
	if plain, is := gitdiff.Uncolored(r.Body); is {
		d := diag.New(diag.GitLineStart, text.Span{End: len(r.Body)}, "the patch has the colors of a terminal, so its lines do not begin with ` `, `+` or `-`; leave out the colors")
		d.Fixes = []diag.Fix{{Title: artifact.Terminal.Fix, Preferred: true, Edits: diff.Edits(r.Body, plain)}}
		return format.Parsed{Entries: 1, Diagnostics: []diag.Diagnostic{d}}
	}
	p := gitdiff.Parse(r.Body, r.Room)
	if !r.Fenced && !p.CutOff.Empty() {
		onlyOffer(p)
		p.Diagnostics = append(p.Diagnostics, cutOff(r.Body, p.CutOff))
	}
	nameFile(r, p)
	if looseEnd(r, &p) {
		p.Set.Changes, p.Readable = nil, 0
	}
	// Sections for the same file apply in order, as in git.
	p.Set.PathsRepeat = true
	return p.Parsed
}

// nameFile adds the fix that writes the missing file header of a hunk, if the text next to the patch names the file
// (rules G69 and G72).
func nameFile(r *format.Region, p gitdiff.Patch) {
	if p.Entries == 0 || p.Readable > 0 {
		return
	}
	d := &p.Diagnostics[0]
	o, _ := r.Shared.(outside)
	path := o.file
	if path == "" || d.Code != diag.GitHeaderMissing || !strings.HasPrefix(d.Span.In(r.Body), "@@") {
		return
	}
	header := text.WithEOL("--- "+diff.NameInLine("a/"+path)+"\n+++ "+diff.NameInLine("b/"+path)+"\n", text.DominantEOL(r.Body))
	d.Fixes = append(d.Fixes, diag.Fix{Title: "Write the header of " + path, Preferred: true,
		Edits: []text.Edit{{Span: text.Span{Start: d.Span.Start, End: d.Span.Start}, New: header}}})
}

// onlyOffer makes all fixes of a patch uncertain. The patch was cut off, so more may be missing.
func onlyOffer(p gitdiff.Patch) {
	for _, d := range p.Diagnostics {
		for i := range d.Fixes {
			d.Fixes[i].Preferred = false
		}
	}
	for _, c := range p.Set.Changes {
		for i, step := range c.Steps {
			if d, ok := step.(gitdiff.Deletion); ok {
				d.CutOff = true
				c.Steps[i] = d
			}
		}
	}
}

// cutOff returns the error for a patch file that was cut off. In a reply, the missing end of the fence shows this.
func cutOff(body string, at text.Span) diag.Diagnostic {
	d := diag.New(diag.GitCutOff, at, "the patch ends in a header: it was cut off here; send the whole patch")
	if !strings.HasSuffix(body, "\n") {
		end := text.Span{Start: len(body), End: len(body)}
		d.Message = "the patch ends in the middle of a line or a hunk: it was cut off here, or lost only its last line ending; send the whole patch, or end the last line"
		d.Fixes = []diag.Fix{{Title: "Add the missing line ending", Edits: []text.Edit{{Span: end, New: "\n"}}}}
	}
	return d
}

// beginsFile reports whether a text begins like a patch file. Sections for `apply_patch` are another format, or a
// part of a reply.
func beginsFile(body string) bool {
	first, below, _ := strings.Cut(strings.TrimLeft(body, "\ufeff \t\r\n"), "\n")
	second, _, _ := strings.Cut(below, "\n")
	return gitdiff.Begins(body) && !(mdblock.BeginsPatch(text.TrimEOL(first)) && strings.HasPrefix(second, "*** "))
}
