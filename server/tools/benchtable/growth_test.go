package main

import (
	"encoding/xml"
	"io"
	"net"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/zap"

	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/lspserver"
)

// The smallest input of each curve gives the intended tree, like the inputs of the table.
func TestCurvesAreValid(t *testing.T) {
	for _, c := range curves {
		if c.sized == nil {
			continue // TestTypingIsAnswered tests this curve
		}
		t.Run(c.name, func(t *testing.T) {
			in := c.sized(5)
			at := folders(t, in)
			h, err := history.Open(at("state") + "/aptix")
			if err != nil {
				t.Fatal(err)
			}
			defer h.Close()
			if applies, err := h.List(t.Context(), "", 0); err != nil || len(applies) != in.entries {
				t.Errorf("%d entries, %v; want %d", len(applies), err, in.entries)
			}
			applied(t, c.work, in, at)
		})
	}
}

// Each open reply gets its diagnostics, and so does the first reply after each key.
func TestTypingIsAnswered(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	replies, err := prepareReplies(at, 5)
	if err != nil {
		t.Fatal(err)
	}
	client, server := net.Pipe()
	go lspserver.Serve(t.Context(), server, lspserver.Config{Version: "test", Log: zap.NewNop(), StateDir: t.TempDir()})
	e := newEditor(client, at(project))
	defer e.close()
	if err := e.open(replies); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if err := e.key(2 + i); err != nil {
			t.Fatal(err)
		}
	}
}

func TestExponent(t *testing.T) {
	for want, ms := range map[string][]float64{"n^1.00": {9, 9, 9, 10, 20, 40}, "n^2.00": {1, 1, 1, 1, 4, 16}, "n^0.00": {1, 1, 1, 7, 9, 7}} {
		var all []point
		for i, v := range ms {
			all = append(all, point{float64(int(100) << i), v})
		}
		if got := growthRow("x", all); !strings.Contains(got, want) {
			t.Errorf("%v is %s, want %s", ms, got, want)
		}
	}
}

func TestChart(t *testing.T) {
	svg := chart([]string{"a<b", "c"}, [][]point{{{100, 5}, {200, 9}, {3200, 300}}, {{500, 2}, {1000, 2.5}}})
	to := xml.NewDecoder(strings.NewReader(svg))
	counts := map[string]int{}
	for {
		token, err := to.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, svg)
		}
		if start, ok := token.(xml.StartElement); ok {
			counts[start.Name.Local]++
			for _, a := range start.Attr {
				if strings.Contains(a.Value, "-") && strings.Trim(a.Value, "0123456789., -") == "" || strings.Contains(a.Value, "NaN") {
					t.Errorf("%s %s=%q is outside", start.Name.Local, a.Name.Local, a.Value)
				}
			}
		}
	}
	if counts["polyline"] != 2 || counts["path"] == 0 {
		t.Errorf("%v", counts)
	}
}
