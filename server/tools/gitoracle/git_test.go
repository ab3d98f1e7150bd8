// Package gitoracle_test compares the engine with the installed git. It changes random
// repositories, lets git write the differences as patches, and disturbs patches and trees. The
// engine must then give the same result as `git apply`, or refuse.
package gitoracle_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestMain fails if git is not installed, because a skipped check must not look like one that
// passed.
func TestMain(m *testing.M) {
	if _, err := exec.LookPath("git"); err != nil {
		if runtime.GOOS == "windows" {
			fmt.Println("gitoracle: all tests are skipped: needs git, which this Windows does not have")
			os.Exit(0)
		}
		fmt.Fprintln(os.Stderr, "gitoracle: these tests compare Aptix with git, and git is not installed; install it to run them")
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// environment returns an environment without the configuration of this machine.
func environment(home string) []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") })
	return append(env, "HOME="+home, "XDG_CONFIG_HOME="+home, "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=core.autocrlf", "GIT_CONFIG_VALUE_0=false",
		"GIT_CEILING_DIRECTORIES="+filepath.Dir(home), "LC_ALL=C", "TZ=UTC")
}

// shell runs one script, because starting many processes takes most of the time of such a test.
func shell(dir, script string, stdin []byte) error {
	name := filepath.Join(dir, "script")
	if err := os.WriteFile(name, []byte(script), 0o644); err != nil {
		return err
	}
	cmd := exec.Command("sh", "-eu", name)
	cmd.Dir, cmd.Env = dir, environment(dir)
	cmd.Stdin = bytes.NewReader(stdin)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("the script of git commands: %w\n%s", err, out)
	}
	return nil
}

// A commitHistory is a sequence of trees, which are the commits rN-0, rN-1, ... of a repository.
type commitHistory struct {
	round uint64
	trees []tree
}

func (h commitHistory) ref(i int) string { return fmt.Sprintf("r%d-%d", h.round, i) }

// fastImport writes all histories as a stream for `git fast-import`.
func fastImport(histories []commitHistory) []byte {
	var b bytes.Buffer
	mark := 0
	for _, h := range histories {
		fmt.Fprintf(&b, "reset refs/heads/tip\n")
		for i, t := range h.trees {
			mark++
			writeCommit(&b, mark, messages[(int(h.round)+i)%len(messages)], t)
			fmt.Fprintf(&b, "reset refs/tags/%s\nfrom :%d\n\n", h.ref(i), mark)
		}
	}
	return b.Bytes()
}

// Texts between the patches in a mailbox.
var messages = []string{
	"fix: the count", "Subject with é\n\nA body.\n\n- a list\n- of points\n", "one line\n\n---\nbelow three dashes\n",
	"code in the message\n\n    @@ -1 +1 @@\n    -a\n    +b\n\n> quoted\n", "", "From me\n\n-- \nsigned\n",
}

func writeCommit(b *bytes.Buffer, mark int, message string, t tree) {
	fmt.Fprintf(b, "commit refs/heads/tip\nmark :%d\ncommitter A U Thor <a@example.com> %d +0000\ndata %d\n%s\ndeleteall\n",
		mark, 1700000000+mark, len(message), message)
	for _, p := range t.paths() {
		n := t[p]
		fmt.Fprintf(b, "M %s inline %s\ndata %d\n%s\n", n.kind.gitMode(), quoted(p), len(n.data), n.data)
	}
	b.WriteByte('\n')
}

// quoted returns a path in the notation of fast-import.
func quoted(p string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(p) {
		if c := p[i]; c < 0x20 || c >= 0x7f || c == '"' || c == '\\' {
			fmt.Fprintf(&b, `\%03o`, c)
		} else {
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
