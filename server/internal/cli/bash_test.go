package cli

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aptix-dev/aptix/server/tools/gittest"
	"github.com/aptix-dev/aptix/server/tools/needs"
)

// Each of these scripts has something that a careless reader would miss. @ stands for a command that writes f.txt.
var scripts = []string{
	"pushd sub\n@", "pushd sub\npopd\n@", "cd sub\npopd\n@", "cd sub\ncd -\n@", "builtin cd sub\n@", "command cd sub\n@", "\\cd sub\n@", "\"cd\" sub\n@",
	"c'd' sub\n@", "env -C sub tee f.txt <<'E'\nevil\nE", "(cd sub\n@)", "(cd sub)\n@", "{ cd sub; }\n@", "go() { cd sub; }\ngo\n@",
	"function go { cd sub\n}\ngo\n@", "alias go='cd sub'\ngo\n@", "eval \"cd sub\"\n@", "if true; then\ncd sub\nfi\n@", "if false; then\n@fi",
	"for d in sub; do cd $d; done\n@", "while false; do\n@done", "case x in\n y)\n@;;\nesac", "false && @", "true || @", "[ -d nothere ] && cd sub\n@",
	"cd nothere && @", "cd nothere || cd sub\n@", "exit 0\n@", "exit\n@", "return\n@", "exec true\n@", "bash -c 'cd sub'\n@", "trap 'rm f.txt' EXIT\n@",
	"@for i in f.txt; do rm $i; done", "CDPATH=sub cd x\n@", "export CDPATH=/tmp\ncd sub\n@", "umask 077\n@", "# @", "git -C sub rm f.txt",
	"git --git-dir=x --work-tree=sub mv f.txt g.txt", "cd sub & \n@", "echo x | cd sub\n@", "true; cd sub; @", "true && cd sub && @", "cd \\\nsub\n@",
	"time cd sub\n@", "! cd sub\n@", "X=1 cd sub\n@", "cd -P sub\n@", "cd -- sub\n@", "cd sub\ncd nothere\n@", "cd sub/..\n@", "cd f.txt\n@",
	"cat > f.txt <<< 'evil'", "F=sub/f.txt\ncat > $F <<'E'\nevil\nE", "cat > {f,g}.txt <<'E'\nevil\nE", "cat > f.* <<'E'\nevil\nE",
	"cat > f.txt <<E\n$HOME `id` $(id)\nE", "cat > f.txt <<E\na\\\\b \\$x \\\nc\nE", "cat > f.txt <<'A' <<'B'\none\nA\ntwo\nB",
	"cat > g.txt > f.txt <<'E'\nevil\nE", "cat > f.txt <<'E' < sub/f.txt\nevil\nE", "cat sub/f.txt - > f.txt <<'E'\nevil\nE",
	"cat -n > f.txt <<'E'\nevil\nE", "sed 's/v/w/' > f.txt <<'E'\nevil\nE", "cat <<'E' | tr e E > f.txt\nevil\nE", "cat > f.txt <<-'E'\n\tevil\n\tE",
	"cat 2> f.txt <<'E'\nevil\nE", "cat &> f.txt <<'E'\nevil\nE", "cat &>> f.txt <<'E'\nevil\nE", "cat <> f.txt <<'E'\nevil\nE", "mv -n g.txt f.txt",
	"mv -b g.txt f.txt", "cp -n g.txt f.txt", "cp -u g.txt f.txt", "cp -l g.txt h.txt", "cp -s g.txt h.txt", "cp --parents sub/f.txt d", "cp -t d g.txt",
	"mv -t d g.txt", "mv -T d e", "rm -i f.txt", "rm -d d", "rmdir d", "rm *.txt", "rm -- f.txt", "mv g.txt d", "cp g.txt d", "mv f.txt g.txt d",
	"touch -c n.txt", "touch -r f.txt n.txt", "mkdir -m 700 n", "mv d sub", "cp -r d sub", "cp -r sub/. d", "cp -r sub/ d", `echo -e 'a\tb' > f.txt`,
	"echo -n x > f.txt", `echo 'a\tb' > f.txt`, `printf 'a\n%s\n' x > f.txt`, `printf '100%%\n' > f.txt`, `printf '%s\n' a b > f.txt`, "echo * > f.txt",
	"echo a   b > f.txt", "echo ~ > f.txt", ": > f.txt", "> f.txt", "sed -i '1d' f.txt", "sed -i 's/old/[&]/' f.txt", `sed -i 's/o\(ld\)/\1/' f.txt`,
	"sed -i 's/o.d/x/' f.txt", "sed -i.bak 's/old/new/' f.txt", "sed -n -i 's/old/new/' f.txt", `sed -i -E 's/(old)/x\1/' f.txt`,
	"sed -i '2s/old/new/' f.txt", "sed -i 's/OLD/new/I' f.txt", "sed -i 's/old/new/2' f.txt", `sed -i 's/old/a\nb/' f.txt`, "sed -i 's/^old/new/' f.txt",
	"sed -i 's/ol*d/new/' f.txt", "sed -i 's/old/new/' f.txt g.txt", "sed -i -e 's/old/new/' -e 's/new/newer/' f.txt", `sed -i 's/old/a\&b/' f.txt`,
	`sed -i 's/old/\U&/' f.txt`, "mkdir -p n/{a,b} && touch n/a/x n/b/y", "cp g.txt n.txt", "mv f.txt d/", "rm -rf d", "cd sub\nmv f.txt ../h.txt", "cp g.txt d/",
	"cd sub && rm f.txt; touch x", "@cd sub\n@cd ..\nrm g.txt", "touch 'a b' \"c d\"", "mv sub/f.txt n.txt && cp n.txt sub/f.txt", "echo a >> f.txt\necho b >> f.txt",
	"mv d e\nrm e/k.txt", "rm f.txt && mv g.txt f.txt", "exit 1 || true\n@", "test -f f.txt\n@", "grep -q old f.txt && @", "@exit", "false || @",
	"(cd sub && touch n.txt)\n@", "(cd sub; rm f.txt)\nrm g.txt", "( cd d\nrm k.txt\n)\n@", "[ -d no ] && (rm f.txt; rm g.txt)\n@", "(exit 1) && rm g.txt\n@",
	"(exit)\n@", "(cat > n.txt <<'E'\na)\n(b\nE\n)\n@", "@x=$(rm g.txt)", "@echo \"`rm g.txt`\"", "@cat <(rm g.txt)", "@((1))", "@git -C sub rm f.txt",
	"@(cd sub && (cd ../d && rm k.txt) && rm f.txt)", "(rm g.txt) > n.txt\n@", "(cat f.txt; rm g.txt) | tee n.txt\n@", "@(rm g.txt", "@a=(b c)", "@env -C sub rm f.txt",
	"mkdir n\nmv f.txt g.txt n", "cp f.txt g.txt d", "mv f.txt g.txt none\n@", "sed -i -e 's/old/new/g' -e 's/new new/x/' f.txt", "git mv -n f.txt n.txt\n@",
	"env A=1 rm g.txt", "cat > n.sh <<'E'\ncat <<'E'\nhi\nE\nE\n@",
}

