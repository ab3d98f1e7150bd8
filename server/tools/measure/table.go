package main

import (
	"fmt"
	"os"
	"strings"
)

var titles = [outcomes]string{"right", "to the letter", "half", "wrong", "refused", "refused and changed"}

func render(rows []row) string {
	var b strings.Builder
	b.WriteString("| Set | Program | Cases | Right |")
	for _, title := range titles[1:] {
		fmt.Fprintf(&b, " %s |", strings.ToUpper(title[:1])+title[1:])
	}
	b.WriteString("\n| --- | --- |" + strings.Repeat(" ---: |", 2+int(outcomes)-1) + "\n")
	for _, r := range rows {
		all := 0
		for _, n := range r.counts {
			all += n
		}
		fmt.Fprintf(&b, "| %s | `%s` | %d | %.1f %% |", r.name, r.program, all, 100*float64(r.counts[right])/max(float64(all), 1))
		for _, n := range r.counts[1:] {
			fmt.Fprintf(&b, " %d |", n)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// The lines of a Markdown file between which the table is.
const begin, end = "<!-- measure -->\n", "<!-- /measure -->\n"

func replaceTable(file, table string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	head, rest, ok := strings.Cut(string(data), begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		return fmt.Errorf("%s: no lines %q and %q to put the table between", file, strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	return os.WriteFile(file, []byte(head+begin+table+end+tail), 0o644)
}
