package ap

import (
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// The block that the first line opens must end with the line "end of it".
func TestBlockEnd(t *testing.T) {
	for _, c := range []struct{ name, file, text string }{
		{"braces", "a.go", "func f() {\n\tg(\"}\")\n} // end of it\nx\n"},
		{"parameters over lines", "a.go", "func f(\n\ta int,\n) error {\n\tg()\n} // end of it\nx\n"},
		{"raw string", "a.go", "func f() {\n\tg(`\n}\n`)\n} // end of it\nx\n"},
		{"a list", "a.go", "const (\n\ta = 1\n) // end of it\nx\n"},
		{"brace below the parameters", "a.c", "void f(\n    int a)\n{\n    if (a) {\n    }\n} // end of it\nx\n"},
		{"initializers", "a.cc", "A::A(\n    int a)\n    : a_(a)\n{\n} // end of it\nx\n"},
		{"where", "a.rs", "fn f<T>(\n    a: T,\n)\nwhere\n    T: X,\n{\n} // end of it\nx\n"},
		{"lifetimes", "a.rs", "fn f<'a>(x: &'a str, y: &'a str) {\n    g('{');\n} // end of it\nx\n"},
		{"block comment", "a.js", "function f() {\n  /* }\n   * }\n   */\n} // end of it\nx\n"},
		{"regular expression", "a.js", "function f() {\n  s.replace(/[}/]/g, a / b)\n} // end of it\nx\n"},
		{"template", "a.ts", "function f() {\n  g(`\n  }\n`)\n} // end of it\nx\n"},
		{"apostrophe in a comment", "a.js", "function f() {\n  // don't }\n} // end of it\nx\n"},
		{"call with a function", "a.js", "it('a', () => {\n  g()\n}) // end of it\n  x\n"},
		{"comments of a shell", "a.sh", "f() {\n  ls a/* # }\n} # end of it\nx\n"},
		{"brackets that never close", "a.css", "a {\n  b: url(//c);\n  end of it\nx\n"},
		{"indentation", "a.py", "def f():\n    a\n\n    end of it\n\nx\n"},
		{"header over lines", "a.py", "def f(\n    a,\n) -> int:\n    end of it\n\nx\n"},
		{"bracket in a comment", "a.py", "def f():  # (see {\n    end of it\n\nx\n"},
		{"text at the margin", "a.py", "def f():\n    \"\"\"\na\n    \"\"\"\n    end of it\nx\n"},
		{"comment at the margin", "a.py", "def f():\n    a\n# b\n    end of it\n# x\nx\n"},
		{"dictionary", "a.py", "x = {\n    1: 2,\n}  # end of it\nx\n"},
		{"words", "a.rb", "def f\n  a\nend # end of it\nx\n"},
	} {
		target := newTarget(place.NewText(c.text), text.LF)
		target.language = languageOf(c.file)
		end, ok := target.blockEnd(region{start: 0, end: 1})
		want := strings.Count(c.text[:strings.Index(c.text, "end of it")], "\n") + 1
		if !ok || end != want {
			t.Errorf("%s: line %d, %v; want %d", c.name, end, ok, want)
		}
	}
}