// Aptix refuses a script, or changes the same files as bash does.
func TestAgreesWithBash(t *testing.T) {
	needs.Program(t, "bash")
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	applied := 0
	for _, script := range scripts {
		script = strings.ReplaceAll(script, "@", "cat > f.txt <<'E'\nnew\nE\n") + "\n"
		ours, theirs := t.TempDir(), t.TempDir()
		for _, dir := range []string{ours, theirs} {
			gittest.Lay(t, dir, map[string]string{"f.txt": "old\nold old\n", "g.txt": "g\n", "sub/f.txt": "other\n", "d/k.txt": "k\n"})
		}
		bash := exec.Command("bash", "-c", script)
		bash.Dir = theirs
		_ = bash.Run()
		var out bytes.Buffer
		reply := strings.NewReader("```bash\n" + script + "```\n")
		if Run(t.Context(), []string{"apply", "--root", ours}, IO{In: reply, Out: &out, Err: &out}, "test") != exitDone {
			continue
		}
		applied++
		if diff := cmp.Diff(contents(t, theirs), contents(t, ours)); diff != "" {
			t.Errorf("%s(-bash +aptix):\n%s%s", script, diff, out.String())
		}
	}
	if applied < 20 {
		t.Errorf("only %d scripts were applied", applied)
	}
}

func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			data, err := os.ReadFile(filepath.Join(dir, p))
			files[p] = string(data)
			return err
		}
		files[p] = d.Type().String()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
