package server_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A figure is a number in a page together with its source: a constant of the code, or a
// table that a program writes. Spaces and line breaks are equivalent.
var figures = []struct{ page, says, file, holds string }{
	{"SECURITY.md", "git has ten seconds", "server/internal/git/command.go", "patience = 10 * time.Second"},
	{"SECURITY.md", "A header has at most 8 KiB", "server/internal/rpc/stream.go", "maxHeader = 8 << 10"},
	{"SECURITY.md", "Each call ends within 10 seconds", "server/internal/fileset/fileset.go", "patience = 10 * time.Second"},
	{"SECURITY.md", "ends after five seconds", "server/internal/agenttools/search.go", "searchTime = 5 * time.Second"},
	{"SECURITY.md", "after a megabyte of parameters", "server/internal/fileset/statuses.go", "maxStatuses = 1 << 20"},
	{"SECURITY.md", "A message has at most 257 MiB", "server/internal/fileset/database.go", "maxMessage = 257 << 20"},
	{"CONTRIBUTING.md", "needs root, two minutes and 1.1 GB", "scripts/install-wine.mjs", "1.1 GB; this takes two minutes"},
	{"CONTRIBUTING.md", "runs every fuzz target for a minute", "scripts/fuzz", "${FUZZTIME:-1m}"},
	{"docs/chat.md", "files above 256 KB", "server/internal/lspserver/chatfiles.go", "maxSentFile = 256 << 10"},
	{"docs/chat.md", "2 bytes for each token", "server/internal/lspserver/chat.go", "bytesOfToken = 2"},
	{"docs/chat.md", "at most 512 KB", "server/internal/lspserver/chat.go", "mostBudget = 512 << 10"},
	{"docs/chat.md", "asked to correct it, at most twice", "server/internal/lspserver/replies/chat.go", "MaxRepairs = 2"},
	{"docs/chat.md", "a twentieth of the time", "extension/src/chat-watch.ts", "share = 20;"},
	{"docs/cli.md", "a text of at most 6,000 bytes", "server/internal/check/feedback_test.go", "len(got) > 6000"},
	{"docs/cli.md", "ten lines of the file around the closest place", "server/internal/check/feedback_place.go", "shownLines = 10"},
	{"docs/cli.md", "By default 90 days and 256 MB are kept", "server/internal/settings/settings.go", "HistoryMaxAge: 90, HistoryMaxSize: 256"},
	{"docs/editors.md", "undone after 20 seconds", "server/internal/lspserver/editor/barrier.go", "patience = 20 * time.Second"},
	{"docs/filesets.md", "waits up to 10 seconds for the database", "server/internal/fileset/fileset.go", "patience = 10 * time.Second"},
	{"docs/filesets.md", "up to 5 are for a connection", "server/internal/fileset/database.go", "connectTimeout = 5 * time.Second"},
	{"docs/history.md", "By default 90 days and 256 MB are kept", "server/internal/settings/settings.go", "HistoryMaxAge: 90, HistoryMaxSize: 256"},
	{"docs/history.md", "A file of more than 256 MB counts as changed", "server/internal/plan/builder.go", "MaxFile = 256 << 20"},
	{"docs/history.md", "the file is locked for 10 seconds", "server/internal/sqlitefile/sqlitefile.go", "patience = 10 * time.Second"},
	{"docs/matching.md", "at least 60 % of the characters", "server/internal/place/closest.go", "minAlike = 0.6"},
	{"docs/matching.md", "75 % for one short line", "server/internal/place/closest.go", "shortAlike = 0.75"},
	{"docs/performance.md", "examines a summary of every 256 KB of the file", "server/internal/place/chunk.go", "segmentSize = 64"},
	{"docs/platforms.md", "one second in all", "server/internal/disk/held.go", "patience = time.Second"},
	{"docs/prompts.md", "the same 181 replies", "docs/matching.md", "| replies, as the model wrote them | `aptix apply --fix` | 181 |"},
	{"docs/prompts.md", "| one | 54.1 % | 87.3 % |", "docs/matching.md", "| left out, a1: one line around each change | `aptix apply --fix --yes` | 157 | 87.3 % |"},
	{"docs/prompts.md", "| two | 70.7 % | 93.0 % |", "docs/matching.md", "| left out, a2: two lines around each change | `aptix apply --fix --yes` | 157 | 93.0 % |"},
	{"docs/prompts.md", "| three | 75.2 % | 94.3 % |", "docs/matching.md", "| left out, a3: three lines around each change | `aptix apply --fix --yes` | 157 | 94.3 % |"},
	{"docs/prompts.md", "| two, or more until one of them occurs only once | 77.1 % | 98.1 % |", "docs/matching.md", "| left out, a4: two lines, or more until one of them occurs only once | `aptix apply --fix --yes` | 157 | 98.1 % |"},
	{"docs/protected.md", "answer within ten seconds", "server/internal/git/command.go", "patience = 10 * time.Second"},
	{"docs/protected.md", "more than 300,000 files, Aptix asks about every", "server/internal/disk/protectedlinks.go", "mostListed = 300_000"},
	{"docs/release.md", "release exceeds 9.2 MB", "server/tools/release/release_test.go", "most := 9_200_000"},
	{"docs/formats/README.md", "the last 100 commits that touched the file", "server/internal/git/versions.go", "mostCommits = 100"},
	{"docs/formats/README.md", "5,000 blocks, 256 MB of unpacked contents", "server/internal/check/document.go", "mostBlocks = 5_000 mostContent = 256 << 20"},
	{"docs/formats/README.md", "512 MB of files", "server/internal/plan/room.go", "mostHeld = 512 << 20"},
	{"docs/formats/lines.md", "the last 4096 of these snippets", "server/internal/history/snippet.go", "keptSnippets = 4096"},
	{"docs/formats/structured.md", "12 characters other than white space", "server/internal/text/says.go", "Passage Evidence = 12"},
	{"docs/formats/elided.md", "at least 60 % of their pairs", "server/internal/elision/base.go", "alike = 0.6"},
	{"extension/package.json", "up to 100. The default is 20.", "server/internal/agenttools/search.go", "usualChunks = 20 mostChunks = 100"},
}

