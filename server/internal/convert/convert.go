// Package convert writes a planned change in any format. The document expresses the effect on the tree, not the
// wording of the reply.
//
// Planning the document must give exactly the same tree, which the package checks. If a format cannot express a
// change exactly, the error is a [CannotError].
package convert

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format/ap"
	"github.com/aptix-dev/aptix/server/internal/format/applypatch"
	bundlefmt "github.com/aptix-dev/aptix/server/internal/format/bundle"
	"github.com/aptix-dev/aptix/server/internal/format/git"
	"github.com/aptix-dev/aptix/server/internal/format/lines"
	"github.com/aptix-dev/aptix/server/internal/format/searchreplace"
	structuredfmt "github.com/aptix-dev/aptix/server/internal/format/structured"
	"github.com/aptix-dev/aptix/server/internal/format/wholefile"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Format is the name of a format in which changes can be written.
type Format string

var (
	AP         = Format(ap.Format.Name)
	Git        = Format(git.Format.Name)
	Bundle     = Format(bundlefmt.Format.Name)
	Structured = Format(structuredfmt.Format.Name)
	Lines      = Format(lines.Format.Name)

	SearchReplace = Format(searchreplace.Format.Name)
	ApplyPatch    = Format(applypatch.Format.Name)
	WholeFile     = Format(wholefile.Format.Name)
)

// Formats lists the formats that this package can write.
var Formats = []Format{AP, Git, Bundle, Structured, Lines, SearchReplace, ApplyPatch, WholeFile}

// tooMuch is the reason if the meter ends a conversion.
const tooMuch = "writing all changes takes more work than Aptix allows for one reply; convert fewer of them at a time"

// A CannotError means that a format cannot express a change.
type CannotError struct {
	Format Format
	Path   string
	Reason string // a part of a sentence
}

func (e *CannotError) Error() string {
	f, _ := check.FormatOf(string(e.Format))
	return fmt.Sprintf("%s cannot be written as %s: %s", e.Path, f.Title, e.Reason)
}

// Document returns the changes of a plan as one document of a format, without a fence, or "" for a plan without
// files. `where` is the workspace for which the files were planned, and `folder` is the name of its root in
// docPaths.
//
// The error is a [CannotError], or comes from reading the tree or from ctx.
func Document(ctx context.Context, to Format, files []plan.File, where check.Where, folder string) (string, error) {
	if len(files) == 0 {
		return "", nil
	}
	if !slices.Contains(Formats, to) {
		return "", fmt.Errorf("there is no format %q; the known formats are %v", to, Formats)
	}
	m := meterOf(files)
	defer m.EndWith(ctx)()
	return metered(ctx, to, files, check.Where{Tree: where.Tree, Base: where.Base, DocPath: where.DocPath, Meter: m}, folder)
}

// metered is [Document] with a meter in `where`.
func metered(ctx context.Context, to Format, files []plan.File, where check.Where, folder string) (string, error) {
	m, exact, last := where.Meter, "", ""
	var first error
	for _, write := range writers(to, folder) {
		doc, err := write(files, m)
		if doc == last && err == nil && !m.Spent() {
			continue // this document was planned before
		}
		last = doc
		settled := false
		if err == nil && m.Pay(eachRead*len(doc)) {
			settled, err = verify(ctx, to, doc, files, where)
		}
		var cannot *CannotError
		if m.Spent() {
			first = &CannotError{to, files[0].Path, tooMuch}
			break
		}
		switch {
		case err != nil && !errors.As(err, &cannot):
			return "", err
		case settled:
			return doc, nil
		case err == nil && exact == "":
			exact = doc
		case first == nil:
			first = err
		}
	}
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case exact == "":
		return "", first
	}
	return exact, nil
}

// eachRead is the cost of each byte of a document that is planned again, in units of the meter.
const eachRead = 64

func meterOf(files []plan.File) *meter.Meter {
	size := 0
	for _, f := range files {
		size += len(f.Before.Data) + len(f.After.Data)
	}
	return meter.New(size)
}

// A writer writes files in a format. After the meter is spent, the result means nothing.
type writer func([]plan.File, *meter.Meter) (string, error)

// writers returns the writers of a format, beginning with the one for the shortest document. The next writer is
// used if a document does not express the change, or if applying it twice would change something.
func writers(to Format, folder string) []writer {
	switch to {
	case AP:
		return append(growing(apPatch), apPatch(-1))
	case Git:
		return []writer{gitPatch}
	case Bundle:
		return []writer{bundle}
	case Structured:
		return growing(structured)
	case SearchReplace:
		return growing(searchReplace)
	case ApplyPatch:
		return growing(applyPatch)
	case WholeFile:
		return []writer{wholeFiles}
	case Lines:
		return []writer{linePatch(folder)}
	}
	return nil
}

// mostAround is the largest number of lines above or below a change that show its place. A document with more lines
// would be hard to read, and slow to apply.
const mostAround = 200

// growing returns writers with more and more lines around each change.
func growing(of func(around int) writer) []writer {
	return text.Each([]int{0, 1, 2, 4, 8, 32, mostAround}, of)
}

// largest is the largest size in bytes of a document for which verify tests that a second apply changes nothing. For
// larger documents, this would take too long.
const largest = 16 << 10

