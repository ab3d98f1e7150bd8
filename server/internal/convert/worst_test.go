package convert

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/paths"
	"github.com/aptix-dev/aptix/server/tools/trials"
)

// A worst is a reply whose check, or conversion to a format, would take minutes without a meter. It includes the files
// for the reply.
type worst struct {
	reply string
	files map[string]string
	spent bool     // the meter ends the check; otherwise the check costs little
	ended []Format // the meter ends the conversion to these formats
}

// enough is the number of units that the test gives each reply: a tenth of the real budget. A case that spends these
// units would also spend all of the real budget.
const enough = 300_000_000

// size is the approximate size, in bytes, of the reply of a worst case. The files that it changes have about the same
// size together.
const size = 1_800_000

func fenced(tag, body string) string { return "```" + tag + "\n" + body + "```\n" }

// finds returns a structured patch for a.txt.
func finds(n int, limit string, find, replace func(i int) string) string {
	type replacement struct {
		Find    string `json:"find"`
		Replace string `json:"replace"`
		Limit   string `json:"limit"`
	}
	all := make([]replacement, n)
	for i := range all {
		all[i] = replacement{find(i), replace(i), limit}
	}
	body, _ := json.Marshal(map[string]any{"root": ".", "patches": []any{map[string]any{"path": "a.txt", "replacements": all}}})
	return fenced("json", string(body)+"\n")
}

// whole returns a fence with the whole text of a file below its path.
func whole(path, content string) string { return path + "\n\n" + fenced("", content) }

func bundled(content string) string {
	body, _ := json.Marshal(map[string]any{"root": ".", "files": []any{map[string]any{"path": "a.txt", "operation": "replace", "content": content}}})
	return fenced("json", string(body)+"\n")
}

// created returns a bundle that creates files.
func created(n int, path func(i int) string) string {
	files := make([]any, n)
	for i := range files {
		files[i] = map[string]any{"path": path(i), "operation": "create", "content": "x"}
	}
	body, _ := json.Marshal(map[string]any{"root": ".", "files": files})
	return fenced("json", string(body)+"\n")
}

// replaced returns a bundle that gives each of the numberedFiles the same new text.
func replaced(n int, content string) string {
	files := make([]any, n)
	for i := range files {
		files[i] = map[string]any{"path": fmt.Sprint("f", i), "operation": "replace", "content": content}
	}
	body, _ := json.Marshal(map[string]any{"root": ".", "files": files})
	return fenced("json", string(body)+"\n")
}

func always(s string) func(int) string { return func(int) string { return s } }

func numbered(format string) func(int) string {
	return func(i int) string { return strings.ReplaceAll(format, "%", fmt.Sprint(i)) }
}

func each(n int, f func(i int) string) string {
	var s strings.Builder
	for i := range n {
		s.WriteString(f(i))
	}
	return s.String()
}

// shuffled returns lines of two kinds, in an order that depends on the seed.
func shuffled(seed uint64, n int) string {
	random := rand.New(rand.NewPCG(seed, 0))
	return each(n, func(int) string { return []string{"a\n", "b\n"}[random.IntN(2)] })
}

// patched returns a patch of a.txt in the format that begins with `*** Begin Patch`.
func patched(hunks string) string {
	return fenced("", "*** Begin Patch\n*** Update File: a.txt\n"+hunks+"*** End Patch\n")
}

func renames(order func(i int) int) string {
	return fenced("diff", each(20_000, func(i int) string {
		i = order(i)
		return fmt.Sprintf("diff --git a/f%[1]d b/f%[2]d\nsimilarity index 100%%\nrename from f%[1]d\nrename to f%[2]d\n", i, i+1)
	}))
}

// numberedFiles returns files with one line each.
func numberedFiles(n int) map[string]string {
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprint("f", i)] = "x\n"
	}
	return files
}

// batch returns a line patch of many files, none of which has the hash that it names.
func batch(n int) string {
	var entries []any
	for i := range n {
		entries = append(entries, map[string]any{"docPath": fmt.Sprint("p/f", i), "originalSha256": strings.Repeat("0", 64),
			"changes": []any{map[string]any{"operation": "replace", "startLine": 1, "endLine": 1, "expectedOriginalLines": []string{"x"}, "newLines": []string{"y"}}}})
	}
	body, _ := json.Marshal(map[string]any{"files": entries})
	return fenced("json", string(body)+"\n")
}

