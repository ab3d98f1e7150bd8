package main

import (
	"iter"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/mdblock"
)

const historyName = "replies in histories of chats"

// historySet returns the answers of models in the chat histories that people committed. APTIX_HISTORIES names a folder
// with clones that have such a history and the commits to which the answers led. In some commits a person also changed
// other lines, so an answer counts only if it has nearly all new lines of its commit.
func historySet() (set, error) {
	s := set{name: historyName}
	folder := os.Getenv("APTIX_HISTORIES")
	if folder == "" {
		return s, nil
	}
	dirs, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		return s, err
	}
	for _, dir := range dirs {
		if _, err := os.Stat(filepath.Join(dir, "repo")); err == nil {
			dir = filepath.Join(dir, "repo")
		}
		l := library{repository(dir), map[string]string{}}
		seen := map[string]bool{}
		for t := range turns(l.longestHistory()) {
			if one, ok := l.sampleOf(t); ok && !seen[t.commit] {
				s.samples = append(s.samples, one)
			}
			seen[t.commit] = true
		}
	}
	return s, nil
}

// longestHistory returns the longest version of the chat history in a repository, or "". People often delete it again.
func (l library) longestHistory() (history string) {
	list, err := l.git("log", "--all", "-m", "--raw", "--no-abbrev", "--format=", "--", "*aider.chat.history.md")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(list)) {
		fields := strings.Fields(line) // two modes, two objects, the status and the name
		if len(fields) < 6 {
			continue
		}
		for _, object := range fields[2:4] {
			size, err := l.git("cat-file", "-s", object)
			if n, _ := strconv.Atoi(strings.TrimSpace(string(size))); err == nil && n > len(history) {
				if data, err := l.git("cat-file", "blob", object); err == nil {
					history = string(data)
				}
			}
		}
	}
	return history
}

// sampleOf makes a sample from a turn. It returns false if the commit is unknown or does not agree with the answer. An
// answer that begins with "## " is a message from the chat program. That program also adds a final newline to each file
// that it changes.
func (l library) sampleOf(t turn) (sample, bool) {
	const (
		largest = 400_000    // the largest file, in bytes, and
		most    = 12_000_000 // the most files, in bytes: if there are more, only the changed files are in the tree
	)
	text := strings.ReplaceAll(strings.Join(t.lines, "\n")+"\n", "\r\n", "\n")
	if !strings.Contains(text, "```") || strings.HasPrefix(strings.TrimSpace(text), "## ") {
		return sample{}, false
	}
	before, after, err := l.changed(t.commit+"^", t.commit)
	for _, t := range []tree{before, after} {
		maps.DeleteFunc(t, func(name, _ string) bool { return strings.Contains(name, "aider.") })
	}
	if err != nil || len(after) == 0 || !agrees(text, before, after) {
		return sample{}, false
	}
	for name, was := range before {
		if is, stays := after[name]; stays && was != "" && !strings.HasSuffix(was, "\n") {
			after[name] = strings.TrimSuffix(is, "\n")
		}
	}
	one := sample{name: filepath.Base(filepath.Dir(string(l.repository))) + "-" + t.commit, file: "reply.md", text: text, before: before, after: after, loose: true}
	files, err := l.files(t.commit+"^", largest)
	if err != nil || l.load(files) != nil {
		return one, true
	}
	size := 0
	for _, e := range files {
		size += len(l.texts[e.object])
	}
	for name, data := range l.read(files, func(name string) bool { return size <= most && !strings.Contains(name, "aider.") }) {
		if _, changed := before[name]; !changed {
			before[name], after[name] = data, data
		}
	}
	return one, true
}

// agrees reports whether an answer has nearly all lines that a commit adds, and the commit has nearly all new lines in the
// fences of the answer. White space at the ends of lines does not count.
func agrees(answer string, before, after tree) bool {
	said, had, has := map[string]bool{}, linesOf(before), linesOf(after)
	for line := range eachTrimmed(answer) {
		said[line], said[strings.TrimSpace(strings.TrimPrefix(line, "+"))] = true, true
	}
	var added, written []string
	for line := range has {
		if !had[line] {
			added = append(added, line)
		}
	}
	for _, b := range mdblock.Find(answer) {
		searched := false
		for line := range eachTrimmed(b.Body) {
			switch {
			case strings.HasPrefix(line, "<<<<<<<"):
				searched = true
			case strings.HasPrefix(line, "======="), strings.HasPrefix(line, ">>>>>>>"):
				searched = false
			case !searched && !had[line] && b.Lang != "diff" && !b.IsCommands():
				written = append(written, line)
			}
		}
	}
	const most = 97
	return hasShare(said, added, most) && hasShare(has, written, most)
}

// hasShare reports whether a set has at least `percent` of some lines.
func hasShare(set map[string]bool, lines []string, percent int) bool {
	found := 0
	for _, line := range lines {
		if set[line] {
			found++
		}
	}
	return 100*found >= percent*len(lines)
}

func linesOf(t tree) map[string]bool {
	all := map[string]bool{"": true}
	for _, data := range t {
		for line := range eachTrimmed(data) {
			all[line] = true
		}
	}
	return all
}

func eachTrimmed(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.Lines(s) {
			if !yield(strings.TrimSpace(line)) {
				return
			}
		}
	}
}
