package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// patchSets returns the patches with which other programs test their apply_patch. If a clone is
// missing, it is skipped, and its name is printed.
func patchSets(peers string) (sets []set, err error) {
	for _, corpus := range []struct {
		clone string
		read  func(repository) (set, error)
	}{{"codex", codexScenarios}, {"vscode-copilot-chat", copilotCorpus}} {
		dir := filepath.Join(peers, corpus.clone)
		if _, err := os.Stat(dir); err != nil {
			fmt.Fprintf(os.Stderr, "skipped: APTIX_PEERS has no %s\n", corpus.clone)
			continue
		}
		s, err := corpus.read(repository(dir))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", corpus.clone, err)
		}
		sets = append(sets, s)
	}
	return sets, nil
}

// departures maps scenarios of codex to the rule in docs/formats/apply-patch.md because of which
// the result of Aptix is different. With rule P14, Aptix makes another tree. With the other rules,
// Aptix refuses the patch.
var departures = map[string]string{
	"010_move_overwrites_existing_destination":         "P11",
	"011_add_overwrites_existing_file":                 "P3",
	"014_update_file_appends_trailing_newline":         "P14",
	"015_failure_after_partial_success_leaves_changes": "P16",
	"016_pure_addition_update_chunk":                   "P10",
	"020_whitespace_padded_patch_marker_lines":         "P2",
}

// codexScenarios reads the scenarios of openai/codex. Each scenario is a folder with input/,
// expected/ and patch.txt. If codex refuses a patch, the tree must not change. Aptix may also count
// the patch as done.
func codexScenarios(repo repository) (set, error) {
	const dir = "codex-rs/apply-patch/tests/fixtures/scenarios/"
	files, err := repo.folder(dir)
	if err != nil {
		return set{}, err
	}
	all := set{name: "codex's scenarios"}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if path.Base(file) != "patch.txt" {
			continue
		}
		s := sample{name: path.Base(path.Dir(file)), file: "reply.md", text: files[file]}
		s.before, s.after = files.subtree(dir+s.name+"/input/"), files.subtree(dir+s.name+"/expected/")
		s.mayRefuse = s.before.equal(s.after)
		switch rule := departures[s.name]; rule {
		case "":
		case "P14":
			for name, data := range s.after {
				s.after[name] = strings.TrimSuffix(data, "\n")
			}
		case "P10":
			s.mayRefuse = true // Aptix asks first
		default:
			s.after, s.refuse = s.before, true
		}
		all.samples = append(all.samples, s)
	}
	return all, nil
}

// copilotCorpus reads the test patches for the parser of VS Code's Copilot. Some of them are JSON
// with the patch and the text before and after it. Others are three files: NAME-call.txt,
// NAME-input.txt and NAME-output.txt.
func copilotCorpus(repo repository) (set, error) {
	const dir = "src/extension/tools/test/node/applyPatch/corpus/"
	files, err := repo.folder(dir)
	if err != nil {
		return set{}, err
	}
	all := set{name: "Copilot's corpus"}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		name := strings.TrimPrefix(file, dir)
		s := sample{name: name, file: "reply.md"}
		base, isCall := strings.CutSuffix(file, "-call.txt")
		switch {
		case path.Ext(file) == ".patch":
			var c struct{ Patch, Original, Expected, Fpath string }
			if err := json.Unmarshal([]byte(files[file]), &c); err != nil {
				return set{}, fmt.Errorf("%s: %w", name, err)
			}
			s.text = c.Patch
			s.update(c.Original, c.Expected)
		case isCall && files[base+"-output.txt"] != "":
			s.text = unescaped(files[file])
			s.update(files[base+"-input.txt"], files[base+"-output.txt"])
		case isCall:
			fmt.Fprintf(os.Stderr, "skipped: %s has no expected output in a file\n", name)
			continue
		default:
			// This is an input or output file, which is read together with its call.
			continue
		}
		all.samples = append(all.samples, s)
	}
	return all, nil
}

// unescaped decodes a call that is written as the inside of a JSON string.
func unescaped(call string) string {
	var s string
	lines := strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(call)
	if err := json.Unmarshal([]byte(`"`+lines+`"`), &s); err != nil {
		return call
	}
	return s
}

// update sets the trees of a patch for one file, and makes the path of the file relative.
func (s *sample) update(before, after string) {
	const header = "*** Update File: "
	_, rest, _ := strings.Cut(s.text, header)
	name, _, _ := strings.Cut(rest, "\n")
	file := strings.TrimPrefix(name, "/")
	s.text = strings.Replace(s.text, header+name, header+file, 1)
	s.before, s.after = tree{file: before}, tree{file: after}
}

// folder returns the files below a folder in the last commit, by their whole paths.
func (r repository) folder(dir string) (tree, error) {
	names, err := r.git("ls-tree", "-r", "-z", "--name-only", "HEAD", dir)
	if err != nil {
		return nil, err
	}
	t := tree{}
	for name := range strings.SplitSeq(strings.TrimRight(string(names), "\x00"), "\x00") {
		r.add(t, "HEAD", name)
	}
	if len(t) == 0 {
		return nil, fmt.Errorf("%s has no files", dir)
	}
	return t, nil
}

// subtree returns the files below a folder, by their paths relative to the folder.
func (t tree) subtree(dir string) tree {
	found := tree{}
	for name, data := range t {
		if rel, ok := strings.CutPrefix(name, dir); ok {
			found[rel] = data
		}
	}
	return found
}