// verify returns an error if `doc` does not have the intended effect. `settled` is true if a second apply of `doc`
// changes nothing, or if `doc` is too large to test this. If Aptix cannot read the format, nothing is verified.
func verify(ctx context.Context, to Format, doc string, files []plan.File, where check.Where) (settled bool, err error) {
	if !slices.Contains(check.FormatNames(), string(to)) {
		return true, nil
	}
	d := check.Document{Name: "-", Text: doc, Format: string(to)}
	docs := []check.Document{d, d}
	if len(doc) > largest {
		docs = docs[:1]
	}
	r, err := check.Check(ctx, docs, where)
	if err != nil {
		return false, err
	}
	if len(r.Blocks) != len(docs) {
		return false, fmt.Errorf("the converted %s has %d blocks when it is read again, but should have %d", to, len(r.Blocks), len(docs))
	}
	once := r.Blocks[0]
	does := plan.Files(once.Files)
	want, got := byPath(files), byPath(does)
	for _, f := range plan.Paths(files) {
		if w, g := want[f.Path], got[f.Path]; w.After != g.After || w.Before != g.Before {
			return false, &CannotError{to, f.Path, refusal(once, difference(w, g))}
		}
	}
	for _, f := range plan.Paths(does) {
		if _, meant := want[f.Path]; !meant && f.Before != f.After {
			return false, &CannotError{to, f.Path, "it would be changed too"}
		}
	}
	if once.State == check.Failed {
		return false, &CannotError{to, files[0].Path, refusal(once, "it would be refused")}
	}
	for _, d := range once.Diagnostics {
		if d.Code == diag.FindAmbiguous {
			return false, &CannotError{to, d.Path, d.Message}
		}
	}
	return len(docs) == 1 || r.Blocks[1].State != check.Ready, nil
}

// byPath indexes files by path. A renamed file has both of its paths.
func byPath(files []plan.File) map[string]plan.File {
	m := make(map[string]plan.File, len(files))
	for _, f := range plan.Paths(files) {
		m[f.Path] = f
	}
	return m
}

func refusal(b check.Block, otherwise string) string {
	for _, d := range b.Diagnostics {
		if d.Severity == diag.Error {
			return d.Message
		}
	}
	return otherwise
}

func gitPatch(files []plan.File, m *meter.Meter) (string, error) {
	var doc strings.Builder
	for _, f := range files {
		if !m.Pay(eachChanged * (len(f.Before.Data) + len(f.After.Data))) {
			break
		}
		part := f.Unified()
		if part == "" {
			return "", &CannotError{Git, f.Path, "git records neither folders nor permissions other than the right to execute"}
		}
		doc.WriteString(part)
	}
	return doc.String(), nil
}

// ordered sorts files for formats whose entries are applied one after the other. Deletions come first, the deepest
// folder first. Then come renames, edits and creations, the outermost folder first. No rename must wait for another
// one, because a plan renames only to names that were free.
func ordered(files []plan.File) []plan.File {
	rank := map[plan.Operation]int{plan.Remove: 0, plan.Rename: 1, plan.Modify: 2, plan.Create: 3}
	return slices.SortedStableFunc(slices.Values(files), func(a, b plan.File) int {
		deeper := strings.Count(a.Path, "/") - strings.Count(b.Path, "/")
		if a.Operation == plan.Remove {
			deeper = -deeper
		}
		return cmp.Or(rank[a.Operation]-rank[b.Operation], deeper)
	})
}

// regular returns the reason why text formats cannot represent a file, or "".
func regular(f plan.File) string {
	for _, c := range []text.Content{f.Before, f.After} {
		switch {
		case c.Mode.IsDir():
			return "it is a folder"
		case c.Mode.Type() == fs.ModeSymlink:
			return "it is a symbolic link"
		}
	}
	if f.Before.Exists && f.After.Exists && f.Before.Mode != f.After.Mode {
		return fmt.Sprintf("its permissions change from %v to %v", f.Before.Mode.Perm(), f.After.Mode.Perm())
	}
	return ""
}

func difference(want, got plan.File) string {
	w, g := want.After, got.After
	switch {
	case got.Path == "":
		return "it would stay unchanged"
	case w.Exists != g.Exists:
		return "the format cannot express whether the file exists after the change"
	case w.Data == g.Data:
		return fmt.Sprintf("it would have the permissions %v, not %v", g.Mode, w.Mode)
	}
	return lineDifference(text.SplitLines(w.Data), text.SplitLines(g.Data))
}

func lineDifference(want, got []string) string {
	n, _ := text.CommonEnds(want, got)
	w, g := lineAt(want, n), lineAt(got, n)
	if bw, bg := text.TrimEOL(w), text.TrimEOL(g); bw == bg && w != g {
		return fmt.Sprintf("line %d would end in %q, not in %q", n+1, g[len(bg):], w[len(bw):])
	}
	return fmt.Sprintf("line %d would be %s, not %s", n+1, strconv.Quote(text.Cut(g, 60)), strconv.Quote(text.Cut(w, 60)))
}

func lineAt(lines []string, n int) string {
	if n < len(lines) {
		return lines[n]
	}
	return ""
}

// Fenced returns a document in a Markdown fence that no line of it can close. A document with whole files already
// has fences.
func Fenced(to Format, doc string) string {
	if to == WholeFile {
		return doc
	}
	fence := mdblock.FenceFor(doc)
	f, _ := check.FormatOf(string(to))
	tag := ""
	if len(f.Fences) > 0 {
		tag = f.Fences[0]
	}
	return fence + tag + "\n" + text.Ended(doc) + fence + "\n"
}
