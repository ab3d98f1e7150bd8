package doubt

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/elision"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// relaid finds old lines in a new layout that looks like the work of a program, not of a person: several statements are
// on one line, lines are cut at a width, all indentations are multiplied, or lines move into another block.
var relaid = Rule{
	ID: "relaid", program: true,
	doubts: func(c *Change) *Doubt {
		if why := c.respaced(); why != "" {
			return c.laidOut(c.Runs[0], why)
		}
		var depths depths
		for i, r := range c.Runs {
			if len(r.New) == 0 || !c.Meter.Pay(meter.Line*(len(r.Old)+len(r.New))) {
				continue
			}
			if why := c.breaksWord(r); why != "" {
				return c.laidOut(r, why)
			}
			if len(r.Old) == 0 {
				continue
			}
			if why := r.joins(c.ext(), c.Meter); why != "" {
				return c.laidOut(r, why)
			}
			if line, n := r.frames(); n >= text.Habit && c.Meter.Pay(meter.Line*len(r.New)) {
				return warn(c.at(r), diag.TextArtifact, "%d new lines are lines of %s with extra text before their indentation, such as %q; write the lines without that text", n, c.Path, text.Cut(line, 60))
			}
			if why := c.leavesBody(i); why != "" {
				return c.laidOut(r, why)
			}
			if why := r.cuts(c.Meter); why != "" {
				return c.laidOut(r, why)
			}
			depths.add(c, r)
		}
		if r, title, line := c.takesOver(); r != nil {
			return warn(c.at(*r), diag.TextArtifact, "%q would move from its section of %s into the new section %q; write the new section below the last line of the other one", text.Cut(line, 60), c.Path, title)
		}
		if c.regroups() {
			return c.laidOut(c.Runs[0], "lines move into another block, although no line that begins a block is added or removed")
		}
		if c.leavesRules() {
			return c.laidOut(c.Runs[0], "commands of rules have lost their tabs")
		}
		if len(c.Runs) > 0 && depths.multiplied() {
			return c.laidOut(c.Runs[0], "the indentation is lost or multiplied")
		}
		return nil
	},
}

