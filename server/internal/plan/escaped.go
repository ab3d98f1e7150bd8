package plan

import (
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
)

// escaped decides between the two readings of a text that may be XML-escaped (rule F6). If
// the file already has the text verbatim, the change is done. Otherwise the change asks
// before an apply.
func escaped(now, after version, c intent.Change, problems []diag.Diagnostic) (version, []diag.Diagnostic) {
	if c.Escaped == "" || after.same(now) {
		return after, problems
	}
	if as := c; now.Exists {
		as.Content = c.Escaped
		if literal, problem := written(now, as); problem == nil && literal.same(now) {
			return now, nil
		}
	}
	return after, append(problems, diag.Diagnostic{Span: spanOf(c.ContentAt, c), Severity: diag.Warning, Code: diag.TagsReading,
		Message: "the text has entities such as `&lt;`, but no plain `<` or `&`, so the entities are decoded; put the text between `<![CDATA[` and `]]>` if it should contain the entities"})
}
