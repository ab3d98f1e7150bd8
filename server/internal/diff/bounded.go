package diff

import "znkr.io/diff"

// Up to these sizes, a diff has the fewest lines. Its time is proportional to the number of lines
// times the number of lines that differ.
const (
	fewLines  = 4096 // in both texts together
	fewDiffer = 2000
)

// Bounded returns options for a diff of lines whose time does not grow with the square of
// their number. The diff has the fewest lines unless the texts are long and differ in many
// lines.
func Bounded(before, after []string, options ...diff.Option) []diff.Option {
	for len(before) > 0 && len(after) > 0 && before[0] == after[0] {
		before, after = before[1:], after[1:]
	}
	for len(before) > 0 && len(after) > 0 && before[len(before)-1] == after[len(after)-1] {
		before, after = before[:len(before)-1], after[:len(after)-1]
	}
	if len(before)+len(after) <= fewLines || len(before) == 0 || len(after) == 0 {
		return options
	}
	differ := 0
	for _, e := range diff.Edits(before, after, diff.Fast()) {
		if e.Op != diff.Match {
			differ++
		}
	}
	if differ > fewDiffer {
		options = append(options, diff.Fast())
	}
	return options
}

// Lines returns the edits that turn the lines of one text into those of another, by a
// [Bounded] diff.
func Lines(before, after []string) []diff.Edit[string] {
	return diff.Edits(before, after, Bounded(before, after)...)
}
