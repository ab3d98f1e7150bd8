// Package protect lists the files that other programs run, or read as their configuration, without asking. No reply
// changes such a file unless a person agrees. The table in entries.go is the only list; docs/protected.md is generated
// from it.
package protect

import (
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/fspath"
)

// An Entry protects files and folders by name, at any depth. A folder is protected with everything in it.
type Entry struct {
	Names  []string // patterns of [path.Match], each for one name or for several names separated by /
	Reason string   // the reason in words, such as "VS Code runs tasks that it names"
}

// A Group is a list of entries of one kind.
type Group struct {
	Title   string
	Entries []Entry
}

// Reason returns the reason why a path with slashes is protected, or "". It recognizes every spelling that a file
// system treats as the same name. `more` holds the names that a person protects in addition.
func Reason(p string, more []string) string {
	names := folded(p)
	for i := range names {
		if reason := table.reason(names[i:]); reason != "" {
			return reason
		}
	}
	return chosen(names, more)
}

// folded applies [fspath.Folded] to each component of a path, because a file system may ignore case.
func folded(p string) []string {
	names := strings.Split(p, "/")
	for i, name := range names {
		names[i] = fspath.Folded(name)
	}
	return names
}

// Leads reports whether the last names of a path are the first names of a longer protected path: `.config` leads to
// `.config/git`. If the path is a folder, it may therefore contain protected files.
func Leads(p string) bool {
	names := folded(p)
	for i := range names {
		if table.leads(names[i:]) {
			return true
		}
	}
	return false
}

const chosenReason = "the setting `aptix.protected` names it"

// chosen returns [chosenReason] if any of a person's protected names matches a path, otherwise "". A protected name
// may consist of several names separated by /, and matches at any depth.
func chosen(names, more []string) string {
	for _, m := range more {
		pattern := folded(strings.Trim(m, "/"))
		for i := range names {
			if matches(pattern, names[i:]) {
				return chosenReason
			}
		}
	}
	return ""
}

func matches(pattern, names []string) bool {
	if len(pattern) > len(names) {
		return false
	}
	for i, p := range pattern {
		if p != names[i] && !shortName(p, names[i]) {
			if ok, err := path.Match(p, names[i]); err != nil || !ok {
				return false
			}
		}
	}
	return true
}

// shortName reports whether Windows may use a name as the short form of `long`: VSCODE~1 for .vscode, GITLAB~1.YML for
// .gitlab-ci.yml.
func shortName(long, name string) bool {
	stem, end, ok := strings.Cut(name, "~")
	if !ok || strings.ContainsAny(long, "*?[") {
		return false
	}
	number, ext, _ := strings.Cut(end, ".")
	long = strings.TrimLeft(long, ".")
	longExt := strings.TrimPrefix(path.Ext(long), ".")
	letters := strings.ReplaceAll(strings.TrimSuffix(long, path.Ext(long)), ".", "")
	return len(number) == 1 && number >= "1" && number <= "9" && stem == letters[:min(6, len(letters))] && ext == longExt[:min(3, len(longExt))]
}

// lookup indexes the table by the first component of each entry, so that one access to the map is enough for nearly all
// paths. Entries whose first component is a pattern are in a separate list.
type lookup struct {
	exact    map[string][]named
	patterns []named
}

type named struct {
	names      []string
	head, tail string // the literal beginning and end of the first component, if it is a pattern
	reason     string
}

var table = newLookup(Groups)

const special = `*?[]\`

func newLookup(groups []Group) lookup {
	l := lookup{exact: map[string][]named{}}
	for _, g := range groups {
		for _, e := range g.Entries {
			for _, name := range e.Names {
				n := named{names: strings.Split(strings.ToLower(name), "/"), reason: e.Reason}
				first := n.names[0]
				if at := strings.IndexAny(first, special); at < 0 {
					l.exact[first] = append(l.exact[first], n)
				} else {
					n.head, n.tail = first[:at], first[strings.LastIndexAny(first, special)+1:]
					l.patterns = append(l.patterns, n)
				}
			}
		}
	}
	return l
}

func (l lookup) beginning(name string) []named {
	found := slices.Clip(l.exact[name])
	for _, p := range l.patterns {
		if strings.HasPrefix(name, p.head) && strings.HasSuffix(name, p.tail) {
			found = append(found, p)
		}
	}
	if strings.Contains(name, "~") {
		for _, ns := range l.exact {
			found = append(found, ns...)
		}
	}
	return found
}

func (l lookup) reason(names []string) string {
	for _, n := range l.beginning(names[0]) {
		if matches(n.names, names) {
			return n.reason
		}
	}
	return ""
}

func (l lookup) leads(names []string) bool {
	return slices.ContainsFunc(l.beginning(names[0]), func(n named) bool { return len(n.names) > len(names) && matches(n.names[:len(names)], names) })
}
