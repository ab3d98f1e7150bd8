package doubt

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// artifacts finds new lines that a listing, a quotation, a terminal or a web page has altered (rule R56).
var artifacts = Rule{
	ID: "artifact",
	doubts: func(c *Change) *Doubt {
		if c.Whole {
			return c.wholeArtifact()
		}
		pieces := c.pieces()
		for _, p := range pieces {
			if t, ok := p.trace(c); ok {
				return c.warnOf(p.at, t)
			}
		}
		// Search all steps together, too, because a single step may be too short to show an artifact. Ignore
		// typographic characters if a step changes nothing else: the person probably wanted them.
		if p := c.changed(); len(p.runs) > 1 {
			if t, ok := p.trace(c); ok && !slices.ContainsFunc(pieces, func(p piece) bool {
				only, ok := artifact.Between(text.Joined(p.old), text.Joined(p.new))
				return ok && t.Artifact == &artifact.LookAlike && only.Artifact == t.Artifact && p.becomes(only, text.Joined(p.old))
			}) {
				return c.warnOf(p.at, t)
			}
		}
		return nil
	},
}

// A piece holds the removed and added lines of one step, or of all steps: see [Change.changed].
type piece struct {
	at       Part
	line     int      // the number of the first removed line, from 1
	old, new []string // the old and the new lines of the runs that have both
	all      []string // the added lines of all runs
	runs     []Run
	first    int // the index of runs[0] in c.Runs
}

// pieces returns a piece for each step that adds lines.
func (c *Change) pieces() []piece {
	var out []piece
	for i := 0; i < len(c.Runs); {
		from, p := i, piece{at: c.Runs[i].At, line: c.Runs[i].Line}
		for ; i < len(c.Runs) && c.Runs[i].At == p.at; i++ {
			r := c.Runs[i]
			p.all = append(p.all, r.New...)
			if len(r.Old) > 0 && len(r.New) > 0 {
				p.old, p.new = append(p.old, r.Old...), append(p.new, r.New...)
			}
		}
		if p.first, p.runs = from, c.Runs[from:i:i]; len(p.all) > 0 {
			out = append(out, p)
		}
	}
	return out
}

// mostLinesSeen and mostBytesSeen limit the part of a text that is searched for the trace of an artifact. A part is
// enough, because an artifact affects the whole text.
const (
	mostLinesSeen = 200
	mostBytesSeen = 64 << 10
)

// first returns the first lines: at most `most` lines, and no more than about mostBytesSeen bytes.
func first(lines []string, most int) []string {
	size := 0
	for i, line := range lines {
		if size += len(line); i == most || i > 0 && size > mostBytesSeen {
			return lines[:i]
		}
	}
	return lines
}

// trace returns the artifact that the new lines show, alone or compared with the old lines.
func (p piece) trace(c *Change) (artifact.Trace, bool) {
	p.new = first(p.new, mostLinesSeen)
	now, old := text.Joined(p.new), text.Joined(first(p.old, 10*mostLinesSeen))
	if len(p.new) > 0 {
		t, ok := artifact.Between(old, now)
		if ok && p.becomes(t, old) {
			return p.inserted(c)
		}
		if ok && c.mayDoubt(t) && (t.Artifact != &artifact.Indentation || p.shifted()) {
			return t, true
		}
		if t, ok := artifact.Nearer(old, now, p.line); ok && c.mayDoubt(t) {
			return t, true
		}
	}
	return p.inserted(c)
}

// becomes reports whether the artifact is the only change of the piece, and is one that people ask for. The person
// then probably asked for it, because the reply would otherwise change nothing.
func (p piece) becomes(t artifact.Trace, old string) bool {
	cut := len(p.new) < len(p.all) // whether [first] cut the new lines
	return t.Artifact.Asked &&
		(t.Text == old || cut && strings.HasPrefix(old, t.Text)) &&
		!slices.ContainsFunc(p.runs, func(r Run) bool { return len(r.Old) == 0 || len(r.New) == 0 })
}

func (p piece) shifted() bool {
	var old, new [][]string
	for _, r := range p.runs {
		if len(r.Old) > 0 && len(r.New) > 0 {
			old, new = append(old, r.Old), append(new, r.New)
		}
	}
	return artifact.Shifted(old, new)
}

