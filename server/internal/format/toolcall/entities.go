package toolcall

import (
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

var entity = lazyregexp.New(`&(?:lt|gt|amp|quot|apos|#39|#34|#x27);`)

// entities warns of a text in tags that has entities where it could have angle brackets and
// ampersands, and none of these.
func (c *call) entities(p param) {
	plain := text.WithoutEntities(p.text)
	if plain == p.text {
		return
	}
	c.report(diag.Diagnostic{Span: p.at.Shown(), Severity: diag.Warning, Code: diag.CallEntities,
		Message: "the text has `" + entity.FindString(p.text) + "` and other entities, and is taken as it is written; the characters that they stand for may be meant",
		Fixes:   []diag.Fix{{Title: "Write the characters for the entities", Edits: []text.Edit{p.at.Set(plain)}}}})
}