// directives returns an ap patch for a.txt.
func directives(version, actions string) string {
	return fenced("ap", "a1b2c3d4 AP "+version+"\na1b2c3d4 FILE\na.txt\n"+strings.ReplaceAll(actions, "ID ", "a1b2c3d4 "))
}

// worstCases returns replies by the reason why they are difficult.
func worstCases() map[string]worst {
	equal := map[string]string{"a.txt": strings.Repeat("x\n", size/2)}
	blank := map[string]string{"a.txt": strings.Repeat("\n ", size/2)}
	return map[string]worst{
		"structured: equal finds":           {finds(10_000, "once", always("x"), always("y")), equal, false, []Format{Bundle, ApplyPatch, WholeFile}},
		"structured: equal finds, all":      {finds(10_000, "all", always("x"), always("x")), equal, true, nil},
		"structured: it is everywhere":      {finds(10_000, "once", numbered("q%"), always("x\n")), equal, false, nil},
		"structured: blank text":            {finds(1, "once", always(strings.Repeat("\n ", size/8)+"x"), always("y")), blank, true, nil},
		"structured: nearly there":          {finds(3_000, "once", numbered("    value_% = computed(%)\n"), always("x")), map[string]string{"a.txt": each(60_000, numbered("    value_% = compute(%)\n"))}, false, nil},
		"structured: misspelled words":      {strings.Replace(finds(2_000, "once", numbered("    word%x(%);\n"), numbered("    werd%x(%);\n")), "a.txt", "a.js", 1), map[string]string{"a.js": each(15_000, numbered("    word%x(%);\n"))}, false, nil},
		"structured: variables renamed":     {strings.Replace(finds(2_000, "once", numbered("    let word%x = %;\n"), numbered("    let name%y = %;\n")), "a.txt", "a.js", 1), map[string]string{"a.js": each(15_000, numbered("    let word%x = %;\n"))}, false, nil},
		"structured: functions renamed":     {strings.Replace(finds(2_000, "once", numbered("def word%x(a):\n"), numbered("def name%y(a):\n")), "a.txt", "a.py", 1), map[string]string{"a.py": each(15_000, numbered("def word%x(a):\n    pass\n"))}, false, nil},
		"structured: one of many lines":     {"Change `value_7`, line 8.\n\n" + finds(1, "once", numbered("value_% = compute(%)\n"), numbered("value_% = measure(%)\n")), map[string]string{"a.txt": each(15_000, numbered("value_% = compute(%)\n"))}, false, nil},
		"structured: letters exchanged":     {finds(1_000, "once", numbered("    colour(%)\n"), numbered("    coluor(%)\n")), map[string]string{"a.txt": each(4_000, numbered("    colour(%)\n"))}, false, nil},
		"structured: names of no line":      {"Change `nowhere`, `never` and `none`.\n\n" + finds(2_000, "once", numbered("    value_% = compute(%)\n"), numbered("    value_% = measure%(%)\n")), map[string]string{"a.txt": each(15_000, numbered("    value_% = compute(%)\n"))}, false, nil},
		"bundle: two lines many times":      {bundled(shuffled(1, size/4)), map[string]string{"a.txt": shuffled(2, size/2)}, false, []Format{AP, Git, Bundle, Structured, Lines, SearchReplace, ApplyPatch, WholeFile}},
		"bundle: marks for short lines":     {bundled(strings.Repeat("<<<<<<< SEARCH\n", size/15)), equal, true, nil},
		"bundle: placeholders":              {bundled(each(40_000, numbered("# ... the rest % ...\nq%\n"))), map[string]string{"a.txt": each(90_000, numbered("value_% = %\n"))}, false, []Format{AP, Git, Bundle, Structured, Lines, SearchReplace, ApplyPatch, WholeFile}},
		"git: a chain of renames":           {renames(func(i int) int { return i }), map[string]string{"f0": "x\n"}, true, nil},
		"git: the chain from its end":       {renames(func(i int) int { return 19_999 - i }), map[string]string{"f0": "x\n"}, true, nil},
		"git: hunks without a place meet":   {fenced("diff", "--- a/a.txt\n+++ b/a.txt\n"+each(40_000, numbered("@@ ... @@\n line %\n-q %\n+z\n"))), map[string]string{"a.txt": each(70_000, numbered("line %\nq %\n"))}, true, nil},
		"git: many patches of a file":       {strings.Repeat("--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-x\n+y\n\n", 40), equal, false, nil},
		"apply-patch: blank hunks":          {patched(strings.Repeat("@@\n \n+\n", 60_000)), map[string]string{"a.txt": strings.Repeat("\n", size)}, true, nil},
		"apply-patch: no such context":      {patched(each(40_000, numbered("@@ def nothere%():\n-line %\n+new %\n"))), map[string]string{"a.txt": each(150_000, numbered("line %\n"))}, true, nil},
		"search-replace: first marks":       {"a.txt\n" + fenced("", strings.Repeat("<<<<<<< SEARCH\n", 100_000)), equal, false, nil},
		"search-replace: dividers":          {"a.txt\n" + fenced("", "<<<<<<< SEARCH\nb\n"+strings.Repeat("=======\n", size/8)+"c\n>>>>>>> REPLACE\n"), map[string]string{"a.txt": "a\n"}, true, nil},
		"search-replace: long replacement":  {"a.txt\n" + fenced("", "<<<<<<< SEARCH\na\n=======\n"+strings.Repeat("b\n", size/20)+">>>>>>> REPLACE\n"), map[string]string{"a.txt": "a"}, false, []Format{Lines}},
		"tool-call: nested":                 {strings.Repeat("<function_calls>\n<invoke name=\"edit\">\n", 45_000), equal, true, nil},
		"whole-file: one file many times":   {each(4_000, numbered("a.txt\n\n```\nx%\n```\n\n")), equal, false, []Format{AP, Git, Structured, Lines, SearchReplace, ApplyPatch, WholeFile}},
		"ap 3.1: equal anchors":             {directives("3.1", strings.Repeat("ID REPLACE\nID anchor\nx\nID snippet\nx\nID content\ny\n", 15_000)), equal, false, nil},
		"ap 3.2: inserts between equals":    {directives("3.2", strings.Repeat("ID INSERT_AFTER\nID snippet\nx\nID content\nx\nx\n", 15_000)), equal, true, nil},
		"ap 3.2: snippets that end wrongly": {directives("3.2", strings.Repeat("ID REPLACE\nID snippet\n"+strings.Repeat("x\n", 1000)+"z\nID content\ny\n", 400)), equal, true, nil},
		"ap 3.1: deleted lines seem there":  {directives("3.1", each(20_000, numbered("ID DELETE\nID snippet\nline %\n"))), map[string]string{"a.txt": each(90_000, numbered("line %\n"))}, true, nil},
		"ap 3.1: tabs instead of spaces":    {directives("3.1", each(15_000, numbered("ID REPLACE\nID snippet\n    line %\nID content\n    y %\n"))), map[string]string{"a.txt": each(90_000, numbered("\tline %\n"))}, false, []Format{Bundle, Structured, SearchReplace, ApplyPatch, WholeFile}},
		"structured: marks of the file":     {strings.Replace(finds(10_000, "once", numbered("value_% = %;\n"), numbered("value_% = %0;\n<<<<<<< HEAD\n")), "a.txt", "a.js", 1), map[string]string{"a.js": each(60_000, numbered("value_% = %;\n")) + "<<<<<<< HEAD\n"}, false, []Format{AP, Git, Bundle, Structured, Lines, SearchReplace, ApplyPatch, WholeFile}},
		"structured: entities of the file":  {strings.Replace(finds(10_000, "once", numbered("value_% = %;\n"), numbered("value_% &lt; %;\n")), "a.txt", "a.js", 1), map[string]string{"a.js": each(60_000, numbered("value_% = %;\n")) + "a &lt; b\n"}, true, nil},
		"structured: escapes of the file":   {strings.Replace(finds(10_000, "once", numbered("value_% = %;\n"), numbered("value_% = \\\"%\\\";\n")), "a.txt", "a.js", 1), map[string]string{"a.js": each(60_000, numbered("value_% = %;\n")) + "a = \\\"b\\\";\n"}, false, []Format{Bundle, Structured, SearchReplace, ApplyPatch, WholeFile}},
		"structured: fences of the file":    {strings.Replace(finds(10_000, "once", numbered("value_% = %;\n"), numbered("```js\nvalue_% = %0;\n```\n")), "a.txt", "a.js", 1), map[string]string{"a.js": each(60_000, numbered("value_% = %;\n")) + "```js\n```\n"}, true, nil},
		"shell: many words":                 {fenced("bash", strings.Repeat("cd $HOME/", 100_000)+"\n"), equal, false, nil},
		"lines: files of a large folder":    {batch(8_000), numberedFiles(2_000), true, nil},
		"whole-file: elisions of equals":    {"a.txt\n\n" + fenced("", strings.Repeat("x\n// ... existing code ...\n", 60_000)), equal, false, nil},
		"file-tags: elisions of equals":     {"<file path=\"a.txt\">\n" + strings.Repeat("x\n// ... existing code ...\n", 60_000) + "</file>\n", equal, false, nil},
		"file-tags: one in the other":       {strings.Repeat("<file path=\"a.txt\">\n", 40_000) + strings.Repeat("</file>\n", 40_000), equal, true, nil},
		"whole-file: sentences and fences":  {each(22_000, numbered("In `a.txt`, replace `value = %` with:\n\n```\nvalue = %0\n```\n\n")), equal, true, nil},
		"whole-file: labels that ask":       {each(30_000, numbered("**`src/f%.py`** – line %:\n\n```python\nx = %\n```\n\n")), equal, true, nil},
		"whole-file: files and sentences":   {each(5_000, numbered("`f%.py`\n\n```python\nx = %\n```\n\nThis changes `f%.py`.\n")), nil, true, nil},
		"whole-file: sentences that rename": {each(60_000, numbered("Rename `f%.py` to `g%.py`.\n")), map[string]string{"f0.py": "x\n"}, true, nil},
		"whole-file: a list of other items": {whole("a.yml", each(40_000, numbered("- y%\n"))), map[string]string{"a.yml": each(40_000, numbered("- x%\n"))}, false, []Format{Structured, Lines, SearchReplace, ApplyPatch}},
		"shell: many scripts of sed":        {fenced("bash", "sed -i "+each(40_000, numbered("-e 's/q%$/z%/' "))+"a.txt\n"), equal, true, nil},
		"shell: sed that undoes sed":        {fenced("bash", strings.Repeat("sed -i 's/x/y/g' a.txt\nsed -i 's/y/x/g' a.txt\n", 30_000)), equal, true, nil},
		"shell: ever deeper":                {fenced("bash", strings.Repeat("cd d\n", 200_000)+"touch a.txt\n"), map[string]string{"d/a.txt": "x\n"}, false, nil},
		"shell: files that grow":            {fenced("bash", each(40_000, numbered("echo x% >> a.txt\n"))), equal, true, nil},
		"shell: blocks at the end":          {fenced("bash", each(40, numbered("cat >> a.txt <<'E'\ndef f%():\n    x = call_%(1)\n    return x\nE\n"))), equal, false, []Format{AP, Bundle, WholeFile}},
		"shell: lines that become one":      {fenced("bash", "sed -i 's/\\n/ /g' a.txt\n"), equal, false, nil},
		"structured: lines that become one": {finds(1, "all", always("\n"), always(" ")), equal, true, nil},
		"structured: finds in a long line":  {finds(27_000, "once", numbered("q%"), numbered("x%")), map[string]string{"a.txt": each(27_000, numbered("q% "))}, true, nil},
		"structured: code in a long line":   {strings.Replace(finds(5_000, "once", numbered("v%=%; "), numbered("v%=%0; ")), "a.txt", "a.js", 1), map[string]string{"a.js": each(30_000, numbered("v%=%; "))}, true, nil},
		"structured: letters everywhere":    {finds(26_000, "all", func(i int) string { return string(rune('a' + i%26)) }, func(i int) string { return string(rune('a' + (i+1)%26)) }), map[string]string{"a.txt": strings.Repeat("abcdefghijklmnopqrstuvwxyz\n", size/27)}, true, nil},
		"bundle: an insert after each line": {bundled(each(30_000, numbered("line %\nnew\n"))), map[string]string{"a.txt": each(30_000, numbered("line %\n"))}, false, []Format{Git, Structured, Lines, SearchReplace, ApplyPatch}},
		"bundle: every other line deleted":  {bundled(each(60_000, numbered("line %0\n"))), map[string]string{"a.txt": each(60_000, numbered("line %0\nline %1\n"))}, false, []Format{AP, Git, Structured, Lines, SearchReplace, ApplyPatch, WholeFile}},
		"bundle: inserts between equals":    {bundled(strings.Repeat("x\nx\ny\n", 100_000)), map[string]string{"a.txt": strings.Repeat("x\ny\n", 100_000)}, false, []Format{AP, Git, Bundle, Structured, Lines, SearchReplace, ApplyPatch, WholeFile}},
		"bundle: unknown members":           {fenced("json", `{"root": ".", "files": [{`+each(100_000, numbered(`"k%": 1, `))+`"path": "a.txt"}]}`+"\n"), equal, false, nil},
		"bundle: texts that end too early":  {fenced("json", `{"root": ".", "files": [{"path": "a.txt", "operation": "create", "content": "`+strings.Repeat(`"q" \n`, 200_000)+`"}]}`+"\n"), equal, false, nil},
		"tool-call: unread values":          {each(20_000, numbered(`{"name": "str_replace", "arguments": {"path": "a.txt", "old_str": "x%", "new_str": "y"}}`+"\n")), equal, true, nil},
		"tool-call: equal edits":            {fenced("json", `{"name": "MultiEdit", "input": {"file_path": "a.txt", "edits": [{"old_string": "x\n", "new_string": "y\n"}`+strings.Repeat(`, {"old_string": "x\n", "new_string": "y\n"}`, 20_000)+"]}}\n"), equal, false, nil},
		"tool-call: parts of a file":        {fenced("json", `[{"name": "write", "arguments": {}}`+each(10_000, numbered(`, {"name": "edit_file", "arguments": {"target_file": "a.txt", "code_edit": "// ... existing code ...\nx\n// ... existing code ...\n"}}`))+"]\n"), equal, true, nil},
		"prose: code on many lines":         {"a.txt\n" + fenced("", "<<<<<<< SEARCH\nx = 1\n=======\nx = 1000\n>>>>>>> REPLACE\n") + each(30_000, numbered("Usuń `x = %` z pliku `a.txt` proszę.\n")), map[string]string{"a.txt": each(90_000, numbered("x = %\n"))}, true, nil},
		"prose: corrected values":           {"a.txt\n" + fenced("", "<<<<<<< SEARCH\nx = 1\n=======\nx = 1000\n>>>>>>> REPLACE\n") + each(30_000, numbered("Actually, use `%` instead of `1000` in `a.txt`.\n")), map[string]string{"a.txt": each(90_000, numbered("x = %\n"))}, true, nil},
		"apply-patch: no such lines":        {patched(each(40_000, numbered("@@ line %0\n-line %1\n+new %1\n"))), map[string]string{"a.txt": each(75_000, numbered("line %0\nline %1\n"))}, true, nil},
		"apply-patch: equal scopes":         {patched(strings.Repeat("@@ x\n-x\n+y\n", 60_000)), equal, true, nil},
		"search-replace: indented tags":     {"a.html\n" + fenced("", "<<<<<<< SEARCH\n"+each(5_000, numbered("<div class=\"%\">\n</div>\n"))+"=======\n"+each(5_000, numbered("  <div class=\"%\">\n  </div>\n"))+">>>>>>> REPLACE\n"), map[string]string{"a.html": each(5_000, numbered("<div class=\"%\">\n</div>\n"))}, false, []Format{Structured, SearchReplace, ApplyPatch}},
		"search-replace: exchanged lines":   {"a.txt\n" + fenced("", "<<<<<<< SEARCH\n"+each(10_000, numbered("a %\nb %\n"))+"=======\n"+each(10_000, numbered("b %\na %\n"))+">>>>>>> REPLACE\n"), map[string]string{"a.txt": each(10_000, numbered("a %\nb %\n"))}, false, []Format{AP, Git, Structured, Lines, SearchReplace, ApplyPatch}},
		"whole-file: other parameters":      {whole("a.py", each(10_000, numbered("def old_%(sum, two):\n    return sum\n\n"))), map[string]string{"a.py": each(10_000, numbered("def old_%(one, two):\n    return one\n\n"))}, false, []Format{AP, Git, Bundle, Structured, Lines, SearchReplace, ApplyPatch, WholeFile}},
		"whole-file: renamed functions":     {whole("a.py", each(2_000, numbered("def new_%(one, two):\n    return one\n\n"))), map[string]string{"a.py": each(2_000, numbered("def old_%(one, two):\n    return one\n\n"))}, false, nil},
		"whole-file: a long style sheet":    {whole("a.css", each(20_000, numbered(".r% {\n  margin: %px;\n}\n"))), nil, false, []Format{AP, Git, Bundle, SearchReplace, ApplyPatch, WholeFile}},
		"whole-file: notes on keys":         {whole("a.yml", each(20_000, numbered("key_%: x  # was %\n"))), map[string]string{"a.yml": each(20_000, numbered("key_%: x\n"))}, false, []Format{Structured, Lines, SearchReplace, ApplyPatch}},
		"whole-file: parts of large files":  {each(6_000, numbered("a.txt\n\n```\nx%\n```\n\n")), map[string]string{"a.txt": each(60_000, numbered("line %\n"))}, true, nil},
		"prose: a list of dashes":           {patched("@@\n-x\n+y\n") + strings.Repeat("- x\n", size/64), equal, true, nil},
		"prose: signs without a file":       {patched("@@\n-x\n+y\n") + strings.Repeat("-p\n+q\n", size/200), equal, true, nil},
		"prose: two long fences":            {patched("@@\n-x\n+y\n") + "\n" + fenced("js", each(20_000, numbered("a% = %;\n"))) + "\n" + fenced("js", each(20_000, numbered("b% := \"%\" + %\n"))), map[string]string{"a.txt": "x\n"}, false, nil},
		"prose: a long numbered list":       {patched("@@\n-x\n+y\n") + each(150_000, numbered("%. x\n")), map[string]string{"a.txt": "x\n"}, true, nil},
		"apply-patch: equal lines in none":  {patched(each(10_000, numbered("@@ def nothere%():\n-x\n+y\n"))), equal, true, nil},
		"bundle: new files beside others":   {created(4_000, numbered("g%")), numberedFiles(10_000), true, nil},
		"tool-call: results of another":     {`{"contents": [{"functionCall": {"name": "edit", "args": {"file_path": "a.txt", "old_string": "x", "new_string": "y"}}}` + strings.Repeat(`, {"functionCall": {"name": "edit", "args": {}}}`, 16_000) + strings.Repeat(`, {"functionResponse": {"name": "view"}}`, 20_000) + "]}\n", equal, false, nil},
		"tool-call: nested in a fence":      {fenced("xml", strings.Repeat("<function_calls>\n<invoke name=\"edit\">\n", 45_000)), equal, true, nil},
		"whole-file: many files":            {each(4_000, numbered("f%.txt\n\n```\nx\n```\n\n")), nil, true, nil},
		"whole-file: all on one line":       {each(30_000, numbered("### `src/f%.py`\r\r```python\rx\r```\r")), nil, true, nil},
		"tool-call: all on one line":        {each(20_000, numbered("Action: str_replace\rAction Input: {\"path\": \"a.txt\", \"old_str\": \"x%\", \"new_str\": \"y\"}\r\r")), equal, true, nil},
		"apply-patch: all on one line":      {each(20_000, numbered("*** Begin Patch\r*** Update File: f%.txt\r@@\r-x\r+y\r*** End Patch\r")), nil, true, nil},
		"whole-file: labels of a page":      {strings.Repeat("py\nCopy\n", size/8), nil, false, nil},
		"whole-file: code of a page":        {each(60_000, numbered("f%.txt\n\npy\nCopy\nx\n\n")), nil, true, nil},
		"tags: many new files":              {each(40_000, numbered("<file path=\"f%.txt\">\nx\n</file>\n")), nil, true, nil},
		"bundle: two texts of many files":   {replaced(3_000, "y\n") + "\n" + replaced(3_000, "z\n"), numberedFiles(3_000), true, nil},
		"shell: copies of a large file":     {fenced("bash", each(90_000, numbered("cp a.txt b%\n"))), equal, true, nil},
		"bundle: many deep folders":         {created(18_000, numbered("e%"+strings.Repeat("/d", 45)+"/f")), nil, true, nil},
		"account: code like no file":        {created(1_000, numbered("d/f%.py")) + strings.Repeat("\nNow this:\n\n```python\nload(values, one)\nsave(values, two)\n```\n", 20_000), nil, false, []Format{AP, Git, Bundle, SearchReplace, ApplyPatch, WholeFile}},
		"account: code like no large file":  {replaced(20, strings.Repeat("total = total + amount\n", 800)) + strings.Repeat("\nNow this:\n\n```python\nload(values, one)\nsave(values, two)\n```\n", 12_000), numberedFiles(20), false, nil},
		"bundle: one deep folder":           {created(14_000, numbered(strings.Repeat("d/", 45)+"f%")), nil, true, nil},
		"structured: blank text many times": {finds(5_000, "once", always(strings.Repeat("\n ", 50)+"x"), always("y")), blank, true, nil},
	}
}

