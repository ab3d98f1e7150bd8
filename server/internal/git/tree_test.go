package git_test

import (
	"testing"
	"testing/fstest"

	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/git"
)

// A file .git can spell its repository's folder in any way that the file system accepts.
func TestSpellingsOfAnAbsoluteFolder(t *testing.T) {
	linux, mac := fspath.Names{}, fspath.Names{IgnoresCase: true, IgnoresForm: true}
	windows := fspath.Names{IgnoresCase: true, Windows: true}
	for _, c := range []struct {
		names        fspath.Names
		base, gitDir string
		is           bool
	}{
		{linux, "/home/caf\u00e9", "/home/caf\u00e9/tool", true},
		{linux, "/", "/tool", true},
		{linux, "/home/me", "/home/me/../me/tool/", true},
		{linux, "/home/me", "/HOME/me/tool", false},
		{linux, "/home/me", "/home/me/Tool", false},
		{linux, "/home/me", "/home/mee/tool", false},
		{mac, "/Users/Caf\u00e9", "/users/Cafe\u0301/TOOL", true},
		{mac, "/Users/me", "/Users/you/tool", false},
		{windows, "C:/Work", `c:\work\Tool`, true},
		{windows, "C:/Work", `\\?\C:\WORK\tool`, true},
		{windows, "C:/", `c:\tool`, true},
		{windows, "C:/Work", `D:\Work\tool`, false},
		{windows, "//server/share", `\\SERVER\share\tool`, true},
		{mac, "/Users/me", "Tool", true},
		{linux, "/home/me", "Tool", false},
	} {
		f := git.Finder{Tree: fstest.MapFS{".git": {Data: []byte("gitdir: " + c.gitDir + "\n")}}, Names: c.names, Base: c.base,
			After: func(_, _ string) (exists, isFile bool) { return false, false }}
		how, err := f.Holds("tool/config")
		if err != nil || (how != "") != c.is {
			t.Errorf("%s in %s: %q, %v", c.gitDir, c.base, how, err)
		}
	}
}
