package plan

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/paths"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Limits of the search for a passage in other files. If a limit is reached, nothing is suggested, because a file that
// was not searched may also have the passage.
const (
	passageLines = 2 // a passage with this many nonblank lines, and half of passageChars, is distinctive
	// A passage is also distinctive if it has this many characters other than white space. A shorter one could be in
	// any file.
	passageChars = 40
	otherBytes   = 256 << 20 // at most this many bytes are read from all files together
	otherFile    = 2 << 20   // files with more bytes are not read, because they are not source code
	otherLimit   = 20_000    // at most this many files and folders are visited
)

// suggestOther adds a suggestion to the diagnostic about a missing passage: the path of another file, if only that
// file has the passage. The search begins when the person asks for the suggestion.
func (b *builder) suggestOther(g *group, it *item, d diag.Diagnostic) diag.Diagnostic {
	if it.DocPath || it.PathAt.Span == (text.Span{}) || !distinct(d.Passage) {
		return d
	}
	suggest, passage, root, change := d.Suggest, text.WithEOL(d.Passage, text.LF), g.root, it.Change
	d.Suggest = func(ctx context.Context) []diag.Fix {
		var fixes []diag.Fix
		if suggest != nil {
			fixes = suggest(ctx)
		}
		other, ok := b.onlyOther(ctx, it.key, passage)
		if !ok {
			return fixes
		}
		for _, fix := range b.pathFix(root, other, change, false) {
			fix.Path, fix.Title = other, fmt.Sprintf("Write the path %q: only that file has the text", other)
			fixes = append(fixes, fix)
		}
		return fixes
	}
	return d
}

// lacksAll reports whether the file has none of the passages of the item.
func (it *item) lacksAll(problems []diag.Diagnostic) bool {
	lacking, parts := text.Count(problems, func(p diag.Diagnostic) bool { return p.Passage != "" }), 0
	for _, s := range it.Steps {
		parts += max(1, len(s.Parts()))
	}
	return lacking > 0 && lacking == parts
}

// distinct reports whether a passage is so long that other files are unlikely to have it by chance.
func distinct(passage string) bool {
	lines := 0
	for line := range strings.SplitSeq(passage, "\n") {
		if !text.IsBlank(line) {
			lines++
		}
	}
	chars := text.NonBlanks(passage, passageChars)
	return chars == passageChars || lines >= passageLines && chars >= passageChars/2
}

// onlyOther returns the only file, other than `key`, that has a passage. That file must have the passage exactly once.
// onlyOther skips binary files and files that git ignores.
func (b *builder) onlyOther(ctx context.Context, key, passage string) (string, bool) {
	found, complete := b.filesWith(ctx, key, passage)
	if b.Ignored != nil && len(found) > 0 && complete {
		ignored, err := b.Ignored(ctx, found)
		if err != nil {
			return "", false
		}
		found = slices.DeleteFunc(found, func(p string) bool { return ignored[p] })
	}
	if !complete || len(found) != 1 {
		return "", false
	}
	data, err := readString(b.tree, found[0])
	return found[0], err == nil && strings.Count(text.WithEOL(data, text.LF), passage) == 1
}

// filesWith returns the text files, except for `key`, that have a passage. `complete` is false if a limit ended the
// search.
func (b *builder) filesWith(ctx context.Context, key, passage string) (found []string, complete bool) {
	seen, size := 0, int64(0)
	complete = true
	_ = fs.WalkDir(b.tree, ".", func(p string, e fs.DirEntry, err error) error {
		seen++
		switch {
		case ctx.Err() != nil || seen > otherLimit || size > otherBytes || !b.Meter.Pay(eachFile):
			complete = false
			return fs.SkipAll
		case err != nil || e.IsDir() && slices.Contains(paths.Skipped, e.Name()):
			return fs.SkipDir
		case !e.Type().IsRegular() || p == key || path.Base(p) == ".git":
			return nil
		}
		info, err := e.Info()
		if err != nil || info.Size() > otherFile || info.Size() < int64(len(passage)) {
			return nil
		}
		if size += info.Size(); !b.Meter.Pay(int(info.Size())) {
			return nil
		}
		if data, err := readString(b.tree, p); err == nil && !strings.Contains(data, "\x00") && strings.Contains(text.WithEOL(data, text.LF), passage) {
			found = append(found, p)
		}
		return nil
	})
	return found, complete && ctx.Err() == nil && !b.Meter.Spent()
}
