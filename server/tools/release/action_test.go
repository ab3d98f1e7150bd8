package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/aptix-dev/aptix/server/tools/needs"
)

const actionReply = "```json\n" + `{"root": ".", "files": [{"path": "new.txt", "operation": "create", "content": "new\n"}]}` + "\n```\n"

// The steps of action.yml run as on a runner: each in bash, with its environment.
func TestAction(t *testing.T) {
	needs.Program(t, "bash")
	temp := t.TempDir()
	for _, file := range []string{"reply.md", "--yes $(touch planted).md"} {
		dir := t.TempDir()
		writeFile(t, filepath.Join(dir, file), actionReply)
		if err := runAction(t, temp, dir, file, "--fix"); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		if got, err := os.ReadFile(filepath.Join(dir, "new.txt")); string(got) != "new\n" {
			t.Errorf("%s: new.txt is %q: %v", file, got, err)
		}
		if _, err := os.Stat(filepath.Join(dir, "planted")); err == nil {
			t.Errorf("%s: the input was run as code", file)
		}
	}
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "reply.md"), strings.Replace(actionReply, "create", "delete", 1))
	if err := runAction(t, temp, dir, "reply.md", "--fix"); err == nil {
		t.Error("a reply that cannot be applied does not fail the step")
	}

	// The words of the flags are not expanded like patterns of file names.
	dir = t.TempDir()
	writeFile(t, filepath.Join(dir, "reply.md"), actionReply)
	writeFile(t, filepath.Join(dir, "--fix=false"), "")
	if err := runAction(t, temp, dir, "reply.md", "--fi*"); err == nil || !strings.Contains(err.Error(), "--fi*") && !strings.Contains(err.Error(), "-fi*") {
		t.Errorf("the flag is not read as it is: %v", err)
	}
}

// Actions by others are named by their commits, because a tag can be moved.
func TestActionsArePinned(t *testing.T) {
	for _, file := range []string{"action.yml", ".github/workflows/test.yml"} {
		data, err := os.ReadFile(filepath.Join("../../..", filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		uses := regexp.MustCompile(`uses: (\S+)`).FindAllStringSubmatch(string(data), -1)
		if len(uses) == 0 {
			t.Errorf("%s uses nothing", file)
		}
		for _, use := range uses {
			if !regexp.MustCompile(`@[0-9a-f]{40}$`).MatchString(use[1]) {
				t.Errorf("%s: %s is not pinned to a commit", file, use[1])
			}
		}
	}
}

// The hook for pre-commit does not take a file name for a flag.
func TestPreCommitHook(t *testing.T) {
	data, err := os.ReadFile("../../../.pre-commit-hooks.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var hooks []struct{ Entry string }
	if err := yaml.Unmarshal(data, &hooks); err != nil || len(hooks) != 1 {
		t.Fatalf("%v, %v", hooks, err)
	}
	if words := strings.Fields(hooks[0].Entry); words[len(words)-1] != "--" {
		t.Errorf("the entry %q does not end its flags", hooks[0].Entry)
	}
}

// runAction runs the steps of the action in a folder. The folder temp keeps the program, so that only the first call
// links it.
func runAction(t *testing.T, temp, dir, reply, flags string) error {
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	state := t.TempDir()
	for _, step := range actionSteps(t, filepath.Join(root, "action.yml")) {
		cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step.Run)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "RUNNER_TEMP="+temp, "GITHUB_OUTPUT="+filepath.Join(temp, "output"), "XDG_STATE_HOME="+state)
		for name, value := range step.Env {
			value = strings.NewReplacer("${{ github.action_path }}", root, "${{ inputs.reply }}", reply,
				"${{ inputs.root }}", ".", "${{ inputs.flags }}", flags).Replace(value)
			cmd.Env = append(cmd.Env, name+"="+value)
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			return errors.New(err.Error() + "\n" + string(out))
		}
	}
	return nil
}

type actionStep struct {
	Run string
	Env map[string]string
}

func actionSteps(t *testing.T, file string) (steps []actionStep) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var action struct{ Runs struct{ Steps []actionStep } }
	if err := yaml.Unmarshal(data, &action); err != nil {
		t.Fatal(err)
	}
	for _, s := range action.Runs.Steps {
		if s.Run != "" {
			steps = append(steps, s)
		}
	}
	if len(steps) != 2 {
		t.Fatalf("%s has %d steps that run, want 2", file, len(steps))
	}
	return steps
}

func writeFile(t *testing.T, file, data string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
}
