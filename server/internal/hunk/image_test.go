package hunk

import (
	"testing"

	"pgregory.net/rapid"
)

// The image agrees with a list of lines into which the hunks are really put.
func TestImage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 12).Draw(t, "lines")
		m := newImage(n)
		real := make([]int, n) // for each line of the result, its line in the source, or -1
		for i := range real {
			real[i] = i
		}
		for range rapid.IntRange(0, 5).Draw(t, "hunks") {
			line := rapid.IntRange(0, len(real)).Draw(t, "line")
			count := rapid.IntRange(0, len(real)-line).Draw(t, "count")
			at, ok := m.source(line)
			if want := wholeRun(real, line, count); ok && m.free(at, min(count, n-at)) != want && at+count <= n {
				t.Fatalf("free(%d, %d) is %v in %v", at, count, !want, real)
			}
			if !ok || at+count > n || !m.free(at, count) || !(line == len(real) || real[line] == at) {
				continue
			}
			by := rapid.IntRange(0, 4).Draw(t, "by")
			m.put(at, count, by)
			put := make([]int, by)
			for i := range put {
				put[i] = -1
			}
			real = append(real[:line:line], append(put, real[line+count:]...)...)
		}
		for line, want := range append(real, n) {
			got, ok := m.source(line)
			if ok != (want >= 0) || ok && got != want {
				t.Fatalf("line %d of %v is %d, %v", line, real, got, ok)
			}
			if ok && m.line(got) != line {
				t.Fatalf("line %d of the source is %d in %v", got, m.line(got), real)
			}
		}
	})
}

// wholeRun reports whether n lines follow each other in the same order as in the source.
func wholeRun(lines []int, at, n int) bool {
	for i := at; i < at+n; i++ {
		if lines[i] < 0 || i > at && lines[i] != lines[i-1]+1 {
			return false
		}
	}
	return true
}
