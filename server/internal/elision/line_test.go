package elision

import (
	"strings"
	"testing"
)

func TestSortOf(t *testing.T) {
	for want, lines := range map[Sort][]string{
		Elision: {
			"...", "  …", "....", "... existing code ...", "… weitere Zeilen …", "// ...", "# ...", "-- ...", "; ...", "% ...", "/* ... */", "<!-- ... -->",
			"{/* ... */}", "{/* ... existing code ... */}", "// ... handle errors", "# … usw.", "#...", "//...", "// (... rest ...)", "/* [... bestehender Code] */",
			"    // ... existing code ...", "// rest of the code unchanged", "<rest of file>", "(* ... *)", "--[[ ... ]]", "// ...existing code...", "...existing code...",
			"/// ... docs ...", "// existing code", "{{ ... }}", "[... 6 lines: check of f(), start of g() ...]", "{% comment %} ... existing code ... {% endcomment %}",
			"' ... existing code ...", "! ... rest ...", "\" ... other mappings ...", "@* ... other fields ... *@", "{* ... rest ... *}", "* ... other items ...", "REM ... rest ...", "\t# rest of the file remains the same\r\n",
		},
		Worded: {
			"// Skip existing files", "# resto del código sin cambios", "// Restlicher Code bleibt unverändert", "// 其余代码保持不变", "# 既存のコード",
			"// 기존 코드", "// остальной код без изменений", "// le reste du code est inchangé", "/* código existente aqui */", "// and so on...", "# Loading…",
			"<!-- reszta bez zmian -->", "// mevcut kod", "{% comment %} existing rows {% endcomment %}",
		},
		Comment: {
			"// restart the server", "# a note", "/* a note */", "<!-- a note -->", "-- a note", "; a note", "// see docs", "//", "#",
			"// the rest parameter collects all of the arguments that a call of it has",
		},
		Text: {
			"", "...args)", "...spread", "...spread,", "{...rest}", "return rest", "x = 1 // ... existing code ...", "/* a */ b /* c */", "#include <a>",
			"#other .code .stays {", "(...)", "[...rest]", "[..., a[0], ...]", "--flag", "* item", "existing", "...a, ...b", "<>...", "{{ name }}", "* existing item", "' existing code", "\" rest", "! existing", strings.Repeat("// ... ", 30),
		},
	} {
		for _, line := range lines {
			if got := SortOf(line); got != want {
				t.Errorf("%q: %d, want %d", line, got, want)
			}
		}
	}
}