// inserted returns the artifact that the added lines show by themselves. It returns false inside a comment or a
// string, which may have any text.
func (p piece) inserted(c *Change) (artifact.Trace, bool) {
	if len(p.all) == 0 {
		return artifact.Trace{}, false
	}
	t, ok := p.interleaved()
	if !ok || c.isDocument() {
		t, ok = c.shown(text.Joined(p.all), artifact.Table())
	}
	if !ok && !c.isDocument() {
		t, ok = p.retabbed(c)
	}
	if !ok {
		t, ok = p.halved(c)
	}
	if !ok || c.isQuoted(p.first, 0) {
		return c.unjoined(p.all) // Even inside a string or in the code of a document, this is no choice of a person.
	}
	return t, true
}

// retabbed returns a trace if the added lines are indented with spaces but the lines of the file with tabs, or the
// other way round.
func (p piece) retabbed(c *Change) (t artifact.Trace, ok bool) {
	if len(indents(p.all)) != 1 {
		return t, false
	}
	i := slices.IndexFunc(p.all, func(line string) bool { return len(indents([]string{line})) > 0 })
	is, was := "\t", "  "
	if p.all[i][0] == ' ' {
		is, was = was, is
	}
	// Most files have a line with the new indentation near the beginning, so this search saves the count.
	if strings.HasPrefix(c.Before(), is) || c.had("\n"+is) {
		return t, false
	}
	t = artifact.Trace{Artifact: &artifact.Tabs, Line: i, Is: p.all[i], Was: was + strings.TrimLeft(p.all[i], " \t")}
	return t, c.keptIndents()[was[0]] >= text.Habit
}

func indents(lines []string) map[byte]int {
	count := map[byte]int{}
	for _, l := range lines {
		if strings.HasPrefix(l, "\t") || strings.HasPrefix(l, "  ") {
			count[l[0]]++
		}
	}
	return count
}

// interleaved returns a trace if the new lines are empty lines or line numbers between the lines of the file.
func (p piece) interleaved() (artifact.Trace, bool) {
	numbers, last, end := 0, 0, 1
	// one letter for each line: k for a kept line between two runs, _ for an empty new line, n for another new line
	var lines []byte
	spaced := false
	for _, r := range p.runs {
		if r.Line == end+1 {
			lines = append(lines, 'k')
		} else {
			spaced, lines = spaced || isSpaced(lines), nil
		}
		end = r.Line + len(r.Old)
		for _, line := range r.New {
			if line = strings.TrimSpace(line); line == "" {
				lines = append(lines, '_')
			} else {
				lines = append(lines, 'n')
			}
			if n, err := strconv.Atoi(line); err == nil && (numbers == 0 || n == last+1) {
				numbers, last = numbers+1, n
			}
		}
		for _, line := range r.Old {
			if _, err := strconv.Atoi(strings.TrimSpace(line)); err == nil {
				return artifact.Trace{}, false
			}
		}
	}
	switch {
	case numbers >= text.Habit && (len(p.runs) >= text.Habit || len(p.all) >= 2*numbers-1 && len(p.old) > 0):
		return artifact.Trace{Artifact: &artifact.NumberLine, Is: strconv.Itoa(last)}, true
	case spaced || isSpaced(lines):
		return artifact.Trace{Artifact: &artifact.DoubleSpace}, true
	}
	return artifact.Trace{}, false
}

// isSpaced reports whether new empty lines alternate with lines of the file, several times in a row.
func isSpaced(lines []byte) bool {
	for first := range 2 {
		empty, kept := 0, 0
		for i, kind := range lines {
			switch {
			case i%2 == first && kind == '_':
				empty++
			case i%2 == first:
				empty, kept = 0, 0
			case kind == 'k':
				kept++
			}
			if empty > text.Habit && kept >= text.Habit {
				return true
			}
		}
	}
	return false
}

// shown returns the first artifact in `of` that `s` shows by itself and the file does not have.
func (c *Change) shown(s string, of []*artifact.Artifact) (artifact.Trace, bool) {
	head, ends := excerptsOf(s)
	has := artifact.CharactersOf(head, ends)
	for _, a := range of {
		if !a.MayBeIn(has) {
			continue
		}
		seen := head
		if a.Ends {
			seen = ends
		}
		if !c.shows(a, seen) || seen != s && !c.shows(a, s) {
			continue
		}
		undone, ok := a.Undo(s)
		t := artifact.TraceOf(a, s, undone)
		if ok && !(a.Prose && c.isDocument()) && !c.fileHasArtifact(a) && c.mayDoubt(t) {
			return t, true
		}
	}
	return artifact.Trace{}, false
}

