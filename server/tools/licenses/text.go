package licenses

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// phrases lists phrases that identify licenses. A text has the first license whose phrases it
// contains completely.
var phrases = []struct {
	license string
	all     []string
}{
	{"Apache-2.0", []string{"Apache License", "Version 2.0, January 2004"}},
	{"MPL-2.0", []string{"Mozilla Public License Version 2.0"}},
	{"BSD-3-Clause", []string{"Redistribution and use in source and binary forms", "Neither the name"}},
	{"BSD-2-Clause", []string{"Redistribution and use in source and binary forms"}},
	{"MIT", []string{"Permission is hereby granted, free of charge"}},
	{"ISC", []string{"Permission to use, copy, modify, and/or distribute this software"}},
}

// inFolder returns the license of the module in a folder.
func inFolder(dir string) (string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "LICEN[CS]E*"))
	if err != nil {
		return "", err
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		if license := ofText(string(data)); license != "" {
			return license, nil
		}
	}
	return "", fmt.Errorf("%s: no license that is known; read it, and add its phrases", dir)
}

// ofText returns the license of a text, or "" if it is unknown. White space does not count,
// because each project breaks lines differently.
func ofText(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	for _, p := range phrases {
		all := true
		for _, phrase := range p.all {
			all = all && strings.Contains(text, phrase)
		}
		if all {
			return p.license
		}
	}
	return ""
}
