package casetest

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/tools/codes"
)

const repoDir = "../../.."

// pages maps the letters of rules to the pages of docs/formats.
var pages = map[string]string{"R": "README", "B": "bundle", "S": "structured", "G": "git", "A": "ap", "L": "lines", "E": "search-replace", "P": "apply-patch", "C": "tool-call", "F": "file-tags", "W": "whole-file", "M": "elided", "H": "shell"}

// A rule is a numbered statement on a page of docs/formats. It extends from its anchor to the
// next one or to the next heading.
type rule struct{ page, id, text string }

var (
	ruleAnchor = regexp.MustCompile(`<a id="([a-z]\d+)"></a>`)
	ruleName   = regexp.MustCompile(`^\s*(?:\*\*([A-Z]\d+)\.\*\*|([A-Z]\d+) \|)`)
	ruleEnd    = regexp.MustCompile(`(?m)^(#|\| \[)`) // a row that begins with a link belongs to another rule
	inCode     = regexp.MustCompile("`([^`\n]+)`")
	caseName   = regexp.MustCompile(`^[a-z-]+/[a-z0-9-]+$`)
	testName   = regexp.MustCompile(`^Test\w+$`)
)

func readRules(t *testing.T) (rules []rule) {
	for _, page := range pages {
		data, err := os.ReadFile(filepath.Join(repoDir, "docs", "formats", page+".md"))
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		for _, at := range ruleAnchor.FindAllStringSubmatchIndex(text, -1) {
			rest := text[at[1]:]
			if next := ruleAnchor.FindStringIndex(rest); next != nil {
				rest = rest[:next[0]]
			}
			start := len(rest) - len(strings.TrimLeft(rest, "\n"))
			if end := ruleEnd.FindStringIndex(rest[start:]); end != nil {
				rest = rest[:start+end[0]]
			}
			rules = append(rules, rule{page, strings.ToUpper(text[at[2]:at[3]]), rest})
		}
	}
	return rules
}

// Each format has its page of rules, and both tables of formats link it.
func TestFormatsHavePages(t *testing.T) {
	front := contents(t, filepath.Join(repoDir, "README.md"))
	table := contents(t, filepath.Join(repoDir, "docs", "formats", "README.md"))
	for _, f := range check.Formats {
		if link := "(docs/formats/" + f.Name + ".md)"; !strings.Contains(front, link) {
			t.Errorf("README.md does not link the page of the format %s: %s", f.Name, link)
		}
		if link := "(" + f.Name + ".md)"; !strings.Contains(table, link) {
			t.Errorf("docs/formats/README.md does not link the page of the format %s: %s", f.Name, link)
		}
		if !slices.Contains(slices.Collect(maps.Values(pages)), f.Name) {
			t.Errorf("no letter for the rules of the format %s is in pages", f.Name)
		}
	}
}

// The rules of each page are numbered from 1 without gaps, and each names an existing case or
// test. The table of formats has the right number of rules for each page.
func TestRulesHaveTests(t *testing.T) {
	numbers, seen := map[string]int{}, map[string]bool{}
	tests, cases := testFuncs(t), caseNames(t)
	for _, r := range readRules(t) {
		numbers[r.page]++
		if pages[r.id[:1]] != r.page || seen[r.id] {
			t.Errorf("%s: the rule %s is on another page or has been there", r.page, r.id)
		}
		seen[r.id] = true
		if m := ruleName.FindStringSubmatch(r.text); m == nil || m[1]+m[2] != r.id {
			t.Errorf("%s: the anchor and the number of the rule differ", r.id)
		}
		if checkedBy(t, r, tests, cases) == 0 {
			t.Errorf("%s names no case and no test", r.id)
		}
	}
	for letter, page := range pages {
		for n := 1; n <= numbers[page]; n++ {
			if id := fmt.Sprint(letter, n); !seen[id] {
				t.Errorf("%s: there is no rule %s", page, id)
			}
		}
	}
	if n := numbers["README"] + numbers["git"]; n < 100 {
		t.Errorf("only %d rules were read", n)
	}
	sayHowMany(t, numbers)
}

// sayHowMany checks that the table of formats has the right number of rules for each page.
func sayHowMany(t *testing.T, numbers map[string]int) {
	t.Helper()
	table := contents(t, filepath.Join(repoDir, "docs", "formats", "README.md"))
	for letter, page := range pages {
		if rules := fmt.Sprintf("%s1 to %s%d", letter, letter, numbers[page]); !strings.Contains(table, rules) {
			t.Errorf("docs/formats/README.md does not say that %s.md has the rules %s", page, rules)
		}
	}
}

// checkedBy counts the cases and tests that a rule names.
func checkedBy(t *testing.T, r rule, tests, cases map[string]bool) (n int) {
	for _, name := range r.names() {
		switch {
		case testName.MatchString(name):
			n++
			if !tests[name] {
				t.Errorf("%s: no test %s", r.id, name)
			}
		case caseName.MatchString(name) && cases[path.Dir(name)]:
			n++
			if !cases[name] {
				t.Errorf("%s: no case %s", r.id, name)
			}
		}
	}
	return n
}

// names returns the words of a rule that are in backticks.
func (r rule) names() (all []string) {
	for _, m := range inCode.FindAllStringSubmatch(r.text, -1) {
		all = append(all, m[1])
	}
	return all
}

// caseNames returns the names of all cases and folders of cases.
func caseNames(t *testing.T) map[string]bool {
	names := map[string]bool{}
	for _, c := range Load(t, repoDir) {
		names[c.Name], names[path.Dir(c.Name)] = true, true
	}
	return names
}

