package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestLine(t *testing.T) {
	rounds := func(peak int64, cpu ...time.Duration) (all []measure) {
		for _, d := range cpu {
			all = append(all, measure{CPU: d * time.Millisecond, Wall: 2 * d * time.Millisecond, Peak: peak})
		}
		return all
	}
	ours, git, base := rounds(5e6, 30, 10, 40), rounds(0, 10, 10, 10), rounds(0, 60, 10, 160)
	for want, got := range map[string]string{
		"| one | 30 ms (10.0–40) | 60 ms | 5 MB | git apply 10.0 ms (10.0–10.0) | 3.00× |\n":                                  line(work{name: "one", git: true}, [][]measure{ours, git}),
		"| two | 30 ms (10.0–40) | 60 ms | 5 MB | limit 10.0 ms (10.0–10.0) | 3.00× | 60 ms (10.0–160) | unknown | 0.50× |\n": line(work{name: "two"}, [][]measure{ours, git, base}),
	} {
		if got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
	}
}

func TestWritePage(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.md")
	for content, want := range map[string]string{
		"head\n<!-- a -->\nold\n<!-- /a -->\ntail\n": "head\n<!-- a -->\nnew\n<!-- /a -->\ntail\n",
		"no marks\n": "",
	} {
		if err := os.WriteFile(page, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		err := writePage(page, "a", "new\n")
		got, _ := os.ReadFile(page)
		if err == nil && string(got) != want || err != nil && want != "" {
			t.Errorf("%q: %v, %q", content, err, got)
		}
	}
}
