package plan

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/aptix-dev/aptix/server/internal/intent"
)

// Rules F11 and W6: a file that nothing declares new may still be meant to change an existing one.
func TestNeedsFolder(t *testing.T) {
	tree := fstest.MapFS{
		"a.py":         {Data: []byte("one\ntwo\nthree\nfour\n")},
		"lib/b.py":     {Data: []byte("b\n")},
		"lib/sub/c.py": {Data: []byte("c\n")},
	}
	write := func(path, content string) intent.Change {
		return intent.Change{Kind: intent.Write, Path: path, Content: content, NeedsFolder: true, PathAt: literal(7), KindAt: literal(8), ContentAt: literal(9)}
	}
	create := func(path, content string) intent.Change {
		return intent.Change{Kind: intent.Create, Path: path, Content: content, PathAt: literal(7), ContentAt: literal(9)}
	}
	for name, c := range map[string]struct {
		changes []intent.Change
		want    string // a code, and words of its message; "" if there is no problem
	}{
		"new in folder":      {[]intent.Change{write("lib/new.py", "x\n")}, ""},
		"new in root":        {[]intent.Change{write("new.py", "x\n")}, ""},
		"new, no folder":     {[]intent.Change{write("web/x.js", "x\n")}, "whole-unsure neither web/x.js nor its folder exists"},
		"new, as is said":    {[]intent.Change{create("web/x.js", "x\n")}, ""},
		"folder is imported": {[]intent.Change{write("lib/web/x.js", "x\n"), create("lib/main.js", "import './web/x'\n")}, ""},
		"only elsewhere":     {[]intent.Change{write("web/x.js", "x\n"), create("lib/main.js", "import './web/x'\n")}, "whole-unsure"},
		"in a longer word":   {[]intent.Change{write("lib/web/x.js", "x\n"), create("lib/main.js", "let website = 1\n")}, "whole-unsure"},
		"like a folder":      {[]intent.Change{write("lib/app/sub/x.js", "x\n"), create("lib/main.js", "import './sub/x'\n")}, "whole-unsure"},
		"folder of a change": {[]intent.Change{create("web/x.js", "x\n"), write("web/y.js", "y\n")}, ""},
		"other folder":       {[]intent.Change{write("c.py", "x\n")}, "file-missing c.py does not exist, but a file of that name exists in another folder"},
		"the same":           {[]intent.Change{write("a.py", "one\ntwo\nthree\nfour\n")}, ""},
	} {
		p, err := Build(context.Background(), tree, []intent.Set{{Changes: c.changes}}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, d := range p.Blocks[0].Diagnostics {
			got += string(d.Code) + " " + d.Message
			if len(d.Fixes) == 0 {
				t.Errorf("%s: there is no fix", name)
			}
		}
		if !strings.HasPrefix(got, c.want) || (c.want == "") != (got == "") {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