// shows reports whether `s` shows the artifact. In an existing file, HTML entities count only if they stand for an
// operator, or if the file has a plain `<` or `&`.
func (c *Change) shows(a *artifact.Artifact, s string) bool {
	if a == &artifact.Entity && !c.New && artifact.Escaped(s) {
		return !c.fileHasArtifact(a) && (artifact.EscapesOperator(s) || c.had("<") || c.had("&"))
	}
	if a == &artifact.BrokenString && !slices.Contains(shortStrings, c.ext()) {
		return false
	}
	return a.Shows != nil && a.Shows(s)
}

// shortStrings lists the extensions of languages in which an ordinary string cannot have several lines.
var shortStrings = strings.Fields(".c .h .cc .cpp .cxx .hpp .m .java .js .jsx .mjs .cjs .ts .tsx .mts .cs .kt .kts .swift .py .go .dart .scala .groovy .lua .proto")

// fileHasArtifact reports whether undoing the artifact would alter the old file. If so, the file has such text on
// purpose.
func (c *Change) fileHasArtifact(a *artifact.Artifact) bool {
	if c.New {
		return false
	}
	has, known := c.artifacts[a]
	if !known {
		if c.artifacts == nil {
			c.artifacts = map[*artifact.Artifact]bool{}
		}
		_, has = a.Undo(c.Before())
		c.artifacts[a] = has
	}
	return has
}

// excerptsOf returns excerpts of a long text, to save time: `head` has the first lines, and `ends` has a few lines
// from both ends.
func excerptsOf(s string) (head, ends string) {
	lines := text.SplitLines(s)
	if len(lines) <= mostLinesSeen {
		return s, s
	}
	few := mostLinesSeen / 10
	return strings.Join(lines[:mostLinesSeen], ""), strings.Join(lines[:few], "") + strings.Join(lines[len(lines)-few:], "")
}

// announces reports whether the reply names the code point of a character that undoing the artifact removes.
func (c *Change) announces(t artifact.Trace) bool {
	return len(c.Words) > 0 && strings.ContainsFunc(t.Is, func(r rune) bool {
		return r >= utf8.RuneSelf && !strings.ContainsRune(t.Was, r) && c.Words[fmt.Sprintf("u+%04x", r)]
	})
}

// mayDoubt returns false if the file may have the text of the trace on purpose.
func (c *Change) mayDoubt(t artifact.Trace) bool {
	if c.announces(t) {
		return false
	}
	switch t.Artifact {
	case &artifact.Indentation, &artifact.Wrapped, &artifact.Substitution, &artifact.Emphasis, &artifact.Bold, &artifact.Link, &artifact.Footnote, &artifact.Grouping, &artifact.DecimalComma, &artifact.LookAlike, &artifact.LetterCase, &artifact.FullStop:
		if c.isDocument() {
			return false
		}
	case &artifact.LostSign:
		if c.isDocument() && strings.ReplaceAll(t.Was, "``", "`") != t.Is {
			return false
		}
	case &artifact.URLEscape:
		if head, _, _ := strings.Cut(t.Is, "%"); c.isDocument() || strings.ContainsAny(head, "\"'`") {
			return false // an address in a document or a string, which is rightly escaped
		}
	case &artifact.ParameterHint:
		return slices.Contains(unlabelled, c.ext())
	case &artifact.LostBreak:
		return slices.Contains(markdown, c.ext())
	case &artifact.DoubleSpace:
		if c.isDocument() {
			// Some blank lines in a document are ordinary, so a doubt needs one after every line.
			_, all := artifact.DoubleSpace.Undo(text.Joined(c.new))
			return all
		}
	case &artifact.DiffSign:
		return !slices.Contains([]string{".diff", ".patch"}, c.ext())
	case &artifact.Tabs:
		return !c.isDocument() && !c.indentedLike(t.Is)
	case &artifact.Entity, &artifact.Markup:
		if c.mayHaveTags() && (!c.Whole || t.Artifact == &artifact.Markup) {
			return false
		}
		if isRemark(text.Cut(t.Is, 80)) {
			return false // Documentation comments have tags and entities.
		}
	}
	return t.Is == "" || !c.hadLine(t.Is) || t.Artifact.Restore != nil
}

// indentedLike reports whether most indented lines that stay in the file begin with the same character as `line`: a
// tab or a space.
func (c *Change) indentedLike(line string) bool {
	count := c.keptIndents()
	return line != "" && count[line[0]] > count['\t']+count[' ']-count[line[0]]
}

func (c *Change) keptIndents() map[byte]int {
	count := indents(c.oldLines())
	for _, r := range c.Runs {
		for first, n := range indents(r.Old) {
			count[first] -= n
		}
	}
	return count
}

