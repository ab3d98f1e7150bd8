package fspath

import "strings"

// IsGit reports whether a path leads into a folder .git, in any spelling that some file
// system takes for that name: git itself refuses these.
func IsGit(path string) bool {
	for name := range strings.SplitSeq(path, "/") {
		if name = Folded(name); name == ".git" || name == "git~1" {
			return true
		}
	}
	return false
}

// Folded is one name of a path, in lower case, as some file system takes it: Windows
// drops spaces and dots at its end and reads a stream's name after a colon, HFS+ ignores
// invisible characters, and both ignore case.
func Folded(name string) string {
	name, _, _ = strings.Cut(name, ":")
	return strings.ToLower(strings.TrimRight(strings.Map(visible, name), " ."))
}

// visible drops the characters that HFS+ ignores in names.
func visible(r rune) rune {
	if (r >= 0x200c && r <= 0x200f) || (r >= 0x202a && r <= 0x202e) || (r >= 0x206a && r <= 0x206f) || r == 0xfeff {
		return -1
	}
	return r
}
