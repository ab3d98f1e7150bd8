package check

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/protect"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// guarded returns the diagnostics about the protected files of a block. Files in one folder that are protected for the
// same reason share a diagnostic.
func (w Where) guarded(files []plan.BlockFile, protected map[string]protect.Protection) []diag.Diagnostic {
	if w.AllowProtected {
		return nil
	}
	type group struct{ folder, reason string }
	var order []group
	at, names := map[group]text.Span{}, map[group][]string{}
	for _, f := range files {
		for _, name := range f.Paths() {
			of, is := protected[name]
			g := group{cmp.Or(of.Folder, path.Dir(name)), of.Reason}
			if !is || f.State != plan.Change {
				continue
			}
			if len(names[g]) == 0 {
				order, at[g] = append(order, g), f.At
			}
			names[g] = append(names[g], name)
		}
	}
	var found []diag.Diagnostic
	for _, g := range order {
		d := diag.New(diag.PathProtected, at[g], eachOf(names[g])+" is protected: "+g.reason).As(w.ProtectedIs)
		d.AskOnly = protected[names[g][0]].Folder != ""
		found = append(found, d)
	}
	return found
}

func eachOf(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return "each of " + strings.Join(text.AtMost(names, maxAsked, "%d more"), ", ")
}

// consider returns diagnostics about a file's change that do not depend on the block's format.
func (w Where) consider(f plan.BlockFile) []diag.Diagnostic {
	var found []diag.Diagnostic
	if name := invisible(f); name != "" {
		found = append(found, diag.New(diag.PathInvisible, f.At,
			fmt.Sprintf("the path %q has invisible characters, so it may name a different file than it seems to", name)))
	}
	if w.runsAsOther(f) {
		found = append(found, diag.New(diag.FileSetuid, f.At, f.Path+" runs with the rights of its owner or group; after the change it no longer does, because its set-user-ID and set-group-ID bits are removed"))
	}
	if w.Unsaved != nil && f.Existed() && (f.Whole || f.Operation == plan.Remove) && w.Unsaved(f.Path) {
		found = append(found, unsavedText(f))
	}
	if w.edited[f.Path] {
		delete(w.edited, f.Path) // one question for each file is enough
		found = append(found, diag.New(diag.AppliedBefore, f.At, "this was already applied, and "+f.Path+" was edited after that; applying it again may undo these edits, or change the file twice"))
	}
	if w.OneEnding && f.Operation == plan.Modify && mixedEndings(f.Before().Data) {
		found = append(found, diag.New(diag.MixedEndings, f.At, f.Path+" has mixed line endings, and this editor would make them all the same; `aptix apply` on the command line keeps them"))
	}
	return append(found, w.considerNotebook(f)...)
}

func invisible(f plan.BlockFile) string {
	return text.Find([]string{f.Path, f.To}, func(name string) bool { return strings.ContainsFunc(name, escape.Invisible) })
}

// runsAsOther reports whether an existing file runs with the rights of another user or group.
func (w Where) runsAsOther(f plan.BlockFile) bool {
	if f.Operation != plan.Modify && f.Operation != plan.Rename {
		return false
	}
	info, err := fs.Lstat(w.Tree, f.Path)
	return err == nil && info.Mode()&(fs.ModeSetuid|fs.ModeSetgid) != 0
}

// unsavedText warns that a change overwrites or deletes unsaved text. An edit needs no warning, because it quotes the
// text that it expects.
func unsavedText(f plan.BlockFile) diag.Diagnostic {
	what := "overwritten"
	if f.Operation == plan.Remove {
		what = "deleted"
	}
	return diag.New(diag.UnsavedText, f.At, fmt.Sprintf("%s has unsaved text and would be %s; save the file first if you need that text", f.Path, what))
}

// mixedEndings reports whether the lines of a file have different endings. It returns false for a file that is not
// text, because an editor would not change its line endings.
func mixedEndings(data string) bool {
	decoded, _, err := text.Decode(data)
	return err == nil && text.MixedEOL(decoded)
}

// considerNotebook returns diagnostics about a change of a Jupyter notebook (rule R49).
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

// breaksNotebook reports whether a change writes a notebook that is not JSON. It returns false if the notebook was not
// JSON before. An empty file counts as a notebook without cells.
func breaksNotebook(f plan.BlockFile) bool {
	if !strings.EqualFold(path.Ext(f.Target()), ".ipynb") || !f.Exists() {
		return false
	}
	after := f.After()
	return after.Mode.Type() == 0 && after.Data != "" && !isJSON(after.Data) && (!f.Existed() || isJSON(f.Before().Data))
}

func isJSON(data string) bool { return json.Valid([]byte(strings.TrimPrefix(data, "\ufeff"))) }

func (w Where) protected(ctx context.Context, p plan.Plan) (map[string]protect.Protection, error) {
	if w.Protected == nil || len(p.Files) == 0 {
		return nil, nil
	}
	paths := append(slices.Collect(maps.Values(p.Copied)), text.Each(plan.Paths(p.Files), func(f plan.File) string { return f.Path })...)
	protected, err := w.Protected(ctx, paths, p.Through)
	for _, f := range plan.Paths(p.Files) {
		file, isLink := protected[f.Path], f.After.Mode.Type() == fs.ModeSymlink
		// Also protect a copy, which may have the secrets of the file, and a link, through which a program could change
		// its target.
		if source, is := protected[p.Copied[f.Path]]; is && file.Reason == "" {
			how := "a copy of "
			if isLink {
				how = "a link to "
			}
			file = protect.Protection{Reason: "it is " + how + p.Copied[f.Path] + "; " + source.Reason, Ignored: source.Ignored && !isLink}
			protected[f.Path] = file
		}
		if w.History != nil && file.Ignored && f.Before.Exists && !KeepsIgnored(ctx, w.History) {
			file.Reason += "; the history does not keep its contents, so this change cannot be reverted later"
			protected[f.Path] = file
		}
	}
	return protected, err
}

// KeepsIgnored reports whether a history keeps the contents of files that git ignores. A setting or the environment
// variable APTIX_HISTORY_IGNORED=1 turns this on.
func KeepsIgnored(ctx context.Context, h *history.Store) bool {
	if os.Getenv("APTIX_HISTORY_IGNORED") == "1" {
		return true
	}
	keep, err := h.KeepIgnored(ctx)
	return keep && err == nil
}

// unmeant returns the function for [plan.Options.Ignored]. The function finds the protected paths: a shortened path in
// a reply never means a protected file.
func (w Where) unmeant() func(ctx context.Context, paths []string) (map[string]bool, error) {
	if w.Protected == nil || w.AllowProtected {
		return nil
	}
	return func(ctx context.Context, paths []string) (map[string]bool, error) {
		protected, err := w.Protected(ctx, paths, nil)
		return text.Set(slices.Collect(maps.Keys(protected))), err
	}
}
