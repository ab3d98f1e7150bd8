package artifact

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Frame describes a text with the same prefix before the indentation of each line. The prefix may be any text. A person
// writes text before the indentation only to comment out lines.
var Frame = Artifact{
	Name:    "a frame around the lines",
	Differs: "without the text added around each line",
	Fix:     "Remove the text added around each line",
	Several: true,
	Restore: unframe,
	Prose:   true,
	Asked:   true,
}

// unframe removes a frame. It finds the frame from lines of the text that contain old lines.
func unframe(s string, old []string) (string, bool) {
	all, eol := lines(s)
	f, ok := frameOf(all, old)
	if !ok {
		return s, false
	}
	was := text.Set(old)
	for i, line := range all {
		if body, framed := f.bodies[i]; framed {
			all[i] = body
		} else if !text.IsBlank(line) && !was[line] {
			all[i] = f.cut(line)
		}
	}
	return strings.Join(all, eol), true
}

// A frame is the text before and after the content of each line. A 0 in the frame stands for any number or name.
type frame struct {
	prefix, suffix string
	bodies         map[int]string // the old lines that lines of the text contain, by index of the containing line
}

// frameOf returns the frame around the lines that are not old lines. At least half of these lines must have the frame.
func frameOf(all, old []string) (f frame, ok bool) {
	if len(all) > mostFramed || len(old) > mostFramed {
		return f, false
	}
	was, found, tried := text.Set(old), map[[2]string][]int{}, 0
	bodies := map[int]string{}
	for i, line := range all {
		if was[line] || text.IsBlank(line) {
			continue
		}
		if tried++; tried > mostTried && len(found) == 0 {
			return f, false
		}
		if body, at := within(line, old); at >= 0 {
			key := [2]string{patternOf(line[:at]), strings.TrimSpace(patternOf(line[at+len(body):]))}
			found[key], bodies[i] = append(found[key], i), body
		}
	}
	var best [2]string
	for key := range found {
		if n, most := len(found[key]), len(found[best]); n > most || n == most && key[0]+key[1] < best[0]+best[1] {
			best = key
		}
	}
	f = frame{best[0], best[1], map[int]string{}}
	deep, opens, plain, everywhere := false, false, false, true
	// after holds the texts with numbers that follow an old line and begin with white space.
	after := map[string]bool{}
	for _, i := range found[best] {
		body := strings.TrimRight(bodies[i], spaces)
		goesOn := strings.ContainsAny(body[len(body)-1:], ":{([,;")
		if _, rest, _ := strings.Cut(all[i], bodies[i]); strings.TrimLeft(rest, spaces) != rest && strings.ContainsAny(rest, "0123456789") {
			after[rest] = true
		}
		f.bodies[i], deep = bodies[i], deep || text.Indentation(body) != ""
		opens, plain = opens || goesOn, plain || !goesOn
	}
	for i, line := range all {
		everywhere = everywhere && (was[line] || text.IsBlank(line) || f.bodies[i] != "" || f.cut(line) != line)
	}
	n := len(f.bodies)
	switch {
	case 2*n < tried, n < text.Habit && !(everywhere && n == text.Habit-1 && f.prefix != ""):
	// If the prefix is only white space, a person may have added the suffix to all lines of one kind.
	case text.IsBlank(f.prefix):
		return f, everywhere && n < tried && f.suffix != "" && f.suffix != `\` && (opens && plain || strings.Contains(f.suffix, "0") && !strings.HasPrefix(f.suffix, "=") && len(after) == n)
	default:
		return f, deep && !isComment(f.prefix)
	}
	return f, false
}

// word matches a number or a name. Such words may differ between the frames of two lines.
var word = lazyregexp.New(`[0-9A-Za-z_]+`)

func patternOf(s string) string { return word.ReplaceAllString(s, "0") }

const mostTried = 10

// mostFramed limits the number of lines that are compared with each other.
const mostFramed = 400

// within returns the longest old line that `line` contains, and its offset in `line`. Old lines with too little text
// are ignored.
func within(line string, old []string) (body string, at int) {
	at = -1
	for _, was := range old {
		if len(was) > len(body) && len(was) < len(line) && text.Shared.Says(was) {
			if i := strings.Index(line, was); i >= 0 {
				body, at = was, i
			}
		}
	}
	// If the start of an old line, with its indentation, is in the middle of an edited line, the edited line has a
	// frame.
	for _, was := range old {
		if head := headOf(was); at < 0 && head != "" {
			if i := strings.Index(line, head); i > 0 {
				return line[i:], i
			}
		}
	}
	return body, at
}

// headOf returns the start of a line: its indentation and enough characters to recognize the line. It returns "" if the
// line is too short, or has too little indentation.
func headOf(line string) string {
	n := len(text.Indentation(line))
	if head := line[:min(len(line), n+2*int(text.Shared))]; n > 1 && text.Shared.Says(head) {
		return head
	}
	return ""
}

func (f frame) cut(line string) string {
	body, pattern := line, strings.TrimRight(f.prefix, " ")
	for end := min(len(line), len(f.prefix)+longestWord); end > 0 && f.prefix != ""; end-- {
		if p := patternOf(line[:end]); p == f.prefix || strings.TrimRight(p, " ") == pattern && end == len(line) {
			body = line[end:]
			break
		}
	}
	if body == line && f.prefix != "" {
		return line
	}
	body = strings.TrimRight(body, spaces)
	for start := max(0, len(body)-len(f.suffix)-longestWord); start < len(body) && f.suffix != ""; start++ {
		if strings.TrimSpace(patternOf(body[start:])) == f.suffix {
			return strings.TrimRight(body[:start], spaces)
		}
	}
	return body
}

// longestWord limits the length of a number or a name in a frame, in bytes.
const longestWord = 24

func isComment(prefix string) bool {
	switch strings.TrimSpace(prefix) {
	case "#", "//", "--", ";", ";;", "%", "'", "REM", "rem", "/*", "*", "<!--", "!", "\"":
		return true
	}
	return false
}
