package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A curve shows how the processor time of a command grows with one number.
type curve struct {
	work
	sized func(n int) input // makes an input of size n; nil for the curve of open replies
	least int               // the first size; each further size is twice the previous one
}

// points is the number of sizes that are measured for a curve.
const points = 6

var curves = []curve{
	{work{name: "blocks of a reply, one find each, in one file", command: "apply"}, func(n int) input {
		return edited([]edit{programEdit("a.txt", 1, 40*n, n)}, "reply.md", blocks)
	}, 12},
	{work{name: "files of 12 KB, one find each", command: "apply"}, func(n int) input {
		return edited(programEdits(n, 310, 1), "reply.md", structured)
	}, 100},
	{work{name: "finds in one file, one in 40 lines", command: "apply"}, func(n int) input {
		return edited([]edit{programEdit("a.txt", 1, 40*n, n)}, "reply.md", structured)
	}, 500},
	{work{name: "hunks in one file, one in 40 lines", command: "apply"}, func(n int) input {
		return edited([]edit{programEdit("a.txt", 1, 40*n, n)}, "reply.patch", gitPatch)
	}, 500},
	{work{name: "entries of the history, before a patch of one line", command: "apply"}, func(n int) input {
		in := edited([]edit{programEdit("a.txt", 1, 100, 1)}, "reply.patch", gitPatch)
		in.entries = n
		return in
	}, 200},
	{work{name: "replies open in an editor, a key in one of them"}, nil, 25},
}

// blocks returns a reply with one block for each change.
func blocks(edits []edit) string {
	var b strings.Builder
	for _, e := range edits {
		for _, c := range e.changes {
			one := e
			one.changes = []change{c}
			b.WriteString(structured([]edit{one}))
			b.WriteString("\n")
		}
	}
	return b.String()
}

// A point is the median time for a size.
type point struct{ size, ms float64 }

// measureGrowth prints the curves as a table, and returns them.
func (b *bench) measureGrowth(out io.Writer, pick *regexp.Regexp) (names []string, all [][]point, err error) {
	fmt.Fprint(out, row([]string{"processor time against", "sizes", "milliseconds", "growth"}), row([]string{"---", "---", "---", "---:"}))
	for _, c := range curves {
		if !pick.MatchString(c.name) {
			continue
		}
		measured, err := b.growthOf(c)
		if errors.Is(err, errors.ErrUnsupported) {
			fmt.Fprintln(os.Stderr, err)
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		names, all = append(names, c.name), append(all, measured)
		fmt.Fprint(out, growthRow(c.name, measured))
	}
	return names, all, nil
}

func (b *bench) growthOf(c curve) ([]point, error) {
	var all []point
	for i := range points {
		n := c.least << i
		once := func() (measure, error) { return b.typing(n) }
		if c.sized != nil {
			in := c.sized(n)
			once = func() (measure, error) { return b.once(c.work, in, b.runners(c.work, in)[0]) }
		}
		var measures []measure
		for range b.rounds {
			m, err := once()
			if err != nil {
				return nil, fmt.Errorf("%s: %d: %w", c.name, n, err)
			}
			measures = append(measures, m)
		}
		all = append(all, point{float64(n), median(measures, cpu) / float64(time.Millisecond)})
	}
	return all, nil
}

func growthRow(name string, all []point) string {
	var sizes, times []string
	for _, p := range all {
		sizes, times = append(sizes, fmt.Sprint(p.size)), append(times, digits(p.ms*float64(time.Millisecond)))
	}
	return row([]string{name, strings.Join(sizes, ", "), strings.Join(times, ", "), fmt.Sprintf("n^%.2f", exponent(all))})
}

// exponent returns the power of the size with which the time grows in the second half of the
// points. It is 1 for linear growth, and slightly more for n log n.
func exponent(all []point) float64 {
	first, last := all[len(all)/2], all[len(all)-1]
	return math.Log(last.ms/first.ms) / math.Log(last.size/first.size)
}

// record fills the history in a state folder with applies, as if after a year of work.
func record(stateHome string, entries int) error {
	dir := filepath.Join(stateHome, "aptix")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	h, err := history.Open(dir)
	if err != nil {
		return err
	}
	defer h.Close()
	for i := range entries {
		content := func(s string) text.Content {
			return text.Content{Exists: true, Mode: 0o644, Data: fmt.Sprintf("%s %d\n", s, i)}
		}
		a := history.Apply{ID: history.NewID(), Time: time.Now(), Root: filepath.Join(stateHome, "elsewhere"), Key: fmt.Sprint(i), Label: "a change", Source: "cli",
			Files: []history.File{{Path: fmt.Sprintf("dir/file%d.txt", i%500), Before: content("before"), After: content("after"), Added: 1, Removed: 1}}}
		p, err := h.Begin(context.Background(), a)
		if err != nil {
			return err
		}
		if err := p.Finish(context.Background(), nil, nil); err != nil {
			return err
		}
	}
	return nil
}
