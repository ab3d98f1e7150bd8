package doubt

import (
	"strconv"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// numbered matches the beginning of an item or a heading of Markdown with a number. The first group has what is before
// the number.
var numbered = lazyregexp.New(`^([ \t]*|#+ )(\d{1,3})[.):] `)

// listNumber returns the number of an item or a heading with what is before it, or "".
func listNumber(line string) string {
	m := numbered.FindStringSubmatch(line)
	if m == nil {
		return ""
	}
	return m[1] + m[2]
}

// A numberedList is a list of items, or the headings of one level, with their numbers.
type numberedList struct {
	before      string         // what is before each number
	count       map[string]int // how often each number occurs
	first, last int            // the smallest and the largest number
}

// repeats returns the numbers that occur several times, if all numbers from the first to the last one occur. Other lists
// may repeat a number on purpose, such as a list in which each number is 1.
func (l numberedList) repeats() (again []string) {
	if len(l.count) < text.Habit || l.last-l.first+1 != len(l.count) {
		return nil
	}
	for number, n := range l.count {
		if n > 1 {
			again = append(again, number)
		}
	}
	return again
}

// twiceInList returns the results of listNumber that occur twice in a list that counts up. A list ends at a heading, at a
// paragraph or another list beside it, and above an item with the number 1.
func twiceInList(lines []string) map[string]bool {
	again := map[string]bool{}
	var lists []numberedList // the headings around a line, outermost first, and then the lists around it
	end := func(ends func(before string) bool) {
		for n := len(lists); n > 0 && ends(lists[n-1].before); n-- {
			for _, number := range lists[n-1].repeats() {
				again[number] = true
			}
			lists = lists[:n-1]
		}
	}
	blank, fenced := true, false
	for _, line := range lines {
		if isFence := strings.HasPrefix(strings.TrimSpace(line), "```"); isFence || fenced || text.IsBlank(line) {
			fenced = fenced != isFence
			blank = !isFence && !fenced
			continue
		}
		m, depth := numbered.FindStringSubmatch(line), len(text.Indentation(line))
		switch level := strings.IndexFunc(line, func(r rune) bool { return r != '#' }); {
		case level > 0:
			end(func(before string) bool { return before == "" || before[0] != '#' || len(before) > level+1 })
		case m != nil || isBullet(line):
			end(func(before string) bool {
				return len(before) > depth && before[0] != '#' || m == nil && before == line[:depth]
			})
		case blank:
			end(func(before string) bool { return len(before) >= depth && !strings.HasPrefix(before, "#") })
		}
		if blank = false; m == nil {
			continue
		}
		number, _ := strconv.Atoi(m[2])
		if number <= 1 {
			end(func(before string) bool { return before == m[1] })
		}
		if n := len(lists); n == 0 || lists[n-1].before != m[1] {
			lists = append(lists, numberedList{m[1], map[string]int{}, number, number})
		}
		l := &lists[len(lists)-1]
		l.count[m[1]+m[2]]++
		l.first, l.last = min(l.first, number), max(l.last, number)
	}
	end(func(string) bool { return true })
	return again
}

// isBullet reports whether a line is an item of a list without numbers.
func isBullet(line string) bool {
	line = strings.TrimLeft(line, " \t")
	return len(line) > 1 && strings.IndexByte("-*+", line[0]) >= 0 && line[1] == ' '
}
