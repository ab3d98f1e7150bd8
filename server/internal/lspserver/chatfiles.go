package lspserver

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/uri"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/lspserver/workspace"
	"github.com/aptix-dev/aptix/server/internal/prompt"
)

const (
	maxSentFile  = 256 << 10 // in bytes
	maxSentFiles = 50
)

// chatFiles chooses the files that are sent to a model. It never sends a file that is protected or ignored by git,
// because the file may be secret.
type chatFiles struct {
	server *Server
	view   workspace.View
	names  []string // canonical, relative to the folder; the most important file comes first
	as     map[string][]string
	found  []prompt.File
	left   []string // the files that are not sent and why, as Markdown
}

func (c *chatFiles) leave(name, why string) {
	if len(c.left) < maxSentFiles {
		c.left = append(c.left, fmt.Sprintf("%s (%s)", escape.Code(name), escape.Markdown(why)))
	}
}

// addNamed adds the files that a person named in the chat or sees in the editor, and the files whose path is a word of
// the question.
func (c *chatFiles) addNamed(p *aptix.ChatAsk) {
	words := strings.Fields(p.Prompt)
	for _, word := range words[:min(len(words), 1000)] {
		word = strings.TrimLeft(strings.TrimRight(word, ".,;:!?)]\"'`"), "([\"'`")
		if strings.Contains(word, ".") {
			c.addExisting(path.Clean(word))
		}
	}
	for _, u := range p.Files {
		file, ok := lspconv.Path(uri.URI(u))
		if !ok {
			// The document is not a file; it may be untitled, for example.
			continue
		}
		if rel, inside := c.view.Relative(file); inside {
			c.add(rel)
		} else {
			c.leave(filepath.Base(file), "it is outside the workspace folder")
		}
	}
}

func (c *chatFiles) addExisting(name string) {
	if !fs.ValidPath(name) {
		return
	}
	if info, err := fs.Stat(c.view.Tree, name); err == nil && info.Mode().IsRegular() {
		c.add(name)
	}
}

func (c *chatFiles) add(name string) {
	key, err := c.view.Root.Canonical(name)
	if err != nil {
		c.leave(name, "it is not in the workspace folder")
		return
	}
	switch {
	case slices.Contains(c.names, key):
	case len(c.names) == maxSentFiles:
		c.leave(name, "there are too many files")
	default:
		c.names = append(c.names, key)
	}
	if c.as == nil {
		c.as = map[string][]string{}
	}
	c.as[key] = append(c.as[key], name)
}

func (c *chatFiles) read(ctx context.Context) error {
	protected, err := check.Protected(c.view.Root, c.server.currentSettings().Protected)(ctx, c.names, c.as)
	if err != nil {
		return err
	}
	for _, name := range c.names {
		if reason := protected[name].Reason; reason != "" {
			c.leave(name, "it is protected: "+reason)
		} else if why := c.take(name); why != "" {
			c.leave(name, why)
		}
	}
	return nil
}

// take reads a file and adds it to the files to send. It returns the reason if the file must not be sent, and otherwise
// "".
func (c *chatFiles) take(name string) string {
	if doc := c.view.Open[name]; doc != nil && doc.Broken != "" {
		return "the server lost track of its text; close and open it again"
	}
	own := c.view.Root.PathOf(c.server.config.StateDir)
	if fspath.IsGit(name) || own != "" && fspath.IsBelow(own, name) {
		return "it is not a file of the project"
	}
	info, err := fs.Stat(c.view.Tree, name)
	switch {
	case err != nil || !info.Mode().IsRegular():
		return "it is not a file that can be read"
	case info.Size() > maxSentFile:
		return fmt.Sprintf("it has %d KB, but at most %d KB are sent", info.Size()>>10, maxSentFile>>10)
	}
	sum, decoded, ok := c.view.Sum(name)
	if !ok {
		return "it is not text"
	}
	c.found = append(c.found, prompt.File{Path: name, SHA256: sum, Text: decoded})
	return ""
}

func (c *chatFiles) uris(left []prompt.File) []string {
	sent := []string{}
	for _, f := range c.found {
		if u, ok := c.view.URIOf(f.Path); ok && !slices.Contains(left, f) {
			sent = append(sent, string(u))
		}
	}
	return sent
}

func (c *chatFiles) note() string {
	if len(c.left) == 0 {
		return ""
	}
	return "Not sent to the model: " + strings.Join(c.left, ", ") + "."
}
