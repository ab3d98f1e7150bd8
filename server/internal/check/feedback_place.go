package check

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

const (
	shownLines = 10      // the number of lines of a file that are shown around a place
	wantedMost = 5       // the largest number of lines of a passage that are shown
	widest     = 120     // the largest number of bytes of a line that are shown
	comparable = 300     // the largest number of lines of a passage that is compared with the file
	searched   = 4 << 20 // the largest size of a file that is searched, in bytes
	eachShown  = 4       // the cost of splitting a file into lines, in steps of the meter for each byte
)

func (f *feedback) missing(s *strings.Builder, b *Block, d diag.Diagnostic, detailed bool) {
	file, known := f.r.presentText(d.Path)
	want := text.WithEOL(d.Passage, text.LF)
	if !known || len(file) > searched || !f.r.meter.Pay(eachShown*len(file)) {
		s.WriteString("the text that the block looks for is not in the file:\n")
		f.wanted(s, strings.Split(strings.TrimSuffix(want, "\n"), "\n"))
		return
	}
	if d.Base != "" {
		defer fmt.Fprintf(s, "  An earlier text of the file, %s, has this text, but the file has been changed since. Write the block for the current text.\n", d.Base)
	}
	place, found := closestTo(f.ctx, f.r.meter, file, want)
	if !found {
		f.noSimilarText(s, b, d, want)
		return
	}
	f.differing(s, want, place.In(file))
	lines := strings.Split(file, "\n")
	first := strings.Count(file[:place.Start], "\n")
	last := first + strings.Count(strings.TrimSuffix(place.In(file), "\n"), "\n")
	fmt.Fprintf(s, "  The closest place is line %d%s", first+1, enclosing(lines, first))
	if !detailed {
		s.WriteString(".\n")
		return
	}
	s.WriteString(":\n")
	from, to := linesAround(first, last, len(lines))
	for i := from; i < to; i++ {
		fmt.Fprintf(s, "%6d| %s\n", i+1, text.Cut(lines[i], widest))
	}
}

// noSimilarText writes about a passage without similar text in its file. If a fix proposes another file, noSimilarText
// names that file. Otherwise it shows the correction of the first uncertain fix.
func (f *feedback) noSimilarText(s *strings.Builder, b *Block, d diag.Diagnostic, want string) {
	fixes := d.AllFixes(f.ctx)
	other := slices.IndexFunc(fixes, func(fix diag.Fix) bool { return fix.Path != "" })
	s.WriteString("the text that the block looks for is not in the file")
	if len(fixes) == 0 || other >= 0 {
		s.WriteString(", and the file has nothing like it")
	}
	s.WriteString(":\n")
	f.wanted(s, strings.Split(strings.TrimSuffix(want, "\n"), "\n"))
	if other >= 0 {
		fmt.Fprintf(s, "  %s has this text: if the change is for that file, write its path.\n", fixes[other].Path)
	} else if len(fixes) > 0 && !fixes[0].Preferred {
		f.fix(s, b, fixes[0].Title+":", fixes[0])
	}
}

// places quotes the first places of a passage, and returns their number.
func (f *feedback) places(s *strings.Builder, d diag.Diagnostic) (shown int) {
	file, known := f.r.presentText(d.Path)
	if !known {
		return 0
	}
	lines := strings.Split(file, "\n")
	for _, line := range d.Lines[:min(len(d.Lines), choices)] {
		if line > len(lines) {
			return shown
		}
		shown++
		fmt.Fprintf(s, "  Line %d%s:\n", line, enclosing(lines, line-1))
		for i := max(0, line-1-shownLines/4); i < min(len(lines), line-1+shownLines/2); i++ {
			fmt.Fprintf(s, "%6d| %s\n", i+1, text.Cut(lines[i], widest))
		}
	}
	return shown
}

// linesAround returns a range of shownLines lines of a file around the lines first to last. Lines count from 0, and n
// is the number of lines of the file.
func linesAround(first, last, n int) (from, to int) {
	from = max(0, first-max(0, shownLines-(last-first+1))/2)
	to = min(n, from+shownLines)
	return max(0, min(from, to-shownLines)), to
}

