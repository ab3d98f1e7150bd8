package check

import (
	"encoding/json"
	"path"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/plan"
)

// considerNotebook reports problems of a change of a Jupyter notebook (rule R49).
func (w Where) considerNotebook(f plan.BlockFile) []diag.Diagnostic {
	var found []diag.Diagnostic
	if breaksNotebook(f) {
		found = append(found, diag.New(diag.NotebookBroken, f.At, f.Target()+" would no longer be JSON, so no program could open the notebook; escape quotes, backslashes and line ends as JSON requires"))
	}
	if w.NotebookOpen != nil && w.NotebookOpen(f.Path) {
		found = append(found, diag.New(diag.NotebookOpen, f.At, f.Path+" is open as a notebook, and the editor may overwrite the change when it saves; close the notebook first if it has unsaved cells"))
	}
	return found
}

// breaksNotebook reports whether a change leaves a notebook that is not JSON, although it was
// JSON or did not exist before. An empty file counts as a notebook without cells.
func breaksNotebook(f plan.BlockFile) bool {
	if !strings.EqualFold(path.Ext(f.Target()), ".ipynb") || !f.Exists() {
		return false
	}
	after := f.After()
	return after.Mode.Type() == 0 && after.Data != "" && !isJSON(after.Data) && (!f.Existed() || isJSON(f.Before().Data))
}

func isJSON(data string) bool { return json.Valid([]byte(strings.TrimPrefix(data, "\ufeff"))) }
