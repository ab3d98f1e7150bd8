package gitdiff

import "strings"

// A scheme is how all names of a patch are prefixed: git writes them all alike.
type scheme struct {
	// bare: none is, as with --no-prefix. Names that are the same on both sides are
	// whole then, also those that begin with `a/`.
	bare bool
	// old and new are prefixes of two folders or more, such as "x/old/" and "x/new/";
	// "" where there are none.
	old, new string
}

// readScheme looks at the headers of all sections.
func readScheme(s *source) scheme {
	var found scheme
	differ := false
	for i := range s.count() {
		if s.kind(i) != gitHeader {
			continue
		}
		old, new, ok := s.gitNames(i)
		if !ok {
			continue
		}
		if old.raw == new.raw {
			first, _ := old.cut()
			found.bare = found.bare || !ab(first)
			continue
		}
		found.bare = found.bare || s.saysMoved(i, old.raw)
		o, n := longPrefixes(old.raw, new.raw)
		differ = differ || o == "" || found.old != "" && (o != found.old || n != found.new)
		found.old, found.new = o, n
	}
	if differ {
		found.old, found.new = "", ""
	}
	return found
}

// saysMoved reports whether the header at line i goes on with a rename or a copy
// from a name that is written as the header has it: without a prefix in both.
func (s *source) saysMoved(i int, old string) bool {
	for j := i + 1; j < min(i+headerLinesAtMost, s.count()); j++ {
		for _, word := range []string{"rename from ", "copy from "} {
			if rest, ok := strings.CutPrefix(s.text(j), word); ok {
				from, _, quoted := unquote(rest)
				if !quoted {
					from = rest
				}
				first, _, _ := strings.Cut(old, "/")
				return from == old && !ab(first+"/")
			}
		}
	}
	return false
}

// headerLinesAtMost is how many lines git writes above the hunks of a file.
const headerLinesAtMost = 10

// longPrefixes are the folders up to the last in which two names differ, where
// these are two at least and as many on both sides; else "".
func longPrefixes(old, new string) (o, n string) {
	a, b := strings.Split(old, "/"), strings.Split(new, "/")
	same := 0
	for same < min(len(a), len(b))-1 && a[len(a)-1-same] == b[len(b)-1-same] {
		same++
	}
	if len(a) != len(b) || len(a)-same < 2 || same == 0 {
		return "", ""
	}
	return strings.Join(a[:len(a)-same], "/") + "/", strings.Join(b[:len(b)-same], "/") + "/"
}

// take takes the scheme's prefixes off two names; not ok where it says nothing of
// them.
func (s scheme) take(old, new string) (pair, bool) {
	if s.bare && old == new {
		return pair{old: old, new: new}, true
	}
	if s.old == "" || !strings.HasPrefix(old, s.old) || !strings.HasPrefix(new, s.new) {
		return pair{}, false
	}
	return pair{old[len(s.old):], new[len(s.new):], s.old, s.new}, true
}

// takeOne is take for a name of one side.
func (s scheme) takeOne(raw string) (prefix, rest string, ok bool) {
	for _, prefix := range []string{s.old, s.new} {
		if prefix != "" && strings.HasPrefix(raw, prefix) {
			return prefix, raw[len(prefix):], true
		}
	}
	return "", raw, s.bare
}