// differing quotes the lines of a passage that are missing at the most similar place.
func (f *feedback) differing(s *strings.Builder, want, found string) {
	has := map[string]bool{}
	alike := map[string]bool{}
	for line := range strings.SplitSeq(found, "\n") {
		has[line] = true
		alike[text.WithoutSpace(line)] = true
	}
	var differ []string
	onlyBlanks := true
	for line := range strings.SplitSeq(want, "\n") {
		if !has[line] && !text.IsBlank(line) {
			differ = append(differ, line)
			onlyBlanks = onlyBlanks && alike[text.WithoutSpace(line)]
		}
	}
	switch {
	case len(differ) == 0:
		s.WriteString("the file has the lines that the block looks for, but not one directly after the other.\n")
	case onlyBlanks:
		s.WriteString("the file has the lines that the block looks for, but with different white space.\n")
	default:
		s.WriteString("the text that the block looks for is not in the file. Lines that differ from the file:\n")
		f.wanted(s, differ)
	}
}

func (f *feedback) wanted(s *strings.Builder, lines []string) {
	for i, line := range lines {
		if i == wantedMost {
			fmt.Fprintf(s, "    (and %d more lines)\n", len(lines)-i)
			return
		}
		s.WriteString("    " + text.Cut(line, widest) + "\n")
	}
}

func (r *Result) presentText(path string) (string, bool) {
	for _, b := range r.Blocks {
		for _, f := range b.Files {
			if f.Path == path && f.Existed() {
				s, err := f.Before().Text()
				return text.WithEOL(s, text.LF), err == nil
			}
		}
	}
	return "", false
}

// closestTo returns the place in a file's text that is most similar to the wanted passage, or false if no place is
// similar. It compares only the first lines of a long passage.
func closestTo(ctx context.Context, m *meter.Meter, s, want string) (text.Span, bool) {
	if lines := strings.SplitAfter(want, "\n"); len(lines) > comparable {
		want = strings.Join(lines[:comparable], "")
	}
	folded := place.Fold(s, m)
	if same := folded.Same(want, 1); len(same) > 0 {
		return same[0], true
	}
	if places := folded.Closest(ctx, want, 1); len(places) > 0 {
		return places[0].Span, true
	}
	return text.Span{}, false
}

// declaration matches a line that declares a unit of code, such as a function, in most languages. flow matches lines
// that only look like declarations.
var (
	declaration = lazyregexp.New(`^\s*(?:@?\w+(?:\([^)]*\))?\s+)*(?:func|function|def|class|interface|struct|enum|trait|impl|fn|module|namespace|type|sub|proc|package|object)\b.*\w|^\s*[\w<>\[\],:*&~. ]+\([^;]*\)[^;=]*\{\s*$|^\s*(?:export\s+)?(?:const|let|var)\s+\w+\s*=.*(?:=>|function)`)
	flow        = lazyregexp.New(`^\s*[}\s]*(?:if|else|elif|for|while|switch|case|try|catch|except|finally|with|return|do|match|when|unless|#|//|\*|/\*)\b`)
)

// enclosing returns the phrase ", in `f`" with the declaration of the function, class or similar unit that contains a
// line. The declaration is the nearest less indented line above that looks like a declaration. enclosing returns "" if
// there is none.
func enclosing(lines []string, at int) string {
	depth := len(text.FirstIndentation(lines[at:]))
	for i := at; i >= 0 && at-i < 2000; i-- {
		line := lines[i]
		if text.IsBlank(line) || i < at && len(text.Indentation(line)) >= depth {
			continue
		}
		if declaration.MatchString(line) && !flow.MatchString(line) {
			return ", in `" + text.Cut(strings.TrimRight(strings.TrimSpace(line), " {:"), 80) + "`"
		}
		depth = min(depth, len(text.Indentation(line)))
	}
	return ""
}
