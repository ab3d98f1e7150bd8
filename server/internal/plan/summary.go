package plan

import "fmt"

// Summary counts the files that change, and their lines: `3 files +10 −2`. The minus sign
// is U+2212.
func Summary(files []File) string {
	n, added, removed := 0, 0, 0
	for _, f := range files {
		if f.State != Change {
			continue
		}
		more, less := f.Stat()
		n, added, removed = n+1, added+more, removed+less
	}
	return SummaryOf(n, added, removed)
}

// SummaryOf is [Summary] where the counts are known.
func SummaryOf(files, added, removed int) string {
	noun := "files"
	if files == 1 {
		noun = "file"
	}
	return fmt.Sprintf("%d %s +%d −%d", files, noun, added, removed)
}
