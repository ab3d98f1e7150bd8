package lspserver_test

import (
	"strings"
	"testing"

	lsp "go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
)

func entryLabels(t *testing.T, c *lsptest.Client, p protocol.HistoryParams) string {
	t.Helper()
	var h protocol.History
	c.MustCall(protocol.MethodHistory, &p, &h)
	var all []string
	for _, e := range h.Entries {
		all = append(all, e.Label)
	}
	return strings.Join(all, "; ")
}

// applyText applies a text that is in no document.
func applyText(t *testing.T, c *lsptest.Client, text string) string {
	t.Helper()
	var r protocol.ApplyResult
	if err := command(c, protocol.CommandApply, protocol.Target{Text: &text}, &r); err != nil || !r.Applied {
		t.Fatalf("got %+v, %v", r, err)
	}
	return r.ID
}

// An entry is named after the first words of its reply or, if there are none, after its files. A search finds it by
// words, by a file and by a folder.
func TestHistoryFilter(t *testing.T) {
	c := serve(t, map[string]string{"src/a.txt": "one\n"}, nil)
	applyText(t, c, "# Add the first file\n\n"+bundle(create("src/first.txt", "1\n")))
	applyText(t, c, "Sure!\n\nI change **a.txt** so that it says two, which is what you asked me for:\n\n"+bundle(patch("src/a.txt", "one", "two")))
	applyText(t, c, bundle(create("other.txt", "o\n")))
	for want, p := range map[string]protocol.HistoryParams{
		"other.txt; I change **a.txt** so that it says two, which is …; Add the first file": {},
		"I change **a.txt** so that it says two, which is …; Add the first file":            {Changed: string(c.Editor.URI("src"))},
		"I change **a.txt** so that it says two, which is …":                                {Changed: string(c.Editor.URI("src/a.txt"))},
		"Add the first file": {Words: "FIRST file"},
		"other.txt":          {Words: "other"},
		"":                   {Words: "first two"},
	} {
		if got := entryLabels(t, c, p); got != want {
			t.Errorf("%+v: %q, want %q", p, got, want)
		}
	}
}

// If the person returns to an earlier entry, later applies that were already reverted need not be reverted again.
func TestHistoryAfter(t *testing.T) {
	c := serve(t, nil, nil)
	first := applyText(t, c, "The first:\n\n"+bundle(create("1.txt", "1\n")))
	second := applyText(t, c, "The second:\n\n"+bundle(create("2.txt", "2\n")))
	applyText(t, c, "The third:\n\n"+bundle(create("3.txt", "3\n")))
	after := func(id string) (h protocol.History) {
		c.MustCall(protocol.MethodHistory, &protocol.HistoryParams{After: id}, &h)
		return h
	}
	if got := entryLabels(t, c, protocol.HistoryParams{After: first}); got != "The third; The second" {
		t.Errorf("at first: %q", got)
	}
	back := revert(t, c, protocol.RevertParams{ID: second, Asked: true})
	if got := entryLabels(t, c, protocol.HistoryParams{After: first}); got != "The third" {
		t.Errorf("after a revert: %q", got)
	}
	revert(t, c, protocol.RevertParams{ID: back.ID, Asked: true})
	if got := entryLabels(t, c, protocol.HistoryParams{After: first}); got != "The third; The second" {
		t.Errorf("after the revert of the revert: %q", got)
	}
	if h := after(first); h.Clash != "" {
		t.Errorf("a clash: %+v", h)
	}
	c.Editor.Type("2.txt", lsp.TextEdit{NewText: "mine\n"})
	if h := after(first); h.Clash != second || !strings.Contains(h.Why, "2.txt: it was created, and has been edited since") {
		t.Errorf("no clash: %+v", h)
	}
	if got := entryLabels(t, c, protocol.HistoryParams{After: "unknown"}); got != "" {
		t.Errorf("after an unknown entry: %q", got)
	}
}
