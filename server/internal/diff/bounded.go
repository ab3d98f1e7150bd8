package diff

import "znkr.io/diff"

// The fewest edits take time in proportion to the square of their number. If that is more than
// stepsPerLine for each line, or there are more than fewDiffer edits, there may be more edits than
// necessary. So the time for many files is bounded, too, by all of their lines.
const (
	stepsPerLine = 512
	fewDiffer    = 2000
)

// Bounded returns options for a diff of lines whose time does not grow with the square of
// their number. The diff has the fewest lines unless the texts differ in many lines.
func Bounded(before, after []string, options ...diff.Option) []diff.Option {
	for len(before) > 0 && len(after) > 0 && before[0] == after[0] {
		before, after = before[1:], after[1:]
	}
	for len(before) > 0 && len(after) > 0 && before[len(before)-1] == after[len(after)-1] {
		before, after = before[:len(before)-1], after[:len(after)-1]
	}
	lines := len(before) + len(after)
	if lines <= stepsPerLine || len(before) == 0 || len(after) == 0 {
		return options
	}
	if differ := changed(diff.Edits(before, after, diff.Fast())); differ > fewDiffer || differ*differ > stepsPerLine*lines {
		options = append(options, diff.Fast())
	}
	return options
}

// changed counts the lines that edits remove or add.
func changed(edits []diff.Edit[string]) (n int) {
	for _, e := range edits {
		if e.Op != diff.Match {
			n++
		}
	}
	return n
}

// Lines returns the edits that turn the lines of one text into those of another, by a
// [Bounded] diff.
func Lines(before, after []string) []diff.Edit[string] {
	return diff.Edits(before, after, Bounded(before, after)...)
}
