package gitdiff

import "strings"

// A scheme describes the prefixes of the names in a patch. git writes the same prefixes before all names.
type scheme struct {
	// Names have no prefix, as with --no-prefix. A name that is the same on both sides then stays as it is, even if
	// it begins with `a/`.
	bare    bool
	doubled bool // every name begins with `a/a/` or `b/b/`
}

func readScheme(s *source) (found scheme) {
	found.doubled = s.doubled()
	for i := range s.count() {
		if s.kind(i) != gitHeader || found.bare {
			continue
		}
		old, new, ok := s.gitNames(i)
		first, _ := old.cut()
		found.bare = ok && old.raw == new.raw && !ab(first) || s.movesBare(i)
	}
	return found
}

// movesBare reports whether line i, the first header line of a rename or copy, has the same names as the lines below,
// where git never writes prefixes.
func (s *source) movesBare(i int) bool {
	var from, to name
	for j := i + 1; j < min(i+headerLinesAtMost, s.count()) && s.kind(j) == other; j++ {
		s.readMoved(j, &from, &to)
	}
	if !from.ok() || !to.ok() {
		return false
	}
	old, new, ok := s.movedNames(i, from.raw, to.raw)
	return ok && old.raw == from.raw && new.raw == to.raw && !prefixesLeft(old, new)
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
