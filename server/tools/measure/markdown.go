package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing/fstest"

	"github.com/aptix-dev/aptix/server/internal/check"
)

const markdownSet = "Markdown files"

var markdownName = regexp.MustCompile(`(?i)\.(md|mdx|markdown)$`)

// A claimed is the blocks that one format finds in a Markdown file of a clone.
type claimed struct {
	file, format string
	blocks       int
}

// markdown looks for blocks in the Markdown files of all clones. Each file is read with the tree of
// its clone. Documentation is not a reply, so every block is a mistake, unless the file shows a
// reply.
func markdown(peers string) (files int, found []claimed, err error) {
	clones, err := os.ReadDir(peers)
	if err != nil {
		return 0, nil, err
	}
	for _, clone := range clones {
		repo := repository(filepath.Join(peers, clone.Name()))
		names, err := repo.git("ls-tree", "-r", "-z", "--name-only", "HEAD")
		if err != nil {
			return 0, nil, err
		}
		paths := strings.Split(strings.TrimRight(string(names), "\x00"), "\x00")
		tree := fstest.MapFS{} // the tree has only names, because the contents of the files have no effect here
		for _, path := range paths {
			tree[path] = &fstest.MapFile{}
		}
		for _, path := range paths {
			if !markdownName.MatchString(path) {
				continue
			}
			text, err := repo.git("cat-file", "blob", "HEAD:"+path)
			if err != nil {
				// The path is a submodule, or the clone lacks the content of the file.
				continue
			}
			files++
			blocks, err := claims(clone.Name()+"/"+path, string(text), tree)
			if err != nil {
				return 0, nil, err
			}
			found = append(found, blocks...)
		}
	}
	return files, found, nil
}

func claims(file, text string, tree fs.FS) ([]claimed, error) {
	where := check.Where{Tree: tree}
	r, err := check.Check(context.Background(), []check.Document{{Name: file, Text: text, Format: check.Markdown}}, where)
	if err != nil {
		return nil, err
	}
	var found []claimed
	for _, b := range r.Blocks {
		if n := len(found); n == 0 || found[n-1].format != b.Format.Name {
			found = append(found, claimed{file: file, format: b.Format.Name})
		}
		found[len(found)-1].blocks++
	}
	return found, nil
}

// judged matches files of public repositories that a person has read. Each of them shows an edit in
// the notation of the format that claims it.
var judged = regexp.MustCompile(`^(?:` + strings.Join([]string{
	`aider/tests/fixtures/chat-history\.md`,                     // recorded chats of aider
	`aider/aider/website/(?:examples|share|_posts)/.*`,          // recorded chats, and articles that quote some
	`aider/aider/website/docs/(?:benchmarks|unified-diffs)\.md`, // pages about aider's notations
	`aider/aider/website/docs/usage/(?:conventions|modes)\.md`,  // recorded chats
	`Roo-Code/\.roo/skills/roo-conflict-resolution/SKILL\.md`,   // a prompt with a SEARCH/REPLACE block
	`gptme/docs/lessons/tools/patch\.md`,                        // a prompt with a SEARCH/REPLACE block
	`fastify/docs/Guides/Migration-Guide-V5\.md`,                // a git patch
	`rfcs/text/0404-change-prefer-dynamic\.md`,                  // a git patch
}, "|") + `)$`)

// renderClaimed returns a sentence for the documentation, and writes the list of claimed blocks to standard error.
func renderClaimed(files int, found []claimed) string {
	in, mistakes, blocks := map[string]bool{}, map[string]bool{}, 0
	for _, c := range found {
		in[c.file] = true
		blocks += c.blocks
		note := ""
		if !judged.MatchString(c.file) {
			mistakes[c.file] = true
			note = ", not judged"
		}
		fmt.Fprintf(os.Stderr, "%s: %d of %s%s\n", c.file, c.blocks, c.format, note)
	}
	return fmt.Sprintf("In %d Markdown files of these clones, each in its own tree, %d blocks are found, in %d files. "+
		"Of these files, %d show no edit in that notation, and are claimed by mistake.\n", files, blocks, len(in), len(mistakes))
}
