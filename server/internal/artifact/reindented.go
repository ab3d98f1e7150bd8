package artifact

import "strings"

// reindent returns a text with the indentation that its lines have in the old text, if one
// artifact of indentation explains all of them that differ.
func reindent(explains func(p reindentation) bool) func(string, []string) (string, bool) {
	return func(s string, old []string) (string, bool) {
		p := reindentationOf(s, old)
		if p.changed < fewestReindented || !explains(p) {
			return s, false
		}
		return eachLine(func(line string) string {
			own := indentation(line)
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

// fewestReindented is how many lines show that an indentation is not what it was.
const fewestReindented = 2

// A reindentation is how the indentation of lines differs that two texts have.
type reindentation struct {
	known            map[string]string // the old indentation of a line; of those that have one only
	becomes          map[string]string // an indentation, and the old one; of those with one only
	changed, same    int               // lines that have another indentation, and that have the same
	least, oldLeast  int               // bytes of the shortest indentation of each text
	all              bool              // no line differs in anything else
	indented, depths int               // lines of the text that have an indentation, and depths of the changed lines in the old text
}

func reindentationOf(s string, old []string) reindentation {
	p := reindentation{known: map[string]string{}, becomes: map[string]string{}, all: true}
	twice := map[string]bool{}
	for _, line := range old {
		own := indentation(line)
		if had, ok := p.known[line[len(own):]]; ok && had != own {
			twice[line[len(own):]] = true
		}
		p.known[line[len(own):]] = own
	}
	for body := range twice {
		delete(p.known, body)
	}
	all, _ := lines(s)
	p.least, p.oldLeast = leastIndentation(all), leastIndentation(old)
	depths, unclear := map[string]bool{}, map[string]bool{}
	for _, line := range all {
		own := indentation(line)
		body := line[len(own):]
		if body == "" {
			continue
		}
		if own != "" {
			p.indented++
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
			depths[was] = true
		}
		if had, ok := p.becomes[own]; ok && had != was {
			unclear[own] = true
		}
		p.becomes[own] = was
	}
	for own := range unclear {
		delete(p.becomes, own)
	}
	p.depths = len(depths)
	return p
}

func leastIndentation(all []string) int {
	least := -1
	for _, line := range all {
		if n := len(indentation(line)); !isBlank(line) && (least < 0 || n < least) {
			least = n
		}
	}
	return max(least, 0)
}

// isShift: all lines move, those at the left too. What is put around lines, or taken off, leaves
// one where it was.
func isShift(p reindentation) bool {
	return p.same == 0 && p.least != p.oldLeast && !p.all
}

// Shifted reports whether all lines of runs, which replace others, moved by one and the same
// indentation, as what happens to a text happens to all of it: each run as a whole, and most of its lines
// are lines that were there.
func Shifted(old, new [][]string) bool {
	by, left, moved, lines := "", false, 0, 0
	for i := range old {
		p := reindentationOf(strings.Join(new[i], "\n"), old[i])
		if p.least == p.oldLeast {
			return false
		}
		for _, line := range new[i] {
			own := indentation(line)
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
			if !isBlank(line) {
				lines++
			}
		}
	}
	return by != "" && 2*moved >= lines
}

// isFlat: no line has an indentation, and in the old text they had several.
func isFlat(p reindentation) bool { return p.indented == 0 && p.depths > 1 }

// isRetabbed: tabs became spaces, or spaces tabs, and something else changed too.
func isRetabbed(p reindentation) bool {
	if p.all {
		return false // to change them is what is asked for
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
