package check

import (
	"fmt"
	"sort"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// versionOf returns a warning if a block only adds lines next to lines that an earlier block added, and both are
// versions of the same lines: `redis.host=a` and `data.redis.host=a`. The person then needs only one of the two, for
// example the one for the installed release. versionOf returns "" if there is no such block.
func (w written) versionOf(f plan.BlockFile, m *meter.Meter) string {
	for _, run := range f.Runs() {
		n := run.NewEnd - run.NewStart
		i := sort.Search(len(w), func(i int) bool { return w[i].end >= run.OldStart })
		if i+1 < len(w) && w[i+1].start == run.OldStart && w[i].end-w[i].start != n {
			i++ // the new lines are between two stretches
		}
		if i == len(w) || w[i].end-w[i].start != n || w[i].start != run.OldStart && w[i].end != run.OldStart || n < leastVersions || run.OldStart < run.OldEnd {
			continue
		}
		before, after := f.Before().Data, f.After().Data
		if !m.Pay(eachCompared * (len(before) + len(after))) {
			return ""
		}
		was, is := text.SplitLines(before)[w[i].start:w[i].end], text.SplitLines(after)[run.NewStart:run.NewEnd]
		if areVersions(was, is) {
			return fmt.Sprintf("this block adds %q, and block %d adds %q at the same place: the two may be alternatives, such as for two releases; apply only one of them", text.Cut(strings.TrimSpace(is[0]), 60), w[i].block, text.Cut(strings.TrimSpace(was[0]), 60))
		}
	}
	return ""
}

// leastVersions is the smallest number of lines that show that two texts are alternatives. A single line may resemble
// another one by chance: `get "/users"` and `get "/users/new"`.
const leastVersions = 2

// areVersions reports whether each line of one text becomes the line of the other text if one part is inserted into it,
// the same part in each line. Lines that are equal say nothing.
func areVersions(a, b []string) bool {
	part, differ := "", 0
	if len(strings.Join(a, "")) > len(strings.Join(b, "")) {
		a, b = b, a
	}
	for i, line := range a {
		if line == b[i] {
			continue
		}
		differ++
		head := text.SharedStart(line, b[i])
		more := len(b[i]) - len(line)
		if more <= 0 || text.SharedEnds(line, b[i]) < len(line) || differ > 1 && (more != len(part) || !strings.Contains(part+part, b[i][head:head+more])) {
			return false
		}
		part = b[i][head : head+more]
	}
	return differ >= leastVersions
}
