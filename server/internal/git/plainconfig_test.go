package git

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/tools/needs"
	"github.com/aptix-dev/aptix/server/tools/trials"
)

// plainEntries and git read the same entries.
func TestPlainEntriesAreGits(t *testing.T) {
	needs.Program(t, "git")
	words := []string{"[core]", "[remote \"a b\"]", "[Alias]", "[a.b]", "[x \"\"]", "[a \"b\\\"c\"]", "key", "Fetch", "9", "=", " = ", "value", "a  b", "\t", " ", "~/x", "!sh -c 'y'",
		"#", ";", "\"", "\\", "\\\n", "\n", "\n", "\n", "\r\n", "\ufeff", "é", "+refs/heads/*:refs/remotes/*", "[", "]", "-", ".", "\v"}
	random := rand.New(rand.NewPCG(1, 2))
	name := filepath.Join(t.TempDir(), "config")
	read := 0
	for range trials.Rounds(t, 400) {
		var s strings.Builder
		if random.IntN(3) > 0 {
			s.WriteString("[core]\n\tbare = false\n")
		}
		for range 1 + random.IntN(9) {
			s.WriteString(words[random.IntN(len(words))])
		}
		if random.IntN(2) > 0 {
			s.WriteString("\n\teditor = vim -f\n")
		}
		if err := os.WriteFile(name, []byte(s.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		got, ok := plainEntries(name)
		if !ok {
			continue
		}
		read++
		want, err := listed(t.Context(), filepath.Dir(name), name, []string{"--git-dir=" + os.DevNull, "config", "--no-includes"})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q:\n got %q\nwant %q, %v", s.String(), got, want, err)
		}
	}
	if read < 10 {
		t.Errorf("only %d configurations were plain", read)
	}
}
