package reply

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// pair lists two fences of which the first has a text of a file and the second the text in its
// place, and reports whether they are a pair: by the words above both, or as the file has the first
// text and not the second.
func (a *account) pair(from int, old, new *mdblock.Block) bool {
	if a.isRead(new.Span) || isShell(old.Lang) || isShell(new.Lang) || isDiff(old) || isDiff(new) || !old.Closed {
		return false
	}
	above, between := lineAbove(a.doc, from, old.Open.Start), lineAbove(a.doc, old.Span.End, new.Open.Start)
	second := between.In(a.doc)
	if textLines(a.doc[old.Span.End:new.Span.Start]) > 1 || len([]rune(second)) > 60 {
		return false
	}
	first := wordsOf(above.In(a.doc))
	_, saysOld := say(first, Before)
	if !saysOld {
		_, saysOld = say(first, Change)
	}
	_, saysNew := say(wordsOf(second), After)
	if !saysOld && !saysNew {
		return false
	}
	name := a.pairPath(from, above, old)
	if name == "" {
		if saysOld && saysNew && !a.pairMade(old, new) {
			a.add(Unread{Kind: Pair, At: old.Open, What: "a text and the one in its place, for no file that is named"})
		}
		return saysOld && saysNew
	}
	was, _ := a.files.becomes(name, old.Body)
	if !was && !(saysOld && saysNew) {
		return false
	}
	if a.files.has(name, new.Body) && a.files.has(name, old.Body) {
		return true // it shows what the reply does
	}
	a.add(Unread{Kind: Pair, At: old.Open, Path: name, What: "a text of " + name + " and the one in its place", Sure: true})
	return true
}

// pairPath is the file that a pair is for: the one above it, or the one that has its first text.
func (a *account) pairPath(from int, above text.Span, old *mdblock.Block) string {
	if l := a.label(from, old); l.Path != "" {
		return l.Path
	}
	if name := a.sectionPath(from, above); name != "" {
		return name
	}
	for name := range a.files.Made {
		if was, _ := a.files.becomes(name, old.Body); was {
			return name
		}
	}
	return ""
}

// pairMade reports whether a file that the reply changes has both texts, before or after.
func (a *account) pairMade(old, new *mdblock.Block) bool {
	return a.anyHas(old.Body) && a.anyHas(new.Body)
}

// textLines counts the lines of a text that are not blank.
func textLines(s string) int {
	n := 0
	for _, line := range text.SplitLines(s) {
		if strings.Trim(line, " \t\r\n>") != "" {
			n++
		}
	}
	return n
}
