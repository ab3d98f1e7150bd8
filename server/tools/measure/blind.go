package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/txtar"
)

// blindSets returns the sets of testdata/blind, written by people who did not know the program. The README there
// describes the files.
func blindSets() ([]set, error) {
	files, err := filepath.Glob("testdata/blind/*.txt")
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("testdata/blind has no sets; run this program in the root of the project: %w", err)
	}
	var sets []set
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		s := set{name: "blind, " + strings.TrimSuffix(filepath.Base(file), ".txt")}
		for _, text := range strings.Split("\n"+strings.TrimSuffix(string(data), "\n"), "\n=== ")[1:] {
			head, rest, _ := strings.Cut(text, "\n")
			parts := strings.SplitN(head, " | ", 3)
			if len(parts) < 3 {
				return nil, fmt.Errorf("%s: %q has no three parts", file, head)
			}
			s.samples = append(s.samples, blind(parts[0], parts[1], []byte(rest+"\n")))
		}
		sets = append(sets, s)
	}
	return sets, nil
}

// blind returns the sample of a case in txtar form.
func blind(name, expected string, archive []byte) sample {
	s := sample{name: name, file: "reply.md", before: tree{}, refuse: expected == "refuse" || expected == "nothing", mayRefuse: expected == "ask"}
	changed, deleted := tree{}, []string{}
	for _, f := range txtar.Parse(archive).Files {
		f.Data = bytes.TrimSuffix(f.Data, []byte("\n\\ No newline at end of file\n"))
		switch folder, path, _ := strings.Cut(f.Name, "/"); folder {
		case "before":
			s.before[path] = string(f.Data)
		case "after":
			changed[path] = string(f.Data)
		case "deleted":
			deleted = append(deleted, path)
		default:
			s.text = string(f.Data)
		}
	}
	s.after = maps.Clone(s.before)
	maps.Copy(s.after, changed)
	for _, path := range deleted {
		delete(s.after, path)
	}
	return s
}
