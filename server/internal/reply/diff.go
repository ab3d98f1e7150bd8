package reply

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

var hunkHeader = lazyregexp.New(`(?m)^(?:@@ .*@@|--- \S+[ \t]*\r?\n\+\+\+ )`)

// isDiff reports whether a fence shows a diff:
//
//   - A fence with the tag of a diff must have an added or a removed line.
//   - Any other fence must have the header of a hunk.
//   - In a fence without a tag, added and removed lines are enough if every line begins with ` `, `+` or `-`.
func isDiff(b *mdblock.Block) bool {
	if b.Kind() == mdblock.Patch {
		old, new := sides(b.Body)
		return old != "" || new != ""
	}
	return hunkHeader.MatchString(b.Body) && b.Kind() != mdblock.Markdown || b.Kind() == mdblock.Untagged && isSigned(b.Body)
}

func isSigned(body string) bool {
	old, new := sides(body)
	return old != "" && new != "" && !slices.ContainsFunc(text.SplitLines(strings.TrimRight(body, "\r\n")), func(line string) bool {
		return strings.TrimSpace(line) != "" && strings.IndexByte(" +-", line[0]) < 0
	})
}

func sides(diff string) (removed, added string) {
	var r, a strings.Builder
	for _, line := range text.SplitLines(diff) {
		switch {
		case strings.HasPrefix(line, "+++ "), strings.HasPrefix(line, "--- "):
		case strings.HasPrefix(line, "+"):
			a.WriteString(line[1:])
		case strings.HasPrefix(line, "-"):
			r.WriteString(line[1:])
		}
	}
	return r.String(), a.String()
}

// diff adds a diff to the unread parts, unless the reply makes the same change in another way.
func (a *lister) diff(b *mdblock.Block, l Label) {
	removed, added := sides(b.Body)
	if p := patched(b.Body); p != "" && l.Path == "" {
		l.Path, _ = a.files.resolve(p)
	}
	for name := range a.files.Made {
		if a.isMade(name, removed, added) && (l.Path == "" || l.Path == name) {
			return
		}
	}
	what, name := "a diff", l.Path
	sure := name != "" && a.files.isPlace(name)
	if name == "" {
		if only := a.files.only(); removed != "" && only != "" && a.hasLines(only, removed) {
			// The diff removes lines of the only changed file, but the rest of the reply keeps them.
			name = only
		} else if removed != "" {
			name, _ = a.files.holder(removed)
		}
		sure = name != ""
	}
	if name != "" {
		what += " for " + name
	} else {
		what += " that does not name its file"
	}
	a.add(Unread{Kind: Diff, At: b.Open, Path: name, What: what, Sure: sure})
}

// isMade reports whether the blocks of the reply make the change of a diff: the file has all added lines after the
// reply or, if the diff only removes lines, the reply removes these lines.
func (a *lister) isMade(name, removed, added string) bool {
	if added != "" {
		return a.hasLines(name, added)
	}
	was, is := a.files.becomes(name, removed)
	return was && !is
}

func (a *lister) hasLines(name, lines string) bool {
	t := a.files.texts(name)
	if len(t) == 0 {
		return false
	}
	for _, line := range text.SplitLines(lines) {
		if line = strings.TrimSpace(line); line != "" && !strings.Contains(t[len(t)-1], "\n"+line+"\n") {
			return false
		}
	}
	return true
}

// counted matches a line of the statistics above a patch, as `git format-patch` writes them.
var counted = lazyregexp.New(`^ (\S+) +\| +(?:\d+ [+-]+|Bin .*)$`)

// statistics adds to the unread parts each file of the tree that the statistics above a patch list, although the reply
// does not change it. The patch then lacks a part.
func (a *lister) statistics(b *mdblock.Block) {
	head, _, ok := strings.Cut(b.Body, "\ndiff --git ")
	if !ok {
		return
	}
	for i, line := range text.SplitLines(head) {
		m := counted.FindStringSubmatch(text.TrimEOL(line))
		if m == nil || !a.files.isFile(m[1]) || a.files.changes(m[1]) || a.files.isDone(m[1]) {
			continue
		}
		a.add(Unread{Kind: Diff, At: lineIn(b, i), Path: m[1], What: "the changes of " + m[1] + " that these statistics count", Sure: true})
	}
}
