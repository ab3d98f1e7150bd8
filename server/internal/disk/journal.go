package disk

import (
	"io/fs"
	"path"
	"slices"
)

// A journal contains everything that is needed to undo a transaction that was interrupted. It
// is written before the first file changes, and never modified.
type journal struct {
	Version int      `json:"version"`
	ID      string   `json:"id"`
	Root    string   `json:"root"` // absolute path
	Ops     []entry  `json:"ops"`
	Made    []string `json:"made,omitempty"`   // directories to create, parents first
	Pruned  []folder `json:"pruned,omitempty"` // directories to remove if empty, parents first
}

// journalVersion is 2 because, unlike in version 1, files may be symbolic links. A program that knows
// only version 1 would think that another program had made such a link. A journal of version 1 has the
// same meaning in both versions.
const journalVersion = 2

// An entry is one op in a journal.
type entry struct {
	Path   string   `json:"path"`
	Before *version `json:"before"` // nil if there is no file
	After  *version `json:"after"`
	Temp   string   `json:"temp,omitempty"`   // holds the new content until it is moved to Path
	Backup string   `json:"backup,omitempty"` // holds the old content
}

type folder struct {
	Path string      `json:"path"`
	Mode fs.FileMode `json:"mode"`
}

// is reports whether the present version of a file equals want; nil means that nothing exists. Modes
// count only if the change is one of the mode alone, because umask and Windows change modes.
func (e *entry) is(now, want *version) bool {
	if now == nil || want == nil {
		return now == want
	}
	modeOnly := e.Before != nil && e.After != nil && e.Before.sameContent(e.After)
	return now.sameContent(want) && (!modeOnly || sameMode(now.Mode, want.Mode))
}

// staged returns the paths of all temps and backups.
func (j *journal) staged() []string {
	var staged []string
	for _, e := range j.Ops {
		staged = append(staged, e.Temp, e.Backup)
	}
	return slices.DeleteFunc(staged, func(name string) bool { return name == "" })
}

// changedDirs returns every directory whose entries the transaction changes.
func (j *journal) changedDirs() []string {
	return dirsOf(slices.Concat(j.staged(), j.inverse().names()))
}

// dirsOf returns the directories of files, each once.
func dirsOf(files []string) []string {
	var dirs []string
	seen := map[string]bool{}
	for _, file := range files {
		if dir := path.Dir(file); !seen[dir] {
			seen[dir] = true
			dirs = append(dirs, dir)
		}
	}
	return dirs
}
