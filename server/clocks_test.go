package server_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestClocks compares [clocks] with the places in the code that name an amount of time.
func TestClocks(t *testing.T) {
	found := map[string]bool{}
	for _, root := range []string{"protocol", "server", "extension"} {
		err := filepath.WalkDir(filepath.Join("..", root), func(file string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			name := strings.TrimPrefix(filepath.ToSlash(file), "../")
			switch {
			case d.IsDir() && strings.Contains(" node_modules out bin testdata ", " "+d.Name()+" "):
				return filepath.SkipDir
			case strings.HasSuffix(name, ".go") && name != "server/figures_test.go":
				return goClocks(found, name, file)
			case strings.HasSuffix(name, ".ts"), strings.HasSuffix(name, ".mjs"):
				return scriptClocks(found, name, file)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, at := range slices.Sorted(maps.Keys(found)) {
		if clocks[at] == "" {
			t.Errorf("%s names an amount of time: add what it decides to clocks, and let it decide nothing that is true or false", at)
		}
	}
	for _, at := range slices.Sorted(maps.Keys(clocks)) {
		if !found[at] {
			t.Errorf("%s names no amount of time any more", at)
		}
	}
}

var unitOfTime = regexp.MustCompile(`^(Nanosecond|Microsecond|Millisecond|Second|Minute|Hour)$`)

// goClocks adds the declarations of a file that name a unit of time, as package.name.
func goClocks(found map[string]bool, name, file string) error {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		return err
	}
	dir := strings.TrimPrefix(path.Dir(name), "server/internal/")
	for _, decl := range parsed.Decls {
		specs := []ast.Node{decl}
		if general, ok := decl.(*ast.GenDecl); ok {
			specs = nil
			for _, spec := range general.Specs {
				specs = append(specs, spec)
			}
		}
		for _, spec := range specs {
			ast.Inspect(spec, func(n ast.Node) bool {
				unit, ok := n.(*ast.SelectorExpr)
				if !ok || !unitOfTime.MatchString(unit.Sel.Name) {
					return true
				}
				if from, ok := unit.X.(*ast.Ident); ok && from.Name == "time" && !isAge(name, spec) {
					found[dir+"."+declared(spec)] = true
				}
				return true
			})
		}
	}
	return nil
}

// isAge reports whether n belongs to a test of the history or a page of figures and so
// holds an amount of time that nobody waits for.
func isAge(name string, n ast.Node) bool {
	_, function := n.(*ast.FuncDecl)
	return function && (strings.HasPrefix(name, "server/internal/history/") && strings.HasSuffix(name, "_test.go") ||
		strings.HasPrefix(name, "server/tools/benchtable/"))
}

// declared returns the name of a declaration.
func declared(n ast.Node) string {
	switch d := n.(type) {
	case *ast.FuncDecl:
		return d.Name.Name
	case *ast.ValueSpec:
		return d.Names[0].Name
	}
	return "?"
}

var (
	waits   = regexp.MustCompile(`\b(?:delay|setTimeout|setInterval)\(|\btimeout: |milliseconds|Date\.now\(\) \+`)
	amounts = regexp.MustCompile(`^const (\w+) = \d[\d_ *]{2,};`)
)

// scriptClocks adds the constants that a script of the extension waits for. It also adds
// the name of each test script that waits.
func scriptClocks(found map[string]bool, name, file string) error {
	content, err := os.ReadFile(file)
	if err != nil || !waits.Match(content) || strings.HasSuffix(name, ".gen.ts") {
		return err
	}
	if !strings.HasPrefix(name, "extension/src/") {
		found[name] = true
		return nil
	}
	lines := strings.Split(string(content), "\n")
	for i, line := range lines {
		m := amounts.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		used := regexp.MustCompile(`\b` + m[1] + `\b`)
		if strings.Contains(lines[max(0, i-1)]+line, "milliseconds") ||
			slices.ContainsFunc(lines, func(l string) bool { return waits.MatchString(l) && used.MatchString(l) }) {
			found[name+" "+m[1]] = true
		}
	}
	return nil
}

// clocks lists all amounts of time with their effects: when something is shown, given up or tried
// again. None decides whether a change was made or is right: if a wait ends without a result, the
// program says so and changes nothing.
var clocks = map[string]string{
	// Waits for other programs. A wait that ends without a result ends in an error or a refusal, and
	// nothing is changed.
	"git.patience":           "how long git may take to answer; a file about which it does not answer counts as protected",
	"git.searching":          "how long git may search for earlier versions of a file; nothing is merged with versions that it does not name",
	"git.errSlow":            "the error that names git.patience",
	"git.run":                "how long git may take to close its output after it was ended",
	"disk.coarsestTime":      "how recently a file was written if its content is read again before it is replaced",
	"disk.patience":          "how long a transaction waits for files that other programs hold on Windows, before it is taken back",
	"disk.rest":              "after a wait without success, how long a transaction does not wait again",
	"fileset.connectTimeout": "how long a connection to PostgreSQL may take, before the call fails",
	"fileset.patience":       "how long a call waits for the database, before it fails and nothing is written",
	"link.patience":          "how long an agent waits for an editor that does not greet, before its call fails; the agent never bypasses the editor",
	"sqlitefile.patience":    "how long a process waits for other processes that write the history, before its call fails",
	"apply.uploadTime":       "how long an upload after an apply may take, before the answer warns that the file set lacks it",

	"cli.endPatience": "how long a command that should end may wait for input, or for a reader of its output, before it ends with exit code 2; it always completes a change in progress",

	// Waits for an editor.
	"lspserver/editor.patience":        "after how long without a report the server asks an editor without aptix/documents whether it holds changes back; the answer decides",
	"lspserver/editor.refusalPatience": "how long the server waits for signs of an edit that the editor refused, before a second barrier; the answer decides",
	"lspserver.afterCancel":            "how long the caller of a cancelled change waits for its result; after that, the change ends without the caller",
	"lspserver.choreTime":              "how long a call that changes nothing waits for folders and settings on a slow disk",
	"lspserver.settingsTime":           "how long the first diagnostics wait for settings; they are published again when the settings arrive",
	"rpc.drainTime":                    "how long calls may take to end after the connection has ended; the next start completes their changes or takes them back",

	// Limits of searches for optional information. The result says if a search was cut off.
	"agenttools.searchTime": "how long a search of the workspace may take, before its answer is truncated",
	"lspserver.menuTime":    "how long the search for the fixes of a menu may take",

	// Times to show something, or to check or try it again.
	"check.TestAppliedMeanwhile":                 "how long the test watches that a check waits",
	"check.Age":                                  "the units in which an age is shown",
	"cli.showProgress":                           "when progress is shown on a terminal",
	"disk.lockPoll":                              "how often a transaction tries to take a lock",
	"disk.retryGap":                              "how often a transaction tries to use a file that another program holds",
	"fileset.swap":                               "how exact the times in a database are",
	"fileset.wait":                               "how long writers that collided wait before they try again",
	"fileset.openPostgres":                       "when an idle connection is closed",
	"history.endPoll":                            "how often a check looks whether another process has ended its apply",
	"history.lockTested":                         "how long Windows may delay the removal of a lock's file that another process tests; a file that stays is harmless",
	"history.unlock":                             "how often the removal of such a file is tried",
	"link.accept":                                "when a socket that accepted no connection is used again",
	"lspserver/documents.Quiet":                  "the pause of a person who types, after which a document is compared with its file",
	"lspserver/past.historyEvery":                "how often the server checks whether another process changed the history",
	"lspserver.longestWait":                      "the longest pause between diagnostics",
	"lspserver/editor.looksAgain":                "how often the server looks at files while it waits for an editor",
	"lspserver/editor.shownAfter":                "when the person sees that the server waits for the editor",
	"sqlitefile.closing":                         "how long Windows may delay the renaming of a damaged file; the next start tries again",
	"sqlitefile.lock":                            "how often a process tries to take a lock",
	"sqlitefile.renameClosed":                    "how often the renaming of a damaged file is tried",
	"extension/src/chat-participant.ts shortest": "the least time between two checks of an answer that arrives",
	"extension/src/chat-watch.ts shortest":       "the least time between two reads of a chat",
	"extension/src/client.ts crashWindow":        "the time in which a number of crashes ends the restarts",
	"extension/src/client.ts startTime":          "how long the extension waits for the start of the server; a server that starts later is used all the same",
	"extension/src/history.ts minute":            "how often the ages in the history are updated",
	"extension/src/notify.ts shown":              "how long a message stays in the status bar",
	"extension/src/offer.ts pause":               "the least time between two offers, so that a double click answers only one",
	"extension/src/saving.ts patience":           "how long an apply waits for VS Code to save its files; otherwise they stay unsaved, but are as planned",

	// Limits of storage.
	"apply.Limits":   "the age of entries that the history keeps, in days",
	"history.limits": "the unit of the age of entries in the database",

	// In tests: limits after which a hanging test fails, and waits.
	"disk.DieNow":                                 "a process waits to be killed",
	"disk.TestCommitWaitsForItsTurn":              "a wait for a lock that is held ends in an error",
	"disk.TestOneWaitForAll":                      "an amount beside disk.patience",
	"cli.letTerminalBeRead":                       "a terminal of a test is read before it is closed",
	"fileset.TestRowIsHeld":                       "a wait for a row that is held ends in an error",
	"fileset.patienceOfTest":                      "a call to a server that never answers ends",
	"link.TestLastSeen":                           "the age of a record",
	"disk.answers":                                "a test that hangs fails",
	"git.TestVersionsAreBounded":                  "a busy machine reads large versions slowly",
	"git.TestGitHasADeadline":                     "git never answers, so the test ends its wait sooner",
	"link.await":                                  "a test that hangs fails",
	"link.receive":                                "a test that hangs fails",
	"lspserver.BenchmarkKeys":                     "how fast a person types",
	"lspserver.openAtOnce":                        "after how long the test gives up",
	"lspserver/editor.TestLooksEndIfNothingComes": "a clock that skips time",
	"lspserver/editor.TestSlowLooksAreRepeated":   "a clock that skips time",
	"lspserver.await":                             "a test that hangs fails",
	"lspserver.next":                              "a test that hangs fails",
	"server/tools/lsptest.InSlowMotion":           "the wait for goroutines that still sleep at the end of a test, on a clock that skips time",
	"server/tools/lsptest.emptyPools":             "the pauses while connections of earlier tests end",
	"server/tools/lsptest.patience":               "a test that hangs fails",
	"server/tools/lsptest.slow":                   "the time that a slow editor takes for each step",
	"server/tools/neovimtest.run":                 "a Neovim that hangs is ended",
	"server/tools/soak.patience":                  "a test that hangs fails",
	"extension/test/browser/ap.test.mjs":          "a click is tried again",
	"extension/test/browser/editor.mjs":           "a click is tried again, and a test that hangs fails",
	"extension/test/browser/history.test.mjs":     "a click is tried again",
	"extension/test/browser/repair.test.mjs":      "a click is tried again",
	"extension/test/browser/until.mjs":            "a condition is looked at again, and a test that hangs fails",
	"extension/test/index.ts":                     "a test that hangs fails",
	"extension/test/sample.ts":                    "a condition is looked at again",

	// In tools that are not shipped.
	"server/tools/benchtable.enough":    "how long a benchmark may take",
	"server/tools/measure.patience":     "a program that hangs fails its sample",
	"server/tools/conformance.patience": "a program that hangs fails its case",
}
