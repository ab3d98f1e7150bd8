package lspserver

import (
	"slices"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// editedMark is added to the label of an apply that a person edited before.
const editedMark = ", edited"

// replaceTexts replaces the texts that a reply gives files by those that the person wrote in a
// preview. It returns the reason why it cannot, or "".
func (c *checked) replaceTexts(edited []aptix.EditedFile) string {
	if len(edited) == 0 || !c.Applicable() {
		return ""
	}
	if slices.ContainsFunc(c.Blocks, func(b check.Block) bool { return b.Format.Name == "lines" }) {
		return "a line patch is applied as it is or not at all, because its ids name its result"
	}
	files := slices.Clone(c.Plan.Files)
	for _, e := range edited {
		i := slices.IndexFunc(files, func(f plan.File) bool { return f.Target() == e.Path })
		if i < 0 {
			return e.Path + " is not changed by the reply any more; open the preview again"
		}
		after := &files[i].After
		was, err := after.Text()
		if err != nil || !after.Exists || text.WithEOL(was, text.LF) != text.WithEOL(e.Was, text.LF) {
			return e.Path + " or the reply has changed since the preview was opened; open it again"
		}
		_, enc, _ := text.Decode(after.Data) // it is text
		after.Data = enc.Encode(diff.KeepEndings(was, e.Text))
	}
	c.Plan.Files = slices.DeleteFunc(files, func(f plan.File) bool { return f.Operation == plan.Modify && f.Before == f.After })
	return ""
}