// A worst case costs no more than its meter allows. If the meter ends the check, the reply is refused, with an error
// that says where. `make test` tries half of the cases and converts each to an eighth of the formats, `make check` tries a
// sixteenth of the cases, and the nightly run tries everything.
func TestWorstCases(t *testing.T) {
	all := worstCases()
	in := trials.OneIn(2)
	if trials.Few() {
		in = 16
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if !trials.Picks(name, in) {
			continue
		}
		w := all[name]
		t.Run(name, func(t *testing.T) {
			tree := fstest.MapFS{}
			for path, content := range w.files {
				tree[path] = &fstest.MapFile{Data: []byte(content), Mode: 0o644}
			}
			m := small(enough)
			where := check.Where{Tree: tree, DocPath: paths.Folder{Names: []string{"p"}, Tree: tree}.Lookup, Meter: m}
			r, err := check.Check(t.Context(), []check.Document{{Name: "reply.md", Text: w.reply}}, where)
			if err != nil {
				t.Fatal(err)
			}
			cut := 0
			for _, b := range r.Blocks {
				for _, d := range b.Diagnostics {
					if d.Code == diag.ReplyTooLarge {
						cut++
					}
				}
			}
			if m.Spent() != w.spent || (cut > 0) != w.spent || w.spent && r.Applicable() {
				t.Errorf("spent: %v, want %v; said %d times; applicable: %v", m.Spent(), w.spent, cut, r.Applicable())
			}
			r.Feedback(t.Context())
			r.Report(t.Context())
			if !r.Applicable() || len(r.Plan.Files) == 0 {
				return
			}
			for _, to := range Formats {
				if !trials.Picks(name+string(to), trials.OneIn(8)) {
					continue
				}
				where.Meter = small(enough / 4)
				_, err := metered(t.Context(), to, r.Plan.Files, where, "p")
				var cannot *CannotError
				if err != nil && !errors.As(err, &cannot) {
					t.Error(err)
				}
				ended := cannot != nil && cannot.Reason == tooMuch
				if want := slices.Contains(w.ended, to); ended != want || where.Meter.Spent() != want {
					t.Errorf("%s: the meter ended it: %v, want %v; spent: %v: %v", to, ended, want, where.Meter.Spent(), err)
				}
			}
		})
	}
}

// small returns a meter with few units.
func small(units int) *meter.Meter {
	m := meter.New(0)
	m.Pay(m.Left() - units)
	return m
}
