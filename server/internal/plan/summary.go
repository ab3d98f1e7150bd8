package plan

import "fmt"

// Counted is a file whose lines can be counted: a [File] or a [BlockFile].
type Counted interface {
	// Changes reports whether the file would be written.
	Changes() bool
	// Stat counts the lines of a line diff. It returns zeros if the file is not text.
	Stat() (added, removed int)
}

// Summary counts the files that change, and their lines: `3 files +10 −2`. The minus sign
// is U+2212.
func Summary[F Counted](files []F) string {
	n, added, removed := 0, 0, 0
	for _, f := range files {
		if !f.Changes() {
			continue
		}
		more, less := f.Stat()
		n, added, removed = n+1, added+more, removed+less
	}
	return SummaryOf(n, added, removed)
}

// SummaryOf formats known counts like [Summary].
func SummaryOf(files, added, removed int) string {
	noun := "files"
	if files == 1 {
		noun = "file"
	}
	return fmt.Sprintf("%d %s +%d −%d", files, noun, added, removed)
}
