package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// PowerShell redirects output as UTF-16. Aptix reads such a reply, and `fix --write` keeps
// its encoding.
func TestReplyInUTF16(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	const broken = "Grüße\r\n```json\r\n{\"root\": \".\", \"files\": [{\"path\": \"src\\\\é.txt\", \"operation\": \"create\", \"content\": \"x\"}]}\r\n```\r\n"
	for _, encoding := range []text.Encoding{text.UTF16LE, text.UTF16BE} {
		dir := t.TempDir()
		reply := filepath.Join(dir, "reply.md")
		if err := os.WriteFile(reply, []byte(encoding.Encode(broken)), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"fix", "--write"}, {"apply"}} {
			var out, message bytes.Buffer
			std := IO{In: strings.NewReader(""), Out: &out, Err: &message}
			if exit := Run(t.Context(), append(args, "--root", dir, reply), std, ""); exit != exitDone {
				t.Fatalf("%v exits with %d: %s", args, exit, &message)
			}
		}
		fixed, err := os.ReadFile(reply)
		if err != nil {
			t.Fatal(err)
		}
		if want := encoding.Encode(strings.Replace(broken, `\\`, "/", 1)); string(fixed) != want {
			t.Errorf("fixed to %q, want %q", fixed, want)
		}
		if _, err := os.Stat(filepath.Join(dir, "src", "é.txt")); err != nil {
			t.Error(err)
		}
	}
}
