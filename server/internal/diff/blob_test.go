package diff

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/tools/needs"
)

// BlobID and git give the same ids, for both kinds of hashes.
func TestBlobID(t *testing.T) {
	needs.Program(t, "git")
	parts := []string{"", "a\r\n", "", strings.Repeat("long", 10_000)}
	for _, format := range []string{"sha1", "sha256"} {
		dir := t.TempDir()
		for _, args := range [][]string{{"init", "-q", "--object-format=" + format}, {"hash-object", "--stdin"}} {
			cmd := exec.Command("git", args...)
			cmd.Dir, cmd.Stdin = dir, strings.NewReader(strings.Join(parts, ""))
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("git %v: %v\n%s", args, err, out)
			}
			if want := strings.TrimSpace(string(out)); args[0] != "init" && BlobID(want, parts...) != want {
				t.Errorf("%s: %s, want %s", format, BlobID(want, parts...), want)
			}
		}
	}
	if got := BlobID("", ""); got != "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391" {
		t.Errorf("of an empty file: %s", got)
	}
}
