package reply

import (
	"strings"
	"unicode"

	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// pair adds two fences to the unread parts if the first has an old text of a file and the second has its replacement.
// Either the labels of the fences say so, or the file contains the first text, and the second is another version of it.
// pair reports whether the fences are an old text and its replacement.
func (a *lister) pair(from int, old, new *mdblock.Block) bool {
	if a.isRead(new.Span) || old.IsCommands() || new.IsCommands() || isDiff(old) || isDiff(new) || !old.Closed {
		return false
	}
	above, between := LineAbove(a.doc, from, old.Open.Start), LineAbove(a.doc, old.Span.End, new.Open.Start)
	second := between.In(a.doc)
	if textLines(a.doc[old.Span.End:new.Span.Start]) > 1 || len([]rune(second)) > mostLabel {
		return false
	}
	saysOld, saysNew, sure := pairWords(above.In(a.doc), second)
	if !saysOld && !saysNew && !a.areVersions(old, new) {
		return false
	}
	name := a.pairPath(from, above, old)
	if name == "" {
		if saysOld && saysNew && !(a.anyHas(old.Body) && a.anyHas(new.Body)) {
			a.add(Unread{Kind: Pair, At: old.Open, What: "an old and a new text, without a path", Sure: sure})
		}
		return saysOld && saysNew
	}
	was, is := a.files.becomes(name, old.Body)
	if !was && !(saysOld && saysNew) || !is && !saysOld && !saysNew {
		return false
	}
	if a.files.has(name, new.Body) && a.files.has(name, old.Body) {
		// The reply makes this change in another way.
		return true
	}
	a.add(Unread{Kind: Pair, At: old.Open, Path: name, What: "an old and a new text of " + name, Sure: saysOld || saysNew || !between.Empty() && isTold(second, len(second))})
	return true
}

// areVersions reports whether at least half of the lines of a fence are versions of lines of another fence with the same
// tag.
func (a *lister) areVersions(old, new *mdblock.Block) bool {
	if old.Lang != new.Lang || old.Body == new.Body || !a.files.Meter.Pay(eachSigned*(len(old.Body)+len(new.Body))) {
		return false
	}
	was, is := text.SplitLines(squeeze(old.Body)), wordedLines(new.Body)
	if len(is) > mostNear || a.files.compared > mostCompared {
		return false
	}
	a.files.compared += len(was) * len(is)
	shapes := text.Set(text.Each(was, shapeOf))
	alike := text.Count(is, func(line string) bool {
		shape := shapeOf(line)
		return shape != "" && shapes[shape] || isVersionOfAny(a.files.Meter, line, was)
	})
	return alike > 0 && 2*alike >= len(is)
}

// pairWords reports whether the first line introduces an old text, and whether the second line introduces its
// replacement. `sure` is true if the lines ask for a replacement, and false if they may only compare the texts.
func pairWords(first, second string) (old, new, sure bool) {
	asks := Asks(first, Change)
	first, second = wordsOf(first), wordsOf(second)
	_, compares := say(first, Before)
	_, finds := say(first, Find)
	_, changes := say(first, Change)
	_, new = say(second, After)
	return (compares || finds || changes) && !introducesNew(first), new, (asks || finds) && !compares
}

// introducesNew reports whether a label ends with words that introduce a new text, for example `Change line 5 to:`. If
// so, the text below is a new text, even if the next label also introduces one. The words of a label such as `Code to
// replace:` introduce an old text.
func introducesNew(label string) bool {
	label = strings.TrimRightFunc(label, func(r rune) bool { return !unicode.IsLetter(r) })
	after := words()[After]
	for i := range label {
		if len(label)-i > mostLabel {
			continue // Skip long lines: no label is that long.
		}
		if at, ok := after.at(label, i); ok && at.End == len(label) {
			if _, finds := say(label[i:], Find); !finds {
				return true
			}
		}
	}
	return false
}

// mostLabel limits the length of a label, in characters.
const mostLabel = 60

// Labels holds what the lines above two texts say about them, in any language of words.txt.
type Labels struct {
	Known  bool // they label the texts as an old text and its replacement
	Sure   bool // they ask for a replacement, and do not only compare the texts
	Apart  bool // they introduce the first text as a new one, or the second as an addition
	Places Verb // [Both] or [AllPlaces] if the first line asks to replace the text at several places, otherwise [Nothing]
}

// PairLabels reads the lines above two texts.
func PairLabels(first, second string) (l Labels) {
	first, second = lastSentence(first), lastSentence(second)
	if len([]rune(first)) > 2*mostLabel || len([]rune(second)) > 2*mostLabel {
		return l
	}
	for _, v := range []Verb{Both, AllPlaces} {
		if _, said := say(wordsOf(first), v); said {
			l.Places = v
		}
	}
	old, new, sure := pairWords(first, second)
	l.Known, l.Sure = old && new, sure
	l.Apart = introducesNew(wordsOf(first)) || saysAny(wordsOf(first), Below, Above) || saysAny(wordsOf(second), Add)
	return l
}

// pairPath returns the file of a pair: the file that is named above the pair, or else a changed file that contained
// the first text.
func (a *lister) pairPath(from int, above text.Span, old *mdblock.Block) string {
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
	name, _ := a.files.holder(old.Body)
	return name
}

func textLines(s string) int {
	return text.Count(text.SplitLines(s), func(line string) bool { return strings.Trim(line, " \t\r\n>") != "" })
}
