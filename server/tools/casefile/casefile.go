// Package casefile reads cases: text files with a reply, the tree before it and the tree
// after it. testdata/conformance/README.md describes the format. The package does not depend
// on the engine, so that the conformance suite can test any program.
package casefile

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"
)

// A Case is one reply with the tree before and after it, and the facts that its header
// states.
type Case struct {
	File    string   // path of the case itself; "" if a test made it
	Name    string   // the folder and the name of the case, such as "git/offset"
	Reply   string   // the file name of the reply
	Text    string   // the reply
	Rules   []string // the rules in docs/formats that the case checks, such as "G12"
	Differs []string // how other programs behave, such as "codex takes the first place"
	Flags   []string // the flags of the command line
	Open    []string // files that the editor has open
	Exit    int      // the exit code of aptix apply
	Names   string   // the system whose rules for names apply: "linux", "windows" or "macos"; "" for any
	// NoEditor reports whether an editor gives another result, because it uses its own line
	// endings.
	NoEditor bool
	// NeedsHistory reports whether only the history, not the files, shows that the reply was
	// applied.
	NeedsHistory bool

	Before, After Tree
	Want          string // the report of Aptix
	archive       *txtar.Archive
}

// Has reports whether the case is for a command line with the flag.
func (c *Case) Has(flag string) bool { return slices.Contains(c.Flags, flag) }

// Load reads all cases in the folders dirs and the folders below them.
func Load(dirs ...string) (cases []*Case, err error) {
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(file string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(file, ".txtar") {
				return err
			}
			c, err := Read(file)
			if err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			cases = append(cases, c)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return cases, nil
}

// Read reads the case in a file.
func Read(file string) (*Case, error) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		return nil, err
	}
	name := path.Join(filepath.Base(filepath.Dir(file)), strings.TrimSuffix(filepath.Base(file), ".txtar"))
	c := &Case{File: file, Name: name, Before: Tree{}, archive: archive}
	if err := c.header(string(archive.Comment)); err != nil {
		return nil, err
	}
	for _, f := range archive.Files {
		if err := c.section(f); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	if c.After == nil {
		c.After = c.Before
	}
	if c.Reply == "" {
		return nil, fmt.Errorf("there is no reply")
	}
	return c, nil
}

// header reads those lines of the comment that have a key. Other lines are prose.
func (c *Case) header(comment string) (err error) {
	for line := range strings.Lines(comment) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		value = strings.TrimSpace(value)
		switch key {
		case "rules":
			c.Rules = strings.Fields(value)
		case "differs":
			c.Differs = append(c.Differs, value)
		case "flags":
			c.Flags = strings.Fields(value)
		case "open":
			c.Open = strings.Fields(value)
		case "names":
			c.Names = value
		case "editor":
			c.NoEditor = value == "no"
		case "again":
			c.NeedsHistory = value == "history"
		case "exit":
			c.Exit, err = strconv.Atoi(value)
		}
	}
	return err
}

func (c *Case) section(f txtar.File) error {
	name, attributes, err := cutName(f.Name)
	if err != nil {
		return err
	}
	data, err := encode(string(f.Data), strings.Fields(attributes))
	if err != nil {
		return err
	}
	file := File{data, mode(attributes)}
	kind, path, _ := strings.Cut(name, "/")
	switch kind {
	case "before":
		c.Before[path] = file
	case "after":
		if c.After == nil {
			c.After = Tree{}
		}
		if path != "" {
			c.After[path] = file // a section `after/` without a name stands for an empty tree
		}
	case "want":
		c.Want = data
	default:
		if c.Reply != "" {
			return fmt.Errorf("there is a reply already: %s", c.Reply)
		}
		c.Reply, c.Text = name, data
	}
	return nil
}

// cutName splits a section into the name of its file and the words after it. A name with
// spaces is written as a Go string literal.
func cutName(section string) (name, attributes string, err error) {
	if !strings.HasPrefix(section, `"`) {
		name, attributes, _ = strings.Cut(section, " ")
		return name, attributes, nil
	}
	quoted, err := strconv.QuotedPrefix(section)
	if err != nil {
		return "", "", err
	}
	name, err = strconv.Unquote(quoted)
	return name, section[len(quoted):], err
}

// SetRules writes the rules into their line of the comment.
func (c *Case) SetRules(ids []string) error {
	var lines []string
	for line := range strings.Lines(string(c.archive.Comment)) {
		if !strings.HasPrefix(line, "rules:") {
			lines = append(lines, line)
		}
	}
	at := slices.IndexFunc(lines, func(line string) bool { return strings.TrimSpace(line) == "" || keyed.MatchString(line) })
	if at < 0 {
		at = len(lines)
	}
	lines = slices.Insert(lines, at, "rules: "+strings.Join(ids, " ")+"\n")
	c.archive.Comment = []byte(strings.Join(lines, ""))
	return os.WriteFile(c.File, txtar.Format(c.archive), 0o644)
}

var keyed = regexp.MustCompile(`^(differs|flags|open|names|editor|again|exit):`)

// Update writes got as the `want` section of the case.
func (c *Case) Update(got string) error {
	for i, f := range c.archive.Files {
		if f.Name == "want" {
			c.archive.Files[i].Data = []byte(got)
			return os.WriteFile(c.File, txtar.Format(c.archive), 0o644)
		}
	}
	c.archive.Files = append(c.archive.Files, txtar.File{Name: "want", Data: []byte(got)})
	return os.WriteFile(c.File, txtar.Format(c.archive), 0o644)
}
