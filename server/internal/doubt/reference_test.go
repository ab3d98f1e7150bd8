package doubt_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aptix-dev/aptix/server/internal/doubt"
)

func TestReferences(t *testing.T) {
	for _, c := range []struct {
		file, content string
		want          []string // the paths; "*/" before the end of a path
	}{
		{"src/ui/App.tsx", "import { a } from '../api'\nimport './app.css'\nconst b = require(\"./b.js\")\nlet c = import('./c')", []string{"src/api", "src/ui/app.css", "src/ui/b.js", "src/ui/c"}},
		{"src/App.vue", "import a from '@/lib/a'\nimport react from 'react'\n// see './notes'", []string{"*/lib/a"}},
		{"web/index.html", `<script src="js/app.js?v=3"></script><link href='../site.css'><a href="https://x.org/y.js">`, []string{"site.css"}},
		{"a/main.scss", "@use './base';\n@import \"../vars\";", []string{"a/base", "vars"}},
		{"src/main.c", "#include \"io/file.h\"\n#include \"../b.h\"\n#include <stdio.h>\n", []string{"*/io/file.h", "b.h"}},
		{"lib/a.rb", "require_relative '../b'\nrequire 'json'\n", []string{"b"}},
		{"shop/web/api.py", "from .forms import F\nfrom ..limits.rates import rate\nimport shop.db.orm as orm\nimport os\n", []string{"shop/web/forms", "shop/limits/rates", "*/shop/db/orm"}},
		{"src/A.java", "import org.x.B;\nimport static org.x.C.of;\nimport java.util.*;\n", []string{"*/org/x/B"}},
		{"src/A.php", "use App\\Models\\Post;\nuse Exception;\n", []string{"*/Models/Post"}},
		{"README.md", "import './a'", nil},
	} {
		var got []string
		for r := range doubt.ReferencesIn(c.file, c.content) {
			if r.Ending {
				r.Path = "*/" + r.Path
			}
			got = append(got, r.Path)
		}
		slices.Sort(got)
		slices.Sort(c.want)
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.file, d)
		}
	}
}
