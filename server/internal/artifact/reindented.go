package artifact

import (
	"maps"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// reindent returns an [Artifact.Restore] that gives lines the indentation that they have in the old text, if
// `explains` reports that one artifact explains all differences.
func reindent(explains func(p reindentation) bool) func(string, []string) (string, bool) {
	return func(s string, old []string) (string, bool) {
		if strings.Count(s, "\n") < fewestReindented {
			return s, false
		}
		p := reindentationOf(s, old)
		if p.changed < fewestReindented || !explains(p) {
			return s, false
		}
		return eachLine(func(line string) string {
			own := text.Indentation(line)
			body := line[len(own):]
			if was, ok := p.known[body]; ok && body != "" {
				return was + body
			}
			if was, ok := p.becomes[own]; ok && body != "" {
				return was + body
			}
			return line
		})(s)
	}
}

// fewestReindented is the smallest number of lines that prove that the indentation differs.
const fewestReindented = 2

// A reindentation compares the indentation of the lines that two texts share.
type reindentation struct {
	known   map[string]string // the old indentation of each line that has only one old indentation
	becomes map[string]string // maps a new indentation to the old indentation that it replaces in every case
	// how many lines have a different indentation, and how many the same
	changed, same   int
	least, oldLeast int  // the length of the shortest indentation in each text
	all             bool // the texts differ only in indentation
	begins          bool // the first lines of both texts have the same indentation
}

func reindentationOf(s string, old []string) reindentation {
	p := reindentation{known: map[string]string{}, becomes: map[string]string{}, all: true}
	twice := map[string]bool{}
	for _, line := range old {
		own := text.Indentation(line)
		if had, ok := p.known[line[len(own):]]; ok && had != own {
			twice[line[len(own):]] = true
		}
		p.known[line[len(own):]] = own
	}
	maps.DeleteFunc(p.known, func(body, _ string) bool { return twice[body] })
	all, _ := lines(s)
	p.least, p.oldLeast = text.LeastIndentation(all), text.LeastIndentation(old)
	p.begins = text.FirstIndentation(all) == text.FirstIndentation(old)
	unclear := map[string]bool{}
	for _, line := range all {
		own := text.Indentation(line)
		body := line[len(own):]
		if body == "" {
			continue
		}
		was, ok := p.known[body]
		switch {
		case !ok:
			p.all = p.all && twice[body]
			continue
		case was == own:
			p.same++
		default:
			if nonBlanks(body) >= 4 {
				p.changed++
			}
		}
		if had, ok := p.becomes[own]; ok && had != was {
			unclear[own] = true
		}
		p.becomes[own] = was
	}
	maps.DeleteFunc(p.becomes, func(own, _ string) bool { return unclear[own] })
	return p
}

// isShift reports whether all lines moved, including the first line and the lines at the left margin. If a person only
// adds or removes code around the lines, some line stays at its place. There must also be another edit, because a
// person may ask for new indentation alone.
func isShift(p reindentation) bool {
	return p.same == 0 && p.least != p.oldLeast && !p.begins && !p.all
}

// Shifted reports whether all lines of the new runs are indented more than in the old runs, or all less, by the same
// amount. Each run must have moved as a whole, because an artifact affects the whole text. At least half of the lines
// in the new runs must also be in the old runs.
func Shifted(old, new [][]string) bool {
	by, left, moved, lines := "", false, 0, 0
	for i := range old {
		p := reindentationOf(strings.Join(new[i], "\n"), old[i])
		if p.least == p.oldLeast {
			return false
		}
		for _, line := range new[i] {
			own := text.Indentation(line)
			if was, ok := p.known[line[len(own):]]; ok && own != line {
				shift, toLeft := strings.TrimSuffix(own, was), len(own) < len(was)
				if toLeft {
					shift = strings.TrimSuffix(was, own)
				}
				if moved > 0 && (shift != by || toLeft != left) {
					return false
				}
				by, left, moved = shift, toLeft, moved+1
			}
			if !text.IsBlank(line) {
				lines++
			}
		}
	}
	return by != "" && moved >= text.Habit && 2*moved >= lines
}

// isRetabbed reports whether tabs became spaces, or spaces became tabs, and there is also another change.
func isRetabbed(p reindentation) bool {
	if p.all {
		// Only the indentation differs, so a person may have asked for exactly that.
		return false
	}
	found := false
	for own, was := range p.becomes {
		switch {
		case own == "" && was == "":
		case own == was, own == "", was == "":
			return false
		case isOnly(own, "\t") && isOnly(was, " "), isOnly(own, " ") && isOnly(was, "\t"):
			found = true
		default:
			return false
		}
	}
	return found
}

func isOnly(s, space string) bool { return strings.Trim(s, space) == "" }
