package main

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"
)

// header returns the head of the table. If `base` is true, the head has columns for a second aptix.
func header(base bool) string {
	columns := []string{"work", "processor time", "clock", "peak memory", "yardstick", "ratio"}
	if base {
		columns = append(columns, "base", "base's peak memory", "ratio to base")
	}
	return row(columns) + row(append([]string{"---"}, slices.Repeat([]string{"---:"}, len(columns)-1)...))
}

// line returns a row of the table. It has the measures of aptix, of the yardstick, and of a second
// aptix if there is one.
func line(w work, measures [][]measure) string {
	ours, yardstick := measures[0], measures[1]
	name := "limit"
	if w.git {
		name = "git apply"
	}
	cells := []string{w.name, spread(ours, cpu), milliseconds(median(ours, wall)), megabytes(ours),
		fmt.Sprintf("%s %s", name, spread(yardstick, cpu)), ratio(ours, yardstick)}
	if len(measures) > 2 {
		cells = append(cells, spread(measures[2], cpu), megabytes(measures[2]), ratio(ours, measures[2]))
	}
	return row(cells)
}

func row(cells []string) string { return "| " + strings.Join(cells, " | ") + " |\n" }

func cpu(m measure) float64  { return float64(m.CPU) }
func wall(m measure) float64 { return float64(m.Wall) }

func median(all []measure, quantity func(measure) float64) float64 {
	values := make([]float64, len(all))
	for i, m := range all {
		values[i] = quantity(m)
	}
	return middle(values)
}

func middle(values []float64) float64 {
	values = slices.Sorted(slices.Values(values))
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}

// spread returns the median, the minimum and the maximum of a quantity.
func spread(all []measure, quantity func(measure) float64) string {
	values := make([]float64, len(all))
	for i, m := range all {
		values[i] = quantity(m)
	}
	return fmt.Sprintf("%s (%s–%s)", milliseconds(middle(values)), digits(slices.Min(values)), digits(slices.Max(values)))
}

func milliseconds(nanoseconds float64) string { return digits(nanoseconds) + " ms" }

// digits converts nanoseconds to milliseconds, and returns the number with a fraction if it is
// small.
func digits(nanoseconds float64) string {
	ms := nanoseconds / float64(time.Millisecond)
	if ms < 20 {
		return fmt.Sprintf("%.1f", ms)
	}
	return fmt.Sprintf("%.0f", ms)
}

func megabytes(all []measure) string {
	peak := median(all, func(m measure) float64 { return float64(m.Peak) })
	if peak == 0 {
		return "unknown"
	}
	return fmt.Sprintf("%.0f MB", peak/1e6)
}

// ratio returns the median of the ratios in all rounds. Within a round, both programs run under the
// same conditions.
func ratio(ours, theirs []measure) string {
	ratios := make([]float64, len(ours))
	for i := range ours {
		ratios[i] = float64(ours[i].CPU) / float64(theirs[i].CPU)
	}
	return fmt.Sprintf("%.2f×", middle(ratios))
}

// machine describes the conditions of the measurement.
func machine(place string) string {
	memory := ""
	if total := totalMemory(); total > 0 {
		memory = fmt.Sprintf(", %.0f GB of memory", float64(total)/1e9)
	}
	if place == memoryFolder() {
		place += " (in memory)"
	}
	return fmt.Sprintf("%s/%s, %d cores%s, %s, files in %s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), memory, runtime.Version(), place)
}
