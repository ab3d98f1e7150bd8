package wholefile

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/reply"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// word matches a path in backticks, or without.
const word = "\\**(?:`([^`\n]+)`|([^\\s*`]+))\\**"

// The lines that say all that becomes of a file.
var (
	deletion = lazyregexp.New("(?m)^ {0,3}#{1,6} +\\**(?i:deleted|delete|removed|remove) file:?\\**:? +" + word + "[ \t]*(?:\\([^()\n]*\\))?[ \t]*\r?$")
	renaming = lazyregexp.New("(?m)^ {0,3}(?:#{1,6} +|\\*\\*)\\**(?i:renamed|rename|moved|move) file:?\\**:? +" + word + "[ \t]*(?:\\((?i:old)\\))?[ \t]*(?:->|→|=>|to\\b)?[ \t]*" + word + "[ \t]*(?:\\((?i:new)\\))?[ \t]*\r?$")
)

// headings returns the deletions and renames between two offsets, in order.
func headings(doc string, from, to int) []entry {
	part := doc[from:to]
	var found []entry
	for at := 0; at < len(part); {
		end, next := text.LineEnd(part, at)
		if e, ok := heading(doc, text.Span{Start: from + at, End: from + end}); ok {
			found = append(found, e)
		}
		at = next
	}
	return found
}

func heading(doc string, line text.Span) (entry, bool) {
	if s := line.In(doc); !strings.ContainsAny(s, "#:：*`>→") || !strings.Contains(s, ".") {
		return entry{}, false
	}
	if m := deletion.FindStringSubmatchIndex(line.In(doc)); m != nil {
		e := entry{verb: deleted, label: true, path: pathOf(doc, line, m[2:6]), at: line, line: line}
		e.open = line.End == len(doc) && m[2] < 0
		return e, reply.IsPath(e.path.path)
	}
	if at, says, ok := reply.FileLabel(line.In(doc)); ok && says == reply.Delete {
		return entry{verb: deleted, label: strings.ContainsAny(line.In(doc), "#*"), path: located{at.In(line.In(doc)), at.Shift(line.Start)}, at: line, line: line, open: line.End == len(doc)}, true
	}
	if m := renaming.FindStringSubmatchIndex(line.In(doc)); m != nil {
		e := entry{verb: renamed, label: true, path: pathOf(doc, line, m[2:6]), to: pathOf(doc, line, m[6:10]), at: line, line: line}
		e.open = line.End == len(doc) && m[6] < 0
		return e, reply.IsPath(e.path.path) && reply.IsPath(e.to.path)
	}
	if from, to, ok := reply.FileGoes(line.In(doc)); ok {
		e := entry{verb: deleted, path: located{from.In(line.In(doc)), from.Shift(line.Start)}, at: line, line: line, open: line.End == len(doc), problem: mentioned}
		if !to.Empty() {
			e.verb, e.to = renamed, located{to.In(line.In(doc)), to.Shift(line.Start)}
		}
		return e, true
	}
	return entry{}, false
}

// pathOf returns the path in one of two groups of a match.
func pathOf(doc string, line text.Span, m []int) located {
	if m[0] < 0 {
		m = m[2:]
	}
	at := text.Span{Start: m[0], End: m[1]}.Shift(line.Start)
	return located{at.In(doc), at}
}
