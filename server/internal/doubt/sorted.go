package doubt

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// sorted finds a whole text in which the keys of every object are in the order of the alphabet, although
// those of several objects in the file are not. A program wrote the data anew, but the order may have a
// meaning. If nothing else changes, the order is what the person asked for.
var sorted = Rule{
	ID: "sorted", existing: true,
	doubts: func(c *Change) *Doubt {
		if !c.Whole || !slices.Contains([]string{".json", ".jsonc", ".yaml", ".yml", ".toml"}, c.ext()) || len(c.Runs) < 2 || !c.Meter.Pay(2*meter.Line*(len(c.old)+len(c.new))) {
			return nil
		}
		is := map[string]bool{}
		for _, keys := range objects(c.new) {
			if !slices.IsSorted(keys) {
				return nil
			}
			is[strings.Join(keys, "\n")] = true
		}
		moved, first := 0, ""
		for _, keys := range objects(c.old) {
			if !slices.IsSorted(keys) && is[strings.Join(slices.Sorted(slices.Values(keys)), "\n")] {
				moved++
				first = keys[0]
			}
		}
		if moved < 2 {
			return nil
		}
		values := text.Set(text.Each(c.old, valueOf))
		if !c.adds(func(line string) bool { return text.HasWord(line) && !values[valueOf(line)] }) {
			return nil
		}
		return warn(c.textAt(), diag.TextArtifact, "the new text has the keys of each object in the order of the alphabet, but %s has those of %d objects in another order, such as the one with %s; write them in the order of the file", c.Path, moved, cut(first, 40))
	},
}

// valueOf returns a line without its indentation and the comma behind it.
func valueOf(line string) string { return strings.TrimSuffix(strings.TrimSpace(line), ",") }

// keyed matches a line that begins with the key of a value. The dash before a key begins an item of a list.
var keyed = lazyregexp.New(`^([ \t]*(?:- +)?)("[^"]+"|'[^']+'|[\w./@-]+)[ \t]*[:=]`)

// objects returns the keys of each object in the lines of JSON, YAML or TOML. Objects with one key do not
// count.
func objects(lines []string) (out [][]string) {
	type object struct {
		depth int
		keys  []string
	}
	var open []object
	end := func(depth int) {
		for len(open) > 0 && open[len(open)-1].depth >= depth {
			if last := open[len(open)-1]; len(last.keys) > 1 {
				out = append(out, last.keys)
			}
			open = open[:len(open)-1]
		}
	}
	for _, line := range lines {
		m := keyed.FindStringSubmatch(line)
		switch {
		case locate.IsBlank(line):
		case m == nil && strings.HasPrefix(line, "["):
			end(0)
		case m == nil:
			end(len(locate.Indentation(line)) + 1)
		default:
			depth := len(m[1])
			if end(depth + 1); depth > len(locate.Indentation(line)) {
				end(depth)
			}
			if len(open) == 0 || open[len(open)-1].depth < depth {
				open = append(open, object{depth: depth})
			}
			open[len(open)-1].keys = append(open[len(open)-1].keys, strings.Trim(m[2], `"'`))
		}
	}
	end(0)
	return out
}
