package place

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/text"
)

const (
	mostAnchors     = 3   // the largest number of lines that are searched for
	mostAnchored    = 8   // the largest number of places of each line that are examined
	mostKept        = 200 // the largest number of lines in a passage
	eachLineOfPlace = 64  // the cost of each compared line, in units of the meter
)

// WithKept returns the change with its kept lines as the file has them. Only kept lines may differ from the file,
// only at one place, and only by one artifact that the added lines certainly do not have. The result is sure even if
// the artifact cannot be undone reliably in new text, because the file shows what the kept lines were.
func (c Change) WithKept(t *Text) (r Restored, ok bool) {
	old, new := strings.Split(strings.TrimSuffix(c.Old, "\n"), "\n"), strings.Split(strings.TrimSuffix(c.New, "\n"), "\n")
	if len(old) < 2 || len(old) > mostKept || len(new) > mostKept {
		return Restored{}, false
	}
	kept := keptLines(old, new)
	keeps, added := make([]bool, len(old)), []string{}
	for j, line := range new {
		if i, ok := kept[j]; ok {
			keeps[i] = true
		} else {
			added = append(added, line)
		}
	}
	var found []string
	starts := map[int]bool{}
	for _, i := range longestOf(old) {
		for _, span := range WholeLines.Find(t, old[i]+"\n", mostAnchored) {
			lines, start := linesFrom(t, span.Start, i, len(old))
			if lines == nil || starts[start] || !t.Meter().Pay(eachLineOfPlace*len(lines)) {
				continue
			}
			if a := artifactOf(old, lines, keeps, added, t.LF); a != nil {
				starts[start], found, r.By = true, lines, a
			}
		}
	}
	if len(starts) != 1 {
		return Restored{}, false
	}
	for j, i := range kept {
		new[j] = found[i]
	}
	r.Old, r.New = strings.Join(found, "\n")+c.Old[len(strings.TrimSuffix(c.Old, "\n")):], strings.Join(new, "\n")+c.New[len(strings.TrimSuffix(c.New, "\n")):]
	r.Sure = true
	return r, true
}

// longestOf returns the indexes of the longest lines.
func longestOf(lines []string) (longest []int) {
	for i, line := range lines {
		if text.Shared.Says(line) {
			longest = append(longest, i)
		}
	}
	slices.SortStableFunc(longest, func(i, j int) int { return len(lines[j]) - len(lines[i]) })
	return longest[:min(len(longest), mostAnchors)]
}

// linesFrom returns n lines of a text, with line i at the offset `at`, and the offset of the first line. It returns
// nil if the text has no such lines.
func linesFrom(t *Text, at, i, n int) (lines []string, start int) {
	w := t.windowOfLines(at, n)
	from := at - w.At
	for ; i > 0; i-- {
		if from == 0 {
			return nil, 0
		}
		from = strings.LastIndexByte(w.Text[:from-1], '\n') + 1
	}
	lines = strings.Split(w.Text[from:], "\n")
	if len(lines) < n {
		return nil, 0
	}
	return lines[:n], w.At + from
}

// artifactOf returns the artifact by which kept lines differ from the lines of the file, or nil. All other lines
// must be equal, and together the lines must be long enough to be recognized.
func artifactOf(old, found []string, keeps []bool, added []string, file func() string) *artifact.Artifact {
	var was, is []string
	says := 0
	for i, line := range old {
		if strings.TrimRight(line, " \t") == strings.TrimRight(found[i], " \t") {
			says += text.NonBlanks(line, int(text.Passage))
			continue
		}
		if !keeps[i] {
			return nil
		}
		was, is = append(was, found[i]), append(is, line)
		says += min(text.SharedEnds(strings.TrimSpace(line), strings.TrimSpace(found[i])), int(text.Passage))
	}
	if len(is) == 0 || says < int(text.Passage) {
		return nil
	}
	return artifact.OfKept(was, is, added, file)
}
