package check

import (
	"fmt"
	"io/fs"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// consider says what there is to know of a change here, whatever the format.
func (w Where) consider(f plan.File, protected map[string]disk.Protection) []diag.Diagnostic {
	var found []diag.Diagnostic
	for _, path := range []string{f.Path, f.To} {
		if p, is := protected[path]; is && !w.AllowProtected {
			found = append(found, diag.Diagnostic{Span: f.At, Severity: w.ProtectedIs, Code: diag.PathProtected,
				Message: path + " is protected: " + p.Reason})
		}
	}
	if name := invisible(f); name != "" {
		found = append(found, diag.Diagnostic{Span: f.At, Severity: diag.Warning, Code: diag.PathInvisible,
			Message: fmt.Sprintf("the path %q has characters that cannot be seen; it may not be the file that it seems to be", name)})
	}
	if w.runsAsOther(f) {
		found = append(found, diag.Diagnostic{Span: f.At, Severity: diag.Warning, Code: diag.FileSetuid,
			Message: f.Path + " runs with the rights of its owner or group; the changed file will not: it loses its set-user-ID and set-group-ID bits"})
	}
	if w.Unsaved != nil && f.Before.Exists && (f.Whole || f.Operation == plan.Remove) && w.Unsaved(f.Path) {
		found = append(found, unsavedText(f))
	}
	if w.OneEnding && f.Operation == plan.Modify && mixedEndings(f.Before.Data) {
		found = append(found, diag.Diagnostic{Span: f.At, Severity: diag.Warning, Code: diag.MixedEndings,
			Message: f.Path + " has mixed line endings, which this editor makes all alike; `aptix apply` on the command line keeps them"})
	}
	return found
}

// invisible is the first name of a file with characters that cannot be seen; "" for none.
func invisible(f plan.File) string {
	for _, name := range []string{f.Path, f.To} {
		if strings.ContainsFunc(name, escape.Invisible) {
			return name
		}
	}
	return ""
}

// runsAsOther reports whether a file that is there runs with the rights of another user or
// group.
func (w Where) runsAsOther(f plan.File) bool {
	if f.Operation != plan.Modify && f.Operation != plan.Rename {
		return false
	}
	info, err := fs.Stat(w.Tree, f.Path)
	return err == nil && info.Mode()&(fs.ModeSetuid|fs.ModeSetgid) != 0
}

// unsavedText is a doubt: an edit shows which text it expects, and a deletion or a whole
// content does not.
func unsavedText(f plan.File) diag.Diagnostic {
	what := "overwritten"
	if f.Operation == plan.Remove {
		what = "deleted"
	}
	return diag.Diagnostic{Span: f.At, Severity: diag.Warning, Code: diag.UnsavedText,
		Message: fmt.Sprintf("%s has text that is not saved, and would be %s; save it first if it matters", f.Path, what)}
}

// mixedEndings reports whether the lines of a file have different endings. One that is no
// text has none that an editor would change.
func mixedEndings(data string) bool {
	decoded, _, err := text.Decode(data)
	return err == nil && text.MixedEOL(decoded)
}
