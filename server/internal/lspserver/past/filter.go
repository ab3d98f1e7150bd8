package past

import (
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/uri"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// filtered returns the applies that match the request. `applies` must have all applies to the workspace, latest first.
func filtered(p *aptix.HistoryParams, applies []history.Apply) []history.Apply {
	if p.After != "" {
		applies = sinceThen(applies, p.After)
	}
	words := strings.Fields(strings.ToLower(p.Words))
	changed, _ := lspconv.Path(uri.URI(p.Changed))
	return slices.DeleteFunc(slices.Clone(applies), func(a history.Apply) bool {
		return p.Changed != "" && !touches(a, changed) || slices.ContainsFunc(words, func(w string) bool { return !names(a, w) })
	})
}

// names reports whether the label of an apply, or the path of one of its files, contains a word. The case of letters
// makes no difference, but the word must be in lower case.
func names(a history.Apply, word string) bool {
	return strings.Contains(strings.ToLower(a.Label), word) ||
		slices.ContainsFunc(a.Files, func(f history.File) bool { return strings.Contains(strings.ToLower(f.Path), word) })
}

// touches reports whether an apply changed `file` or, if that is a folder, a file in it.
func touches(a history.Apply, file string) bool {
	return file != "" && slices.ContainsFunc(a.Files, func(f history.File) bool {
		rel, err := filepath.Rel(file, apply.FileOf(a, f)) // on Windows, Rel ignores case, because editors may spell the letter of a drive in another case
		return err == nil && filepath.IsLocal(rel)
	})
}

// sinceThen returns the applies, latest first, that must be reverted to restore the files from just after the apply
// `id`. Applies that were already reverted are left out, and so are their reverts.
func sinceThen(applies []history.Apply, id string) []history.Apply {
	at := slices.IndexFunc(applies, func(a history.Apply) bool { return a.ID == id })
	if at < 0 {
		return nil
	}
	later := text.Set(text.Each(applies[:at], func(a history.Apply) string { return a.ID }))
	return slices.DeleteFunc(slices.Clone(applies[:at]), func(a history.Apply) bool {
		return a.Root != applies[at].Root || a.Reverted || later[a.Undoes]
	})
}
