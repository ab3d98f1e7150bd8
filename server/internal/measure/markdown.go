package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/check"
)

const markdownSet = "Markdown files"

var markdownName = regexp.MustCompile(`(?i)\.(md|mdx|markdown)$`)

// A claimed is the blocks that one format finds in a Markdown file of a clone.
type claimed struct {
	file, format string
	blocks       int
}

// markdown looks for blocks in the Markdown files of all clones: documentation is no reply,
// so whatever is found there is a mistake, unless the file shows a reply.
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
		for name := range strings.SplitSeq(string(names), "\x00") {
			if !markdownName.MatchString(name) {
				continue
			}
			text, err := repo.git("cat-file", "blob", "HEAD:"+name)
			if err != nil {
				continue // a submodule, or a blob that the clone lacks
			}
			files++
			blocks, err := claims(clone.Name()+"/"+name, string(text))
			if err != nil {
				return 0, nil, err
			}
			found = append(found, blocks...)
		}
	}
	return files, found, nil
}

func claims(file, text string) ([]claimed, error) {
	r, err := check.Check(context.Background(), []check.Document{{Name: file, Text: text, Format: check.Markdown}}, check.Where{})
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

// renderClaimed is a sentence for the documentation; the list goes to standard error.
func renderClaimed(files int, found []claimed) string {
	in, blocks := map[string]bool{}, 0
	for _, c := range found {
		in[c.file] = true
		blocks += c.blocks
		fmt.Fprintf(os.Stderr, "%s: %d of %s\n", c.file, c.blocks, c.format)
	}
	return fmt.Sprintf("In %d Markdown files of these clones, %d blocks are found, in %d files.\n", files, blocks, len(in))
}