// A count is a statement in a page about the number of certain things.
var counts = []struct {
	page, says, file, each string
	want                   int
}{
	{"README.md", "with ten tools", "docs/agents.md", "(?m)^\\| `\\w+` \\|.*\\|.*\\|$", 10},
	{"extension/README.md", "[ten tools]", "docs/agents.md", "(?m)^\\| `\\w+` \\|.*\\|.*\\|$", 10},
	{"ARCHITECTURE.md", "the ten tools", "docs/agents.md", "(?m)^\\| `\\w+` \\|.*\\|.*\\|$", 10},
	{"docs/agents.md", "gives it ten tools", "docs/agents.md", "(?m)^\\| `\\w+` \\|.*\\|.*\\|$", 10},
	{"docs/release.md", "`aptix-SYSTEM.vsix`, eight", "server/tools/release/program.go", `"(linux|alpine|darwin|win32)-\w+"`, 8},
	{"docs/release.md", "`.zip`, eight", "server/tools/release/program.go", `\{os: "`, 8},
	{"docs/release.md", "`aptix-dev-aptix-OS-CPU-VERSION.tgz`, six", "server/tools/release/program.go", `npm: true`, 6},
}

func TestFiguresAreThoseOfTheCode(t *testing.T) {
	for _, f := range figures {
		if !strings.Contains(oneLine(t, f.page), f.says) {
			t.Errorf("%s does not say %q: correct the list of figures", f.page, f.says)
		}
		if !strings.Contains(oneLine(t, f.file), f.holds) {
			t.Errorf("%s says %q, but %s does not have %q", f.page, f.says, f.file, f.holds)
		}
	}
	for _, c := range counts {
		if !strings.Contains(oneLine(t, c.page), c.says) {
			t.Errorf("%s does not say %q: correct the list of counts", c.page, c.says)
		}
		if n := len(regexp.MustCompile(c.each).FindAllString(contents(t, c.file), -1)); n != c.want {
			t.Errorf("%s says %q, but %s has %d", c.page, c.says, c.file, n)
		}
	}
}

var (
	quantity = regexp.MustCompile(`(?i)\b(?:\d[\d,.]*|half an?|one|two|three|four|five|six|seven|eight|nine|ten|twenty|hundred|thousand)[ -](?:ms|s|(?:milli)?seconds?|minutes?|hours?|days?|bytes?|[KMG]i?B|%|percent)(?:[^\w]|$)`)
	// written matches text that programs write, or compare with such text (the table of
	// prompts.md).
	written = regexp.MustCompile(`(?s)<!-- (?:gen:)?\w+ -->.*?<!-- /|(?:\| [\d.]+ % ){2}\|`)
	example = regexp.MustCompile("(?s)\n```.*?\n```|`[^`\n]*`|\"[^\"\n]*\"|\\*[A-Z][^*\n]+\\*")
	// measured matches a command or a benchmark that shows the figures of its paragraph.
	measured = regexp.MustCompile("`(?:make|node|go test) [^`]+`")
	apart    = regexp.MustCompile(`\n\s*\n|\n\|`) // separates paragraphs, and rows of tables
)

// Every figure needs a source, because without one it grows old unnoticed.
func TestFiguresHaveASource(t *testing.T) {
	for _, page := range pages(t) {
		for _, paragraph := range apart.Split(written.ReplaceAllString(contents(t, page), " "), -1) {
			said := strings.Join(strings.Fields(example.ReplaceAllString("\n"+paragraph, " ")), " ")
			for _, f := range figures {
				if f.page == page {
					said = strings.ReplaceAll(said, f.says, "")
				}
			}
			if figure := quantity.FindString(said); figure != "" && !measured.MatchString(paragraph) {
				t.Errorf("%s: %q has no source: name a command beside it, or list the constant in figures", page, figure)
			}
		}
	}
}

// pages returns the hand-written pages. diagnostics.md and licenses.md are generated as a
// whole.
func pages(t *testing.T) (names []string) {
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/formats/*.md", "extension/README.md"} {
		files, err := filepath.Glob("../" + pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, err)
		}
		for _, file := range files {
			name := strings.TrimPrefix(filepath.ToSlash(file), "../")
			if name != "CHANGELOG.md" && name != "docs/diagnostics.md" && name != "docs/licenses.md" {
				names = append(names, name)
			}
		}
	}
	return names
}

func contents(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(data), "\r\n", "\n")
}

func oneLine(t *testing.T, name string) string {
	t.Helper()
	return strings.Join(strings.Fields(contents(t, name)), " ")
}
