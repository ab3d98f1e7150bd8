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

// sayMore lists cases whose first lines are already a complete answer, which later lines
// change. A Markdown file may end at any fence without a tag (rule W10), and a renamed file
// may or may not have a new text (rule W3). Nothing shows where code ends that was copied from a page, and
// it always asks (rule R54).
var sayMore = []string{"whole-file/page", "whole-file/page-several", "whole-file/page-steps", "whole-file/fences-untagged", "whole-file/fences-untagged-yes", "whole-file/renamed-with-text"}

// While an answer arrives, only its first lines are known. If an edit in them is ready to
// apply, the whole answer must contain the same edit, with the same text.
func TestStreamingOffersWholeEditsOnly(t *testing.T) {
	offered := 0
	for _, c := range Load(t, repoDir) {
		if !strings.HasSuffix(c.Reply, ".md") || slices.Contains(sayMore, c.Name) {
			continue // the end of such a reply does not show whether it is complete
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

// isWhole reports whether a block of the first lines has everything that a block of the whole
// answer has. A block without a fence is complete at its last mark, although later text may
// turn it into an error (rules E17 and C11), or into one of several blocks. The same is true
// of a hunk that has all the lines its header counts, of the next hunk or file of a patch
// (rule G70), and of the next message of a conversation (rule C26).
func isWhole(b, w check.Block) bool {
	if b.Span.Start != w.Span.Start || b.Body == w.Body {
		return b.Body == w.Body
	}
	rest, first := strings.CutPrefix(w.Body, b.Body)
	return first && !b.Fenced && (lastMark.MatchString(b.Body) || b.Format.Name == "git" && nextPart.MatchString(rest))
}

var (
	lastMark = regexp.MustCompile(`(?m)(?:^>{7} REPLACE|</[\w-]+>|/>|^\{.*\})\n\z`)
	nextPart = regexp.MustCompile(`^\n*(?:@@ -|diff --git |--- )`)
)
