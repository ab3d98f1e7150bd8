package doubt

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// plainAwait finds a new `await` in a function that is not asynchronous. Every language with `await` rejects that.
var plainAwait = Rule{
	ID: "plain-await", program: true,
	doubts: func(c *Change) *Doubt {
		if !slices.Contains(waiting, c.ext()) || !c.adds(waits) || !c.Meter.Pay(len(c.Before())/eachNamed) {
			return nil
		}
		now := plainAwaits(c.after())
		if len(now) == 0 || len(plainAwaits(c.oldLines())) > 0 {
			return nil
		}
		for run, r := range c.Runs {
			for i, line := range r.New {
				if fn := now[line]; fn != "" && !c.isQuoted(run, i) {
					return warn(c.at(r), diag.InvalidSyntax, "%q is in a function that is not asynchronous: %q; make the function asynchronous, and check its callers", text.Cut(strings.TrimSpace(line), 60), text.Cut(strings.TrimSpace(fn), 60))
				}
			}
		}
		return nil
	},
}

// waiting lists the extensions of languages in which only an asynchronous function may have an `await`.
var waiting = []string{".py", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".tsx", ".cs", ".rs", ".dart", ".swift"}

// awaited matches a line with an `await` up to that word. Prose in a page does not match.
var awaited = lazyregexp.New(`^(.*?(?:^|[=(,:[{!?&|+]|\breturn\b|[\w)?]\.))\s*await(?:\s+[\w.$]+(?:[(<[;,)\]]|$)|\s*\(|[;.?]|$)`)

// waits reports whether a line has an `await` that belongs to the function around the line.
func waits(line string) bool {
	m := awaited.FindStringSubmatch(line)
	return m != nil && !isRemark(line) && bare(line) != "" && !strings.ContainsAny(m[1], "\"'`#") && !begun.MatchString(m[1])
}

// begun matches the beginning of a function within a line.
var begun = lazyregexp.New(`=>|\b(?:async|function|lambda|fn|func|def)\b|\|`)

// plainAwaits returns the lines that have an `await` although the function around them is certainly not asynchronous,
// with the first line of that function.
func plainAwaits(lines []string) map[string]string {
	found := map[string]string{}
	var around []string // the lines that open the blocks around a line, outermost first
	for _, line := range lines {
		if !text.HasWord(line) || isRemark(line) {
			continue
		}
		n := len(around)
		for n > 0 && len(text.Indentation(around[n-1])) >= len(text.Indentation(line)) {
			n--
		}
		around = around[:n]
		if waits(line) {
			if fn := plainFunction(around); fn != "" {
				found[line] = fn
			}
		}
		around = append(around, line)
	}
	return found
}

// plainFunction returns the first line of the innermost function, or "" if the function is asynchronous, or if a line
// may begin something else.
func plainFunction(around []string) string {
	for _, line := range slices.Backward(around) {
		body := strings.TrimLeft(line, " \t}")
		opened, closed := strings.Count(body, "("), strings.Count(body, ")")
		switch {
		case hasName(body, "async"):
			return ""
		case branches[firstWord(body)]:
		case strings.HasSuffix(body, "=> {") && closed <= opened, Defines(line) != "" && (function.MatchString(body) || opened > 0 && closed == opened && endsHeader.MatchString(body)):
			return line
		default:
			return ""
		}
	}
	return ""
}

// endsHeader matches the end of the first line of a method. Its block may begin on the next line.
var endsHeader = lazyregexp.New(`^[^=]*(?:\)|\{)$`)

// branches has the words that begin a branch or a loop.
var branches = text.WordSet("if elif else for foreach while do try catch except finally switch case default match with loop using lock guard unsafe repeat")
