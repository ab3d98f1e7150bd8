package git

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/findreplace"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/reply"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A listing is a diff as a terminal shows it: each line has the number of a line, a sign, and the text (rule G78). A part
// ends at a line such as `⋮`.
type listing struct {
	bare
	at             text.Span // in the document
	shift          int       // the lines added so far, minus the lines removed
	added, removed int
}

var (
	// numberedRow matches a line of a listing. Its groups are the number, the sign and the text.
	numberedRow = lazyregexp.New(`^[ \t]*(\d{1,6})(?: [│|])?(?: ([ +-])(.*))?[ \t]*$`)
	// countsAbove matches the number of added and removed lines in the line above a listing.
	countsAbove = lazyregexp.New(`\(\+(\d+) [-−](\d+)\)`)
	wordsAbove  = lazyregexp.New(`\b(\d+) (addition|removal)s?\b`)
)

// mostAbove is the number of lines above a listing that may name its file.
const mostAbove = 2

// listings returns the regions of the diffs that a terminal shows, outside of fences. If one of them is certain, because it
// fits its file or because its numbers of lines are above, each other one is an edit or an error, so that none is ignored.
func listings(d format.Document) (found []*format.Region) {
	if d.Tree == nil {
		return nil
	}
	known, certain := map[string]bool{}, false // the files of the listings so far
	fences := d.Fences
	for at, above := 0, []string(nil); at < len(d.Text); {
		end, next := text.LineEnd(d.Text, at)
		line := d.Text[at:end]
		if len(fences) > 0 && fences[0].Span.Start < next {
			at, above, fences = max(at, text.LineAfter(d.Text, fences[0].Span.End)), nil, fences[1:]
			continue
		}
		if !isRow(line) {
			if strings.TrimSpace(line) != "" {
				above = append(above, line)
				above = above[max(0, len(above)-mostAbove):]
			}
			at = next
			continue
		}
		l, whole := readListing(d.Text[:d.FenceBelow(at)], at)
		fits, sure := l.isFor(d, above, known)
		if l.path != "" && l.added+l.removed > 0 && !d.IsTaken(l.at) {
			r := format.Piece(d.Text, l.at, strings.TrimSpace(d.Text[l.at.End:]) != "")
			if r.Shared = l.bare; !whole || !fits {
				r.Shared = bare{path: l.path}
			}
			known[l.path], certain = true, certain || sure || whole && fits
			found = append(found, r)
		}
		at, above = max(next, l.at.End), nil
	}
	if !certain {
		return nil
	}
	return found
}

// isRow reports whether a line is one of a listing. It first looks for a digit, because almost no line begins with one.
func isRow(line string) bool {
	begin := strings.TrimLeft(line, " \t")
	return begin != "" && begin[0] >= '0' && begin[0] <= '9' && numberedRow.MatchString(line)
}

// readListing reads the listing that begins at an offset. It returns false if the numbers do not fit, or if another line
// follows directly: a terminal may have broken a long line in two, or may not have shown all lines.
func readListing(doc string, start int) (l listing, whole bool) {
	l.at = text.Span{Start: start, End: start}
	var hunk []string
	from, line, last := start, 0, 0
	end := func(at int) {
		if p, _ := partOf(text.Joined(hunk), text.Span{End: len(text.Joined(hunk))}); p.old != p.new {
			p.at, p.line = text.Span{Start: from - start, End: at - start}, line
			l.parts = append(l.parts, p)
		}
		hunk, last = nil, 0
	}
	for at := start; at < len(doc); {
		eol, next := text.LineEnd(doc, at)
		row := numberedRow.FindStringSubmatch(doc[at:eol])
		switch trimmed := strings.TrimSpace(doc[at:eol]); {
		case row != nil:
			n, _ := strconv.Atoi(row[1])
			if len(hunk) == 0 {
				from, line = at, n-l.shift
			} else if row[2] != "-" && last != 0 && n != last+1 {
				return l, false
			}
			switch row[2] {
			case "-":
				l.removed, l.shift = l.removed+1, l.shift-1
				last = cmp.Or(last, n-1)
			case "+":
				l.added, l.shift, last = l.added+1, l.shift+1, n
			default:
				last = n
			}
			hunk = append(hunk, row[2]+row[3])
			l.at.End = next
		case trimmed == "" && !isRow(firstLine(doc[next:])):
			end(l.at.End)
			return l, len(l.parts) > 0
		case trimmed == "", trimmed == "⋮", trimmed == "...", trimmed == "…":
			end(l.at.End)
		default:
			return l, false
		}
		at = next
	}
	end(l.at.End)
	return l, len(l.parts) > 0
}

func firstLine(s string) string {
	end, _ := text.LineEnd(s, 0)
	return s[:end]
}

// isFor sets the file of a listing to the only one that the lines above name, and reports whether the listing fits it. If
// these lines have the numbers of added and removed lines, the listing must have as many. `sure` is true if they do.
func (l *listing) isFor(d format.Document, above []string, known map[string]bool) (fits, sure bool) {
	said := strings.Join(above, "\n")
	names := reply.Mentioned(said)
	if len(names) != 1 {
		return false, false
	}
	content, has := reply.FileText(d, names[0])
	if !has && !reply.MayHold(d.Tree, names[0]) {
		return false, false
	}
	l.path = names[0]
	added, removed, sure := counted(said)
	if sure && (added != l.added || removed != l.removed) {
		return false, true
	}
	if adds := len(l.parts) == 1 && l.parts[0].old == ""; adds || !has {
		return adds && (!has || content == l.parts[0].new), sure
	}
	t := place.NewText(content)
	for i := range l.parts {
		if known[l.path] {
			l.parts[i].line = 0 // the numbers count the lines that the listing above adds
		} else if p := l.parts[i]; !p.isIn(t) || len(findreplace.PlacesOfLines(t, p.old)) == 0 && l.added == 0 {
			return false, sure
		}
	}
	return true, sure
}

// counted returns the numbers of added and removed lines that a program writes above a listing.
func counted(above string) (added, removed int, ok bool) {
	if m := countsAbove.FindStringSubmatch(above); m != nil {
		added, _ = strconv.Atoi(m[1])
		removed, _ = strconv.Atoi(m[2])
		return added, removed, true
	}
	for _, m := range wordsAbove.FindAllStringSubmatch(above, -1) {
		if n, _ := strconv.Atoi(m[1]); m[2] == "addition" {
			added += n
		} else {
			removed += n
		}
		ok = true
	}
	return added, removed, ok
}
