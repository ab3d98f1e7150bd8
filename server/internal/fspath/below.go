package fspath

import "strings"

// IsBelow reports whether a slash-separated path is dir itself or lies in it. Every path
// lies in ".".
func IsBelow(dir, path string) bool {
	return path == dir || dir == "." || strings.HasPrefix(path, dir+"/")
}
