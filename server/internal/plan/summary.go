package plan

import "fmt"

// Counted is a file whose lines can be counted: a [File] or a [BlockFile].
type Counted interface {
	// Changes reports whether the file would be written.
	Changes() bool
	// Stat counts the lines of a line diff. It returns zeros if the file is not text.
	Stat() (added, removed int)
	// Paths returns the file's path, followed by the new path if the file is renamed.
	Paths() []string
}

// Summary counts the files that change, and their lines: `3 files +10 −2`. The minus sign is
// U+2212. A file that is renamed and then edited under its new name counts once.
func Summary[F Counted](files []F) string {
	n, added, removed := 0, 0, 0
	renamed := map[string]bool{} // by the new name
	for _, f := range files {
		if !f.Changes() {
			continue
		}
		more, less := f.Stat()
		added, removed = added+more, removed+less
		paths := f.Paths()
		if !renamed[paths[0]] {
			n++
		}
		if len(paths) > 1 {
			renamed[paths[1]] = true
		}
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