// breaksWord describes the first word or string that is broken between two new lines, or returns "".
func (c *Change) breaksWord(r Run) string {
	for i, line := range r.New[:min(len(r.New), mostLaid)] {
		continues := i > 0 && strings.HasSuffix(r.New[i-1], `\`)
		if !continues && len(r.Old) > 0 && c.ext() != ".cs" && !c.mayHaveTags() && leavesString(line) && !slices.ContainsFunc(c.oldLines(), leavesString) {
			return fmt.Sprintf("%q leaves a string open", text.Cut(strings.TrimSpace(line), 60))
		}
		if i > 0 && (hyphenates(r.New[i-1], line) || line != "" && text.Line.Says(r.New[i-1]) && slices.Contains(r.Old, r.New[i-1]+line)) {
			return fmt.Sprintf("%q is split between two lines", text.Cut(strings.TrimSpace(r.New[i-1]), 60))
		}
		if i == 0 || !isWordStart(line) || !isWordEnd(" "+r.New[i-1]) || text.Indentation(r.New[i-1]) == "" {
			continue
		}
		above := r.New[i-1]
		head := above[strings.LastIndexFunc(above, func(r rune) bool { return !isWordStart(string(r)) })+1:]
		if word := head + firstWord(line); len(word) > len(head) && text.Line.Says(word) && c.had(word) {
			return fmt.Sprintf("%q is split between two lines", word)
		}
	}
	return ""
}

// hyphenates reports whether a word is broken with a hyphen at the end of an indented line, and continues at the left
// margin of the next line.
func hyphenates(above, line string) bool {
	head, ok := strings.CutSuffix(above, "-")
	return ok && isWordEnd(head) && isWordStart(line) && text.Indentation(above) != "" && elision.SortOf(above) == elision.Text
}

// leavesString reports whether a line of code leaves a string in double quotes open, and no backslash continues it.
func leavesString(line string) bool { return !strings.HasSuffix(line, `\`) && opensString(line) }

// opensString reports whether a line of code leaves a string in double quotes open. The sign of a comment may be inside
// a string, and a quote inside a comment, so the code must leave the string open with and without the comment.
func opensString(line string) bool {
	if strings.IndexByte(line, '"') < 0 || isRemark(line) {
		return false
	}
	line = pattern.ReplaceAllString(strings.ReplaceAll(line, `"""`, ""), "$1")
	code, _ := noteAt(line)
	return endsInString(line) && (len(code) == len(line) || endsInString(code))
}

func endsInString(line string) bool {
	for i := 0; i < len(line); i++ {
		if line[i] == '\\' {
			i++
		} else if strings.IndexByte("'\"`", line[i]) >= 0 {
			n := text.ClosingQuote(line[i:])
			if n == 0 && line[i] == '"' {
				return true
			}
			i += n
		}
	}
	return false
}

// pattern matches a regular expression between slashes, whose quotes do not open strings. Its group is the code
// before the slashes.
var pattern = lazyregexp.New(`((?:^|[(,=:!&|?\[{;~]|\breturn|\bcase)\s*)/(?:[^/\\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+/`)

// respaced describes a suspicious change of the blank lines of a whole text, or returns "". If only
// blank lines change, it returns "", because the person may have asked for the spacing.
func (c *Change) respaced() string {
	if !c.Whole || c.New || !c.adds(text.HasWord) {
		return ""
	}
	switch was, is := gaps(c.old), gaps(c.new); {
	case len(was) >= text.Habit && len(is) == 0 && 2*countWithWords(c.new) >= countWithWords(c.old):
		return "no blank line is left between its lines"
	case len(was) >= text.Habit && len(is) >= text.Habit && slices.Min(was) == 1 && slices.Min(is) > 1:
		return "the blank lines between its lines are doubled"
	}
	return ""
}

// gaps returns the size of each group of blank lines between two other lines.
func gaps(lines []string) (out []int) {
	blank, begun := 0, false
	for _, line := range lines {
		if text.IsBlank(line) {
			blank++
			continue
		}
		if blank > 0 && begun {
			out = append(out, blank)
		}
		blank, begun = 0, true
	}
	return out
}

func (c *Change) laidOut(r Run, why string) *Doubt {
	return warn(c.at(r), diag.TextArtifact, "the new text seems to have lost its line breaks or indentation: %s; copy it again with the lines exactly as they should be in %s", why, c.Path)
}

const (
	fewestJoined = 3   // the least number of old lines on one new line
	fewestShown  = 8   // the least number of characters of an old line
	mostLaid     = 300 // the largest number of lines in a run that is examined
)

// joins describes the first new line that joins old lines, or returns "". These lines count:
//   - two complete lines, without a space between them, or in a language in which a line ends its statement;
//   - a comment and the code below it, which may also be edited;
//   - at least fewestJoined complete lines, in order, unless a formatter also changed the space in them.
func (r Run) joins(ext string, m *meter.Meter) string {
	old := r.Old[:min(len(r.Old), mostLaid)]
	for i := 1; i < len(old); i++ {
		above, below := strings.TrimRight(old[i-1], " \t"), strings.TrimSpace(old[i])
		if above == "" || below == "" {
			continue
		}
		for k, line := range r.New[:min(len(r.New), mostLaid)] {
			rest, ok := strings.CutPrefix(line, above)
			if !ok || isRemark(below) {
				continue
			}
			said := strings.TrimPrefix(rest, " ")
			swallows := isRemark(above) &&
				isRemark(line) &&
				(said == below || text.Passage.Says(below) && place.FirstAlike(m, said, []string{below}, changed) == 0 && place.FirstAlike(m, below, r.New[k+1:], changed) < 0)
			if swallows || (rest == below || said == below && slices.Contains(lineWise, ext)) && isComplete(above) && isComplete(below) {
				return fmt.Sprintf("%q joins 2 lines of the file", text.Cut(strings.TrimSpace(line), 60))
			}
		}
	}
	for i, line := range r.New[:min(len(r.New), mostLaid)] {
		if r.hidesCode(i, m) {
			return fmt.Sprintf("%q has code of the file in a comment", text.Cut(strings.TrimSpace(line), 60))
		}
	}
	for _, line := range r.New[:min(len(r.New), mostLaid)] {
		if text.NonBlanks(line, fewestJoined*fewestShown) < fewestJoined*fewestShown {
			continue
		}
		rest, n := text.WithoutSpace(line), 0
		for _, was := range old {
			if s := text.WithoutSpace(was); isComplete(was) {
				if i := strings.Index(rest, s); i >= 0 {
					rest, n = rest[i+len(s):], n+1
				}
			}
		}
		if n >= fewestJoined && keepsSpacing(line, old) {
			return fmt.Sprintf("%q joins %d lines of the file", text.Cut(strings.TrimSpace(line), 60), n)
		}
	}
	return ""
}

// keepsSpacing reports whether a new line has the space between the tokens of all old lines that it joins.
func keepsSpacing(line string, old []string) bool {
	bare, spaced := text.WithoutSpace(line), strings.Join(strings.Fields(line), " ")
	return !slices.ContainsFunc(old, func(was string) bool {
		return text.HasWord(was) && strings.Contains(bare, text.WithoutSpace(was)) && !strings.Contains(spaced, strings.Join(strings.Fields(was), " "))
	})
}

// frames counts the new lines that have an indented old line behind other text, and returns the first of them. A
// program that shows a file in a table, a box or a log writes such lines. Comments do not count.
func (r Run) frames() (first string, n int) {
	for i, line := range r.New[:min(len(r.New), mostLaid)] {
		at := i * len(r.Old) / len(r.New)
		if slices.ContainsFunc(r.Old[max(0, at-mostAside):min(len(r.Old), at+mostAside)], func(was string) bool {
			head, _, found := strings.Cut(line, was)
			return found && !text.IsBlank(head) && text.Indentation(was) != "" && text.Shared.Says(was) && !isRemark(line)
		}) {
			first = cmp.Or(first, line)
			n++
		}
	}
	return first, n
}

// lineWise lists the extensions of languages in which a line ends its statement.
var lineWise = []string{".py", ".sh", ".bash", ".zsh", ".rb", ".toml", ".ini"}

// hidesCode reports whether the comment in new line i ends with a removed line of code, and no other new line resembles
// that code. A comment without other words is ignored, because a person may have commented out the code.
func (r Run) hidesCode(i int, m *meter.Meter) bool {
	code, said := noteAt(r.New[i])
	if isRemark(r.New[i]) {
		code, said = "", strings.TrimSpace(r.New[i])
	}
	if said == "" {
		return false
	}
	for k, was := range r.Old[:min(len(r.Old), mostLaid)] {
		was = strings.TrimSpace(was)
		words, ok := strings.CutSuffix(said, was)
		if !ok || !text.HasWord(words) || !text.Passage.Says(was) || isRemark(was) || place.FirstAlike(m, was, slices.Concat(r.New[:i], r.New[i+1:]), changed) >= 0 {
			continue
		}
		// Code before the comment that resembles the removed line may be its new version. Then the line is not hidden.
		if code == "" || place.Alike(was, code) < changed || place.FirstAlike(m, code, slices.Concat(r.Old[:k], r.Old[k+1:]), changed) >= 0 {
			return true
		}
	}
	return false
}

// isComplete reports whether a line has enough text and seems to be a whole statement. Parts of a statement are
// ignored, because a formatter may split or join them.
func isComplete(line string) bool {
	s := text.WithoutSpace(line)
	return len(s) >= fewestShown && opened([]string{line}) == paired && strings.IndexByte(",&|+?.=", s[len(s)-1]) < 0 && strings.IndexByte("|&+.?", s[0]) < 0
}

// cuts describes the first new line that is only a part of an old line, or returns "". The new line has an ellipsis
// at its end or inside a word, or ends in the middle of a word while a bracket is open.
func (r Run) cuts(m *meter.Meter) string {
	for i, line := range r.New[:min(len(r.New), mostLaid)] {
		line = strings.TrimRight(line, " \t")
		start, rest := line, ""
		at := max(strings.LastIndex(line, "…"), strings.LastIndex(line, "..."))
		if at >= 0 {
			start, rest = line[:at], line[at+len("…"):] // an ellipsis and three dots have the same number of bytes
		}
		if text.NonBlanks(start, fewestShown) < fewestShown || at < 0 && i == len(r.New)-1 || !m.Pay(meter.Line) {
			continue
		}
		for _, was := range r.Old[:min(len(r.Old), mostLaid)] {
			if len(was) <= len(line) || !strings.HasPrefix(was, start) {
				continue
			}
			stops := i < len(r.New)-1 &&
				strings.HasPrefix(was, line) &&
				place.CutsWord(was, len(line)) &&
				opened([]string{line}) != paired &&
				opened([]string{was}) == paired
			skips := at >= 0 &&
				!strings.HasPrefix(was, line) &&
				strings.HasSuffix(was, rest) &&
				(rest == "" || place.CutsWord(was, len(start)) && place.CutsWord(was, len(was)-len(rest)))
			if skips || stops && (at < 0 || rest != "") {
				return fmt.Sprintf("%q is only a part of a line of the file", text.Cut(strings.TrimSpace(line), 60))
			}
		}
	}
	return ""
}

// A depths compares the old and the new indentations of lines with the same text.
type depths struct {
	was, is []int // the old and the new indentations of indented lines
	kept    bool  // some line has kept its indentation
	edited  bool  // some new line has a text that no line of the file has
}

func (d *depths) add(c *Change, r Run) {
	old := map[string]string{}
	for _, line := range r.Old {
		old[text.WithoutSpace(line)] = text.Indentation(line)
	}
	for _, line := range r.New {
		was, ok := old[text.WithoutSpace(line)]
		is := text.Indentation(line)
		switch {
		case !text.HasWord(line):
		case !ok:
			d.edited = d.edited || !c.has(line)
		case was == "" || strings.Contains(was+is, "\t"):
		case was == is:
			d.kept = true
		default:
			d.was, d.is = append(d.was, len(was)), append(d.is, len(is))
		}
	}
}

// multiplied reports whether all indentations changed by the same factor, or became equal.
func (d *depths) multiplied() bool {
	several, scaled, same := false, true, true
	for i := range d.was {
		scaled = scaled && d.was[i]*d.is[0] == d.is[i]*d.was[0]
		same = same && d.is[i] == d.is[0]
		several = several || d.was[i] != d.was[0]
	}
	return several && (scaled || same) && len(d.was) >= text.Habit && d.edited && !d.kept
}

// regroups reports whether a change moves lines into another block in a language with significant indentation. There
// must be another change, the lines that begin blocks must be the same as before, and the prose must name nothing in
// the moved lines.
func (c *Change) regroups() bool {
	if !slices.Contains([]string{".py", ".pyi", ".yaml", ".yml"}, c.ext()) {
		return false
	}
	old := map[string]string{} // the indentation of each old line
	for _, r := range c.Runs {
		for _, line := range r.Old {
			old[strings.TrimSpace(line)] = text.Indentation(line)
		}
	}
	begins := func(line string) bool { return strings.HasSuffix(line, ":") }
	var moved []string
	comes := false
	for _, r := range c.Runs {
		for _, line := range r.New {
			trimmed := strings.TrimSpace(line)
			was, ok := old[trimmed]
			if delete(old, trimmed); ok && trimmed != "" && was != text.Indentation(line) {
				moved = append(moved, line)
			} else if !ok && begins(trimmed) {
				return false
			}
			comes = comes || !ok && text.HasWord(line)
		}
	}
	if slices.ContainsFunc(slices.Collect(maps.Keys(old)), begins) {
		return false
	}
	opens := slices.ContainsFunc(moved, func(line string) bool { return Defines(line) != "" })
	return comes && (len(moved) > 1 || opens) && !partsOf(moved).hasOneOf(c.Words)
}

// leavesRules reports whether several lines of a Makefile lose the tab that makes them commands of a rule, while other
// lines change.
func (c *Change) leavesRules() bool {
	if !c.isMakefile() {
		return false
	}
	lost, comes := 0, false
	for _, r := range c.Runs {
		for _, line := range r.New {
			if slices.Contains(r.Old, "\t"+line) {
				lost++
			} else {
				comes = comes || text.HasWord(line)
			}
		}
	}
	return lost > 1 && comes
}

// takesOver returns a run that inserts a section with settings in the middle of another section, the title of the new
// section, and the setting directly below it. That setting stays where it is, so it would belong to the new section. A
// title without settings of its own is ignored, because its purpose may be to divide a section.
func (c *Change) takesOver() (found *Run, title, line string) {
	for i := range c.Runs {
		r, own, above := &c.Runs[i], 0, map[string]bool{} // own counts the settings below the title
		title = ""
		for _, line := range r.New {
			switch name := settingOf(line); {
			case isTitle(line):
				title, own = line, 0
			case name != "" && title == "":
				above[name] = true
			case name != "":
				own++
			}
		}
		if own == 0 || slices.ContainsFunc(r.Old, isTitle) {
			continue
		}
		below := strings.Join(c.below(i, 1), "")
		if name := settingOf(below); name == "" || above[name] {
			continue
		}
		old := c.oldLines()[max(0, r.Line-1-mostRepeated) : r.Line-1]
		if in := lastTitle(old); in != "" && in != title && in == lastTitle(c.above(i, mostRepeated)) {
			return r, title, below
		}
	}
	return nil, "", ""
}

func isTitle(line string) bool { return strings.HasPrefix(line, "[") && isSection(line) }

// lastTitle returns the last title of a section, or "".
func lastTitle(lines []string) string {
	for _, line := range slices.Backward(lines) {
		if isTitle(line) {
			return line
		}
	}
	return ""
}

func (c *Change) isMakefile() bool {
	return c.ext() == ".mk" || strings.EqualFold(path.Base(c.Path), "Makefile")
}