var (
	markdown = []string{".md", ".mdx", ".markdown"}
	// unlabelled lists the extensions of languages in which `name:` never precedes an argument. There, `name:` is a
	// hint that an editor displayed.
	unlabelled = []string{".ts", ".tsx", ".js", ".jsx", ".mjs", ".java", ".go", ".rs", ".c", ".h", ".cc", ".cpp", ".hpp", ".kt", ".kts", ".py"}
)

func (c *Change) ext() string { return strings.ToLower(path.Ext(c.Path)) }

func (c *Change) isDocument() bool { return artifact.IsDocument(c.Path) }

// mayHaveTags reports whether the file may have tags like those of HTML, because it is markup, Markdown or JSX.
func (c *Change) mayHaveTags() bool {
	return artifact.IsMarkup(c.Path) || slices.Contains(markdown, c.ext()) || c.ext() == ".jsx" || c.ext() == ".tsx"
}

// wholeArtifact looks for an artifact in the new lines. If they show one, the doubt and its fix are about the whole
// text.
func (c *Change) wholeArtifact() *Doubt {
	t, ok := artifact.Trace{}, false
	if c.New {
		if t, ok = c.shown(c.Content, artifact.Table()); !ok {
			t, ok = c.unjoined(c.new)
			t.Text = c.Content // gives a doubt without a fix
		}
	} else if p := c.changed(); len(p.all) > 0 {
		if t, ok = p.trace(c); ok {
			t, ok = c.wholeTrace(t)
		} else {
			// Check only for artifacts at the ends of the text: the new lines were checked above.
			t, ok = c.shown(c.Content, artifact.AtEnds())
		}
	}
	if !ok {
		return nil
	}
	d := c.warnOf(c.textAt(), t)
	if c.ContentAt.Span != (text.Span{}) && t.Text != c.Content {
		d.Fixes = []diag.Fix{{Title: t.Artifact.Fix, Edits: []text.Edit{c.ContentAt.Set(t.Text)}, Preferred: t.Certain || c.surely(t)}}
	}
	return d
}

// surely reports whether the fix of a whole text is certain: no program has such text, or the artifact is at the ends
// and the restored text begins like the file.
func (c *Change) surely(t artifact.Trace) bool {
	begins := firstText(linesOf(t.Text))
	return !c.New && (t.Artifact.Unwanted || t.Artifact.Ends && begins != "" && begins == firstText(c.old))
}

// changed returns all steps as one piece. Its old and new lines come from all runs, and its line number is 1.
func (c *Change) changed() piece {
	p := piece{line: 1, runs: c.Runs}
	for _, r := range c.Runs {
		p.at = r.At
		p.old, p.new, p.all = append(p.old, r.Old...), append(p.new, r.New...), append(p.all, r.New...)
	}
	return p
}

// wholeTrace extends the trace `part` from the new lines to the whole text. It returns false if the whole text does
// not show the artifact, and nothing can undo it.
func (c *Change) wholeTrace(part artifact.Trace) (artifact.Trace, bool) {
	now := text.Joined(c.new)
	t, ok := artifact.Between(text.Joined(c.old), now)
	unfixed := part
	unfixed.Text = c.Content // gives a doubt without a fix
	if !ok && (part.Artifact.Restore != nil || part.Artifact == &artifact.Indentation || part.Text == "") {
		return unfixed, true
	}
	if !ok && part.Artifact.Restore == nil && part.Artifact.Undo != nil {
		undone, changed := part.Artifact.Undo(now)
		if !changed {
			return unfixed, true
		}
		t, ok = artifact.TraceOf(part.Artifact, now, undone), true
	}
	// The last line has no line ending, unless the artifact was the line below it.
	if bare := strings.TrimSuffix(t.Text, "\n"); !strings.HasSuffix(c.Content, "\n") && (!t.Artifact.Ends || strings.HasSuffix(c.Content, bare)) {
		t.Text = bare
	}
	return t, ok
}

func codeOf(a *artifact.Artifact) diag.Code {
	if a == &artifact.Buttons || a == &artifact.PageSpace {
		return diag.CopiedText
	}
	return diag.TextArtifact
}

func (c *Change) warnOf(at Part, t artifact.Trace) *Doubt {
	const most = 80
	said := "the new text has " + t.Artifact.Name
	if lost := t.Artifact.Restore != nil && t.Artifact.Lost != ""; !c.New && !lost {
		said += ", but the file has none"
	}
	return warn(at, codeOf(t.Artifact), "%s: line %d of the new text is %q, but should probably be %q", said, t.Line+1, text.Cut(t.Is, most), text.Cut(t.Was, most))
}
