package text

import "strings"

// IndentedAs reports whether the line on which a tag begins is indented, and every line of
// the text below the tag is indented at least as much. At least one of those lines must not
// be blank. The text may then be read without that indentation, as in an item of a list.
func IndentedAs(body string, tag int, inner Span) bool {
	line := body[strings.LastIndexAny(body[:tag], "\r\n")+1:]
	indentation := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	if indentation == "" || !strings.ContainsAny(strings.TrimSpace(body[tag:inner.Start])+inner.In(body), "\n") {
		return false
	}
	said := false
	for i, line := range SplitLines(inner.In(body)) {
		if blank := strings.TrimSpace(line) == ""; blank || i == 0 && inner.Start > 0 && body[inner.Start-1] != '\n' {
			continue
		}
		if said = strings.HasPrefix(line, indentation); !said {
			return false
		}
	}
	return said
}
