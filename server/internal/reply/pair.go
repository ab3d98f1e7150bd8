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
	above, between := LineAbove(a.doc, from, old.Open.Start), LineAbove(a.doc, old.Span.End, new.Open.Start)
	second := between.In(a.doc)
	if textLines(a.doc[old.Span.End:new.Span.Start]) > 1 || len([]rune(second)) > mostLabel {
		return false
	}
	saysOld, saysNew, _ := pairWords(above.In(a.doc), second)
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

// pairWords reports what the lines above two texts say: the first is an old text, and the second the
// one in its place. sure: as they ask for a replacement, and do not only compare.
func pairWords(first, second string) (old, new, sure bool) {
	first, second = wordsOf(first), wordsOf(second)
	_, compares := say(first, Before)
	_, finds := say(first, Find)
	_, changes := say(first, Change)
	_, new = say(second, After)
	return compares || finds || changes, new, finds && !compares
}

// mostLabel is how many characters the label of a text has.
const mostLabel = 60

// PairLabels reports whether the lines above two texts are the labels of a pair, an old text and the one in
// its place, in any language of the table. sure: they ask for the replacement, and do not only compare.
func PairLabels(first, second string) (ok, sure bool) {
	if len([]rune(first)) > 2*mostLabel || len([]rune(second)) > mostLabel {
		return false, false
	}
	old, new, sure := pairWords(first, second)
	return old && new, sure
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