var testFunc = regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`)

func testFuncs(t *testing.T) map[string]bool {
	names := map[string]bool{}
	for _, file := range sources(t) {
		if strings.HasSuffix(file, "_test.go") {
			for _, m := range testFunc.FindAllStringSubmatch(contents(t, file), -1) {
				names[m[1]] = true
			}
		}
	}
	return names
}

// Patterns of citations in code, cases and pages: "rule L4", "rules A31 to A35", and links.
var (
	ruleList = regexp.MustCompile(`\brules?[\s/]+([A-Z]\d+(?:(?:, | and | or | to |-)[A-Z]\d+)*)`)
	ruleID   = regexp.MustCompile(`[A-Z]\d+`)
	ruleLink = regexp.MustCompile(`formats/([\w-]+)\.md#([a-z]\d+)`)
)

func TestCitedRulesExist(t *testing.T) {
	known, cited := map[string]string{}, 0
	for _, r := range readRules(t) {
		known[r.id] = r.page
	}
	for _, file := range sources(t) {
		text := contents(t, file)
		for _, m := range ruleList.FindAllStringSubmatch(text, -1) {
			for _, id := range ruleID.FindAllString(m[1], -1) {
				if cited++; known[id] == "" {
					t.Errorf("%s: there is no rule %s", file, id)
				}
			}
		}
		for _, m := range ruleLink.FindAllStringSubmatch(text, -1) {
			if cited++; known[strings.ToUpper(m[2])] != m[1] {
				t.Errorf("%s: there is no rule %s", file, m[0])
			}
		}
	}
	if cited < 250 {
		t.Errorf("%d citations", cited)
	}
}

// Only the pages of docs/formats may cite documents outside the repository, because they relate their own rules to
// those of the documents.
var outsideCitation = regexp.MustCompile(`\x{a7}|\b(SYS|TUL|AGN)-\d{3}\b|APTIX_FILE_SPE[C]`)

func TestNoOutsideCitations(t *testing.T) {
	for _, file := range sources(t) {
		if filepath.Base(filepath.Dir(file)) == "formats" {
			continue
		}
		for i, line := range strings.Split(contents(t, file), "\n") {
			if at := outsideCitation.FindString(line); at != "" {
				t.Errorf("%s:%d: %s cites a document that is not in the repository; cite a rule of docs/formats", file, i+1, at)
			}
		}
	}
}

// noRule lists the codes without a rule. They are about limits of the program or the system,
// paths that are valid but unlikely, and choices of a person.
var noRule = []diag.Code{
	diag.FileTooLarge, diag.NoWorkspace, diag.PathCase, diag.PathProject, diag.PathNotRegular, diag.PartSkipped,
}

func TestCodesLinkRules(t *testing.T) {
	for _, doc := range codes.All() {
		if links := ruleLink.MatchString(doc.Meaning); links == slices.Contains(noRule, doc.Code) {
			t.Errorf("%s: links a rule: %v", doc.Code, links)
		}
	}
}

// sources returns the files of the repository that people read: code, cases, pages.
func sources(t *testing.T) (files []string) {
	skip := []string{".git", "node_modules", "build", "bin", "dist", "out"}
	err := filepath.WalkDir(repoDir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && slices.Contains(skip, d.Name()) {
			return filepath.SkipDir
		}
		if slices.Contains([]string{".go", ".ts", ".md", ".txtar", ".json"}, filepath.Ext(path)) {
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func contents(t *testing.T, file string) string {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

var (
	codeFence  = regexp.MustCompile("(?ms)^ *(```+|~~~+).*?^ *(```+|~~~+) *$")
	pageLink   = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	pageAnchor = regexp.MustCompile(`(?m)<a id="([^"]+)"></a>|^#+ (.+)$`)
	notInSlug  = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// Links between pages lead to existing files and headings.
func TestLinksResolve(t *testing.T) {
	links := 0
	for _, file := range sources(t) {
		if filepath.Ext(file) != ".md" {
			continue
		}
		text := inCode.ReplaceAllString(codeFence.ReplaceAllString(contents(t, file), ""), "")
		for _, m := range pageLink.FindAllStringSubmatch(text, -1) {
			if !strings.Contains(m[1], "://") && !strings.HasPrefix(m[1], "mailto:") {
				links++
				checkLink(t, file, m[1])
			}
		}
	}
	if links < 50 {
		t.Errorf("%d links", links)
	}
}

var conflictMark = regexp.MustCompile(`(?m)^(<{7} HEAD|>{7} [0-9a-f]{7,} .*)$`)

// No page has a mark that a merge left there.
func TestPagesHaveNoConflictMarks(t *testing.T) {
	for _, file := range sources(t) {
		if m := conflictMark.FindString(contents(t, file)); m != "" && filepath.Ext(file) == ".md" {
			t.Errorf("%s: %q is the mark of a conflict", file, m)
		}
	}
}

func checkLink(t *testing.T, file, link string) {
	path, anchor, _ := strings.Cut(link, "#")
	target := file
	if path != "" {
		target = filepath.Join(filepath.Dir(file), filepath.FromSlash(path))
	}
	if _, err := os.Stat(target); err != nil {
		t.Errorf("%s: %v", file, err)
		return
	}
	if anchor != "" && !slices.Contains(anchors(t, target), anchor) {
		t.Errorf("%s: %s has no heading or anchor #%s", file, target, anchor)
	}
}

// anchors returns the anchors on a page, including those that GitHub makes from its headings.
func anchors(t *testing.T, page string) (all []string) {
	for _, m := range pageAnchor.FindAllStringSubmatch(codeFence.ReplaceAllString(contents(t, page), ""), -1) {
		slug := strings.ReplaceAll(notInSlug.ReplaceAllString(strings.ToLower(m[2]), ""), " ", "-")
		all = append(all, m[1]+slug)
	}
	return all
}
