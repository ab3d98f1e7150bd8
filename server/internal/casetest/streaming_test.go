package casetest

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/aptix-dev/aptix/server/internal/check"
)

// sayMore lists cases whose first lines are a complete answer that later lines change. A
// Markdown file may end at any fence without a tag (rule W10), and a renamed file may have
// a new text or not (rule W3).
var sayMore = []string{"whole-file/fences-untagged", "whole-file/fences-untagged-yes", "whole-file/renamed-with-text"}

// An unfinished answer consists of its first lines. Every edit that is ready to apply then
// must also be in the whole answer, with the same text.
func TestStreamingOffersWholeEditsOnly(t *testing.T) {
	offered := 0
	for _, c := range Load(t, repoDir) {
		if !strings.HasSuffix(c.Reply, ".md") || slices.Contains(sayMore, c.Name) {
			continue // the end of another file does not show that it is complete
		}
		tree := fstest.MapFS{}
		for path, f := range c.Before {
			if f.Mode&fs.ModeSymlink == 0 {
				tree[path] = &fstest.MapFile{Data: []byte(f.Data), Mode: f.Mode}
			}
		}
		blocks := func(text string) []check.Block {
			r, err := check.Check(t.Context(), []check.Document{{Name: c.Reply, Text: text}}, check.Where{Tree: tree})
			if err != nil {
				t.Fatal(err)
			}
			return r.Blocks
		}
		whole, prefix := blocks(c.Text), ""
		for line := range strings.Lines(c.Text) {
			prefix += line
			for _, b := range blocks(prefix) {
				if b.State != check.Ready {
					continue
				}
				offered++
				if !slices.ContainsFunc(whole, func(w check.Block) bool { return isWhole(b, w) }) {
					t.Errorf("%s: after %d lines, this is ready to apply:\n%s", c.Name, strings.Count(prefix, "\n"), b.Body)
				}
			}
		}
	}
	if offered < 500 {
		t.Errorf("only %d edits were ready", offered)
	}
}

// isWhole reports whether a block of the first lines has all of a block of the whole
// answer. Without a fence, a block is complete with its last mark, and later text may turn
// it into an error (rules E17 and C11), or into one of several blocks. The same holds for a
// hunk that has the number of lines in its header, and the next hunk or file of a patch
// (rule G70).
func isWhole(b, w check.Block) bool {
	if b.Span.Start != w.Span.Start || b.Body == w.Body {
		return b.Body == w.Body
	}
	rest, first := strings.CutPrefix(w.Body, b.Body)
	return first && !b.Fenced && (lastMark.MatchString(b.Body) || b.Format.Name == "git" && nextPart.MatchString(rest))
}

var (
	lastMark = regexp.MustCompile(`(?m)(?:^>{7} REPLACE|</\w+>|/>)\n\z`)
	nextPart = regexp.MustCompile(`^\n*(?:@@ -|diff --git |--- )`)
)
