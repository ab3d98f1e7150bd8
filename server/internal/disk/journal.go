package disk

import (
	"io/fs"
	"path"
	"slices"
)

// A journal contains everything that is needed to undo an interrupted transaction. It is written before the first file
// changes, and its content does not change afterwards.
type journal struct {
	Version int      `json:"version"`
	ID      string   `json:"id"`
	Root    string   `json:"root"` // an absolute path
	Ops     []entry  `json:"ops"`
	Made    []string `json:"made,omitempty"`   // the directories to create, parents first
	Pruned  []folder `json:"pruned,omitempty"` // the directories to remove if they are empty, parents first
}

// journalVersion is 2 because files in the journal may be symbolic links. A program for version 1 would blame another
// program for the link. A journal of version 1 means the same in version 2.
const journalVersion = 2

// An entry is one op in a journal.
type entry struct {
	Path   string   `json:"path"`
	Before *version `json:"before"` // nil if the file did not exist before
	After  *version `json:"after"`
	Temp   string   `json:"temp,omitempty"`   // the file with the new content, until it is moved to Path
	Backup string   `json:"backup,omitempty"` // the file with the old content
}

type folder struct {
	Path string      `json:"path"`
	Mode fs.FileMode `json:"mode"`
}

// is reports whether `now`, the current version of the file, equals `want`. A nil version means that nothing exists.
// Modes are compared only if the entry changes nothing but the mode, because the umask and Windows change modes.
func (e *entry) is(now, want *version) bool {
	if now == nil || want == nil {
		return now == want
	}
	modeOnly := e.Before != nil && e.After != nil && e.Before.sameContent(e.After)
	return now.sameContent(want) && (!modeOnly || sameMode(now.Mode, want.Mode))
}

func (j *journal) staged() []string {
	var staged []string
	for _, e := range j.Ops {
		staged = append(staged, e.Temp, e.Backup)
	}
	return slices.DeleteFunc(staged, func(name string) bool { return name == "" })
}

func (j *journal) changedDirs() []string {
	return dirsOf(slices.Concat(j.staged(), j.inverse().names()))
}

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
