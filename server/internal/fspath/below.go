package fspath

import "strings"

// IsBelow reports whether a path, with / between names, is dir or in it. Everything is in ".".
func IsBelow(dir, path string) bool {
	return path == dir || dir == "." || strings.HasPrefix(path, dir+"/")
}
