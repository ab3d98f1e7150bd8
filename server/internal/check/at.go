package check

import (
	"io/fs"
	"path"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/intent"
)

// A Candidate is a region in which a person is writing, and the formats that it may have.
type Candidate struct {
	*format.Region
	Formats []format.Format
	// Claimed is true if the region certainly has the only format in Formats. Otherwise, only a tag, a name or the
	// first words suggest these formats.
	Claimed bool
}

// CandidateAt returns the region around an offset of a document if a format claims the region, or could claim it once
// more text is written. Otherwise it returns false.
func CandidateAt(doc Document, at int) (Candidate, bool) {
	if c, ok := wholeCandidate(doc); ok {
		return c, true
	}
	found, structure := claims(doc, nil, nil)
	for _, c := range found {
		if holds(c.Region, at) {
			return Candidate{c.Region, []format.Format{c.format}, true}, true
		}
	}
	for _, b := range structure.Fences {
		if r := (&format.Region{Block: b}); holds(r, at) {
			tagged := formats(func(f format.Format) bool { return slices.Contains(f.Fences, r.Lang) })
			return Candidate{r, tagged, false}, len(tagged) > 0
		}
	}
	return Candidate{}, false
}

// wholeCandidate returns the whole document as a region. It returns false if no format uses the name of the document or
// the beginning of its text.
func wholeCandidate(doc Document) (Candidate, bool) {
	if whole, ok := wholeClaim(doc); ok {
		return Candidate{whole.Region, []format.Format{whole.format}, true}, true
	}
	if doc.Format != "" {
		return Candidate{}, false
	}
	r := format.Whole(doc.Text)
	if named := formats(func(f format.Format) bool { return endsIn(doc.Name, f.Names) }); len(named) > 0 {
		return Candidate{r, named, true}, true
	}
	begun := formats(func(f format.Format) bool { return f.Begins != nil && f.Begins(doc.Text) })
	return Candidate{r, begun, false}, len(begun) > 0
}

// BlockAt returns the number of blocks in a document, and the number, from 1, of the block whose lines contain the
// offset `at`: 0 if no block does. `tree` must be the tree of the check, because it decides which fences are whole
// files.
func BlockAt(doc Document, tree fs.FS, at int) (index, count int) {
	found, _ := claims(doc, tree, meterOf([]Document{doc}))
	for i, c := range found {
		if c.Span.Start <= at && at <= c.Span.End {
			index = i + 1
		}
	}
	return index, len(found)
}

func holds(r *format.Region, at int) bool {
	_, inside := r.BodyOffset(at)
	return inside && !(r.Fenced && at <= r.Open.End)
}

func formats(are func(format.Format) bool) []format.Format {
	return slices.DeleteFunc(slices.Clone(Formats), func(f format.Format) bool { return !are(f) })
}

// Meets counts the files that the blocks of a document name, and those of them that exist in the tree. The counts show
// for which of several folders a reply was written.
func Meets(doc Document, where Where) (named, there int, err error) {
	r := &Result{Documents: []Document{doc}}
	if err := r.find(where); err != nil {
		return 0, 0, err
	}
	seen := map[string]bool{}
	for _, set := range r.parse(false) {
		for _, c := range set.Changes {
			name := path.Join(set.Root, c.Path)
			if seen[name] {
				continue
			}
			seen[name] = true
			named++
			is, err := where.has(c, name)
			if err != nil {
				return 0, 0, err
			}
			if is {
				there++
			}
		}
	}
	return named, there, nil
}

func (w Where) has(c intent.Change, name string) (bool, error) {
	if c.DocPath {
		files, err := w.DocPath(w.Meter, c.Path)
		return len(files) > 0, err
	}
	_, err := fs.Stat(w.Tree, name)
	return err == nil, nil
}
