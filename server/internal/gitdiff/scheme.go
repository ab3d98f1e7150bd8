package gitdiff

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// A scheme describes the prefixes of the names in a patch. git writes the same prefixes before all names.
type scheme struct {
	// Names have no prefix, as with --no-prefix. A name that is the same on both sides then stays as it is, even if
	// it begins with `a/`.
	bare bool
	// Prefixes of at least two folders, such as "x/old/" and "x/new/", or "".
	old, new string
	doubled  bool // every name begins with `a/a/` or `b/b/`
	guessed  bool // the prefixes explain the names of every section, but no rename or copy proves them
}

// readScheme looks at the headers of all sections. A rename or a copy proves the prefixes, because some of its lines
// have the names without prefixes.
func readScheme(s *source) scheme {
	var guessed, proven scheme
	guess, proof := true, true // whether all sections so far have the same prefixes
	guessed.doubled = s.doubled()
	for i := range s.count() {
		if s.kind(i) != gitHeader {
			continue
		}
		if o, n, ok := s.movedPrefixes(i); ok {
			guessed.bare = guessed.bare || o == "" && n == ""
			proof = proof && proven.seen(o, n)
			continue
		}
		old, new, ok := s.gitNames(i)
		if !ok {
			continue
		}
		if first, _ := old.cut(); old.raw == new.raw {
			guessed.bare = guessed.bare || !ab(first)
			continue
		}
		o, n := longPrefixes(old.raw, new.raw)
		guess = guess && o != "" && guessed.seen(o, n)
	}
	switch {
	case proof && isLong(proven.old, proven.new):
		guessed.old, guessed.new = proven.old, proven.new
	case !guess || proven.old != "":
		guessed.old, guessed.new = "", ""
	default:
		guessed.guessed = guessed.old != ""
	}
	return guessed
}

// doubled reports whether all `---` and `+++` lines have git's prefixes twice. The two names of at least one section
// must show that these are prefixes.
func (s *source) doubled() bool {
	shown := false
	for i := range s.count() {
		if s.kind(i) != plainHeader {
			continue
		}
		old, new := s.fileName(i, len("--- ")), s.fileName(i+1, len("+++ "))
		a, okA := strings.CutPrefix(old.raw, "a/a/")
		b, okB := strings.CutPrefix(new.raw, "b/b/")
		if !okA && !old.devNull || !okB && !new.devNull {
			return false
		}
		shown = shown || okA && okB && a == b
	}
	return shown
}

// seen records the prefixes of a section. It returns false if an earlier section has other prefixes.
func (s *scheme) seen(old, new string) bool {
	if s.old == "" && s.new == "" {
		s.old, s.new = old, new
	}
	return s.old == old && s.new == new
}

// movedPrefixes returns the prefixes of the names on line i, the first header line of a rename or copy. It returns
// false if no later line has these names without their prefixes.
func (s *source) movedPrefixes(i int) (old, new string, ok bool) {
	var from, to name
	for j := i + 1; j < min(i+headerLinesAtMost, s.count()) && s.kind(j) == other; j++ {
		s.readMoved(j, &from, &to)
	}
	if !from.ok() || !to.ok() {
		return "", "", false
	}
	o, n, ok := s.movedNames(i, from.raw, to.raw)
	if !ok || o.raw == from.raw && n.raw == to.raw && prefixesLeft(o, n) {
		return "", "", false
	}
	return strings.TrimSuffix(o.raw, from.raw), strings.TrimSuffix(n.raw, to.raw), true
}

// readMoved reads line i if it names a side of a rename or copy.
func (s *source) readMoved(i int, from, to *name) {
	for _, word := range []string{"rename ", "copy "} {
		if strings.HasPrefix(s.text(i), word+"from ") {
			*from = s.wholeName(i, len(word+"from "))
		} else if strings.HasPrefix(s.text(i), word+"to ") {
			*to = s.wholeName(i, len(word+"to "))
		}
	}
}

// prefixesLeft reports whether the names on `rename` or `copy` lines seem to have prefixes, which git never writes
// there.
func prefixesLeft(from, to name) bool {
	return strings.HasPrefix(from.raw, "a/") && strings.HasPrefix(to.raw, "b/")
}

// headerLinesAtMost is the largest number of lines that git writes above the hunks of a file.
const headerLinesAtMost = 10

// longPrefixes returns the prefixes of two names that differ in several leading folders, such as `old/src/` and
// `new/src/`. The prefixes end with the last folder that differs. Without such prefixes, it returns "".
func longPrefixes(old, new string) (o, n string) {
	a, b := strings.Split(old, "/"), strings.Split(new, "/")
	same := text.CommonEnd(a[1:], b[1:])
	o, n = strings.Join(a[:len(a)-same], "/")+"/", strings.Join(b[:len(b)-same], "/")+"/"
	// If the names begin with `a/` and `b/`, git reads any difference between them as a rename.
	if same == 0 || !isLong(o, n) || ab(a[0]+"/") && ab(b[0]+"/") {
		return "", ""
	}
	return o, n
}

// isLong reports whether two prefixes have equally many folders, at least two.
func isLong(old, new string) bool {
	n := strings.Count(old, "/")
	return n > 1 && n == strings.Count(new, "/")
}

// take removes the prefixes of the scheme from two names. It returns false if the names do not have them.
func (s scheme) take(old, new string) (pair, bool) {
	if s.bare && old == new {
		return pair{old: old, new: new}, true
	}
	if s.old == "" || !strings.HasPrefix(old, s.old) || !strings.HasPrefix(new, s.new) {
		return pair{}, false
	}
	return pair{old[len(s.old):], new[len(s.new):], s.old, s.new}, true
}

// takeOne is [scheme.take] for a single name.
func (s scheme) takeOne(raw string) (prefix, rest string, ok bool) {
	for _, prefix := range []string{s.old, s.new} {
		if prefix != "" && strings.HasPrefix(raw, prefix) {
			return prefix, raw[len(prefix):], true
		}
	}
	return "", raw, s.bare
}
