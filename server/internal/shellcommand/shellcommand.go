// Package shellcommand makes this program a command of the shell: it creates a symbolic link in a folder of PATH. If
// the link points to a version of the extension that no longer exists, the link is renewed.
package shellcommand

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const name = "aptix"

// Place describes the process and the person for whom the link is created.
type Place struct {
	Program string   // the absolute path of the program
	Home    string   // the user's home folder
	Path    []string // the folders of PATH, in order
}

// Here returns the Place of this process.
func Here() (Place, error) {
	program, err := os.Executable()
	if err != nil {
		return Place{}, err
	}
	home, err := os.UserHomeDir()
	return Place{program, home, filepath.SplitList(os.Getenv("PATH"))}, err
}

// A Command describes the link through which a shell finds Aptix. [Place.Install] created the link or found it.
type Command struct {
	Link   string // the absolute path of the link
	OnPath bool   // whether the folder of the link is in PATH
	First  string // the path of another aptix that a shell finds first; "" if there is none
}

// A ForeignError means that something other than a link to Aptix exists at the path of the link. It was not changed.
type ForeignError struct{ Path string }

func (e *ForeignError) Error() string {
	return e.Path + " already exists and is not a link made by Aptix. It was not changed"
}

// Install creates the link in the first of the usual folders that is in PATH and writable. If there is no such folder,
// it uses ~/.local/bin. Install never replaces anything other than a link to Aptix.
func (p Place) Install() (Command, error) {
	for _, dir := range p.usual() {
		if !p.has(dir) {
			continue
		}
		link, err := p.link(dir)
		if errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) {
			continue
		}
		return Command{link, true, p.before(dir)}, err
	}
	dir := p.usual()[0]
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return Command{}, err
	}
	link, err := p.link(dir)
	return Command{link, p.has(dir), p.before(dir)}, err
}

// Renew points a link to this program if the link leads into a version of the extension that no longer exists, and this
// program belongs to another version.
func (p Place) Renew() error {
	if !ofExtension(p.Program) {
		return nil
	}
	for _, dir := range p.usual() {
		link := filepath.Join(dir, name)
		target, err := os.Readlink(link)
		if err != nil || !ofExtension(target) {
			continue
		}
		if _, err := os.Stat(target); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if _, err := p.link(dir); err != nil {
			return err
		}
	}
	return nil
}

// usual returns the folders for programs that a person installs, beginning with those in the person's home.
func (p Place) usual() []string {
	return []string{filepath.Join(p.Home, ".local", "bin"), filepath.Join(p.Home, "bin"), "/usr/local/bin", "/opt/homebrew/bin"}
}

func (p Place) has(dir string) bool {
	return slices.ContainsFunc(p.Path, func(d string) bool { return filepath.Clean(d) == dir })
}

// link creates the link in a folder. It renames the new link over an old link, so that other programs find a link at
// all times.
func (p Place) link(dir string) (string, error) {
	link := filepath.Join(dir, name)
	if _, err := os.Lstat(link); err == nil {
		target, err := os.Readlink(link)
		switch {
		case err != nil || target != p.Program && !ofExtension(target):
			return "", &ForeignError{link}
		case target == p.Program:
			return link, nil
		}
	}
	fresh := filepath.Join(dir, fmt.Sprintf(".%s-%d", name, os.Getpid()))
	if err := os.Symlink(p.Program, fresh); err != nil {
		return "", err
	}
	if err := os.Rename(fresh, link); err != nil {
		return "", errors.Join(err, os.Remove(fresh))
	}
	return link, nil
}

// before returns the path of another aptix in a folder that comes before `dir` in PATH. It returns "" if there is none.
func (p Place) before(dir string) string {
	for _, d := range p.Path {
		other := filepath.Join(d, name)
		switch info, err := os.Stat(other); {
		case filepath.Clean(d) == dir:
			return ""
		case err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0:
			return other
		}
	}
	return ""
}

// ofExtension reports whether a path leads to the program in a version of the extension:
// …/aptix.aptix-0.2.0-linux-x64/bin/aptix, or …/aptix.aptix-0.2.0/bin/aptix in the extension's storage.
func ofExtension(path string) bool {
	bin := filepath.Dir(path)
	return filepath.IsAbs(path) && filepath.Base(path) == name && filepath.Base(bin) == "bin" &&
		strings.HasPrefix(filepath.Base(filepath.Dir(bin)), "aptix.aptix-")
}
