package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// perPeer limits the number of commits of a repository that become samples, and largest limits the
// size of their diffs, in bytes.
const (
	perPeer = 40
	largest = 40_000
)

// unusual matches a part of a diff that changes something other than lines of files.
var unusual = regexp.MustCompile(`(?m)^(?:Binary files|old mode|.Subproject commit)`)

// readDiffs returns diffs of commits from all repositories in a folder, evenly spread over their
// history.
func readDiffs(peers string) ([]sample, error) {
	entries, err := os.ReadDir(peers)
	if err != nil {
		return nil, err
	}
	var samples []sample
	for _, e := range entries {
		found, err := commitDiffs(repository(filepath.Join(peers, e.Name())), e.Name())
		if err != nil {
			return nil, err
		}
		samples = append(samples, found...)
	}
	return samples, nil
}

func commitDiffs(repo repository, name string) ([]sample, error) {
	out, err := repo.git("log", "--no-merges", "--min-parents=1", "--format=%H")
	if err != nil {
		return nil, err
	}
	commits := strings.Fields(string(out))
	step := max(len(commits)/(2*perPeer), 1)
	var samples []sample
	for i := 0; i < len(commits) && len(samples) < perPeer; i += step {
		commit := commits[i]
		diff, err := repo.git("diff", "--no-color", "--no-ext-diff", "--no-renames", commit+"^", commit)
		if err != nil {
			return nil, err
		}
		if len(diff) == 0 || len(diff) > largest || unusual.Match(diff) {
			continue
		}
		before, after, err := repo.changed(commit+"^", commit)
		if err != nil {
			return nil, err
		}
		samples = append(samples, sample{name: fmt.Sprintf("%s-%.7s", name, commit), file: "change.diff", text: string(diff), before: before, after: after})
	}
	return samples, nil
}
