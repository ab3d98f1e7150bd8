package plan

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/doubt"
	"github.com/aptix-dev/aptix/server/internal/elision"
	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/paths"
	"github.com/aptix-dev/aptix/server/internal/place"
)

// ofSystem matches absolute paths that often mean a file outside of any project, such as a configuration in the home
// folder.
var ofSystem = lazyregexp.New(`^(?:/(?:etc|tmp)|~/\.[^/]+)/`)

func from(root, written string) string {
	if slashed := paths.Slashed(written); paths.IsAbsolute(slashed) {
		return slashed
	}
	return path.Join(root, written)
}

// meant returns the file that a path means without its superfluous leading folders. It returns "" if there is no such
// file. The result is certain if these folders are also superfluous in another path of the reply, or if the changes fit
// the file (rule R64).
func (b *builder) meant(written string) (file string, certain bool) {
	var found []string
	for _, prefix := range b.superfluous() {
		rest, ok := strings.CutPrefix(written, prefix)
		if ok && !ofSystem.MatchString(written) && rest != "." && fs.ValidPath(rest) && !fspath.IsGit(rest) && !slices.Contains(found, rest) {
			found = append(found, rest)
		}
	}
	if len(found) > 0 {
		return found[0], len(found) == 1
	}
	file, prefix := b.shorter(written)
	return file, file != "" && b.dropped(written, prefix, file)
}

// leadingFolders returns the superfluous prefixes of paths in the reply. A prefix is superfluous if, without it, at
// least one path certainly means an existing file. Other paths with the prefix are then read without it, too.
func (b *builder) leadingFolders() []string {
	var found []string
	for _, set := range b.sets {
		for _, c := range set.Changes {
			written := from(set.Root, c.Path)
			if c.DocPath {
				continue
			}
			if file, prefix := b.shorter(written); file != "" && !slices.Contains(found, prefix) && b.dropped(written, prefix, file) {
				found = append(found, prefix)
			}
		}
	}
	return found
}

// shorter drops leading folders of a path until the rest names exactly one existing file. It returns that file and the
// dropped prefix.
func (b *builder) shorter(written string) (file, prefix string) {
	if !b.Meter.Pay(eachFolder * strings.Count(written, "/")) {
		return "", ""
	}
	if inner := b.withoutProject(written); inner != "" && fspath.IsFile(b.tree, inner) {
		return inner, strings.TrimSuffix(written, inner)
	}
	return paths.Shorter(b.tree, written)
}

func (b *builder) dropped(written, prefix, file string) bool {
	absolute := paths.IsAbsolute(written) && !ofSystem.MatchString(written) && (prefix == "/" || strings.Contains(file, "/"))
	return absolute || b.withoutProject(written) == file || b.fits(written, file)
}

// fits reports whether all changes of the reply at a path fit an existing file:
//
//   - An edit fits if the file has each passage, exactly or after a fix that is certain.
//   - A whole text fits if it may be a new version of the file, nothing says that the file is new, and no other path of
//     the reply names the file.
func (b *builder) fits(written, file string) bool {
	fit, known := b.fitting[written]
	if known {
		return fit
	}
	content := b.textOf(file)
	for _, set := range b.sets {
		for _, c := range set.Changes {
			b.Meter.Pay(eachChange)
			if c.To != "" && from(set.Root, c.To) == written { // The reply creates a file at exactly this path.
				b.fitting[written] = false
				return false
			}
			if c.DocPath || from(set.Root, c.Path) != written {
				continue
			}
			if content, fit = b.fitted(content, c, b.Applied[file]); !fit || c.Kind != intent.Edit && b.named(file) {
				b.fitting[written] = false
				return false
			}
		}
	}
	b.fitting[written] = fit
	return fit
}

// fitted returns the text of a file after a change. It returns false if the change does not show that it was made for
// this text. A step that would also match blank lines shows nothing, because it could be for any file.
func (b *builder) fitted(content string, c intent.Change, applied bool) (string, bool) {
	if !b.Meter.Pay(len(content)) {
		return "", false
	}
	switch c.Kind {
	case intent.Write, intent.Replace:
		return c.Content, b.mayBeNewText(content, c)
	case intent.Edit:
		blank := place.NewText(strings.Repeat("\n", strings.Count(content, "\n")))
		for _, step := range c.Steps {
			t := place.NewMetered(content, b.Meter)
			out := step.Resolve(intent.Target{Text: t, Applied: applied})
			exact := len(out.Edits) > 0 && len(out.Problems) == 0 || out.Done && !diag.HasErrors(out.Problems)
			mended := len(out.Places) == max(len(step.Parts()), 1) && diag.Repairable(out.Problems)
			if !exact && !mended || !diag.HasErrors(step.Resolve(intent.Target{Text: blank}).Problems) {
				return "", false
			}
			now, err := t.Apply(out.Edits)
			if err != nil {
				return "", false
			}
			content = now.String()
		}
		return content, len(c.Steps) > 0
	}
	return "", false
}

// mayBeNewText reports whether the text of a change may be a new version of a file, or of parts of the file: the text
// has at least half of the file's lines, or can be read as parts of the file.
func (b *builder) mayBeNewText(content string, c intent.Change) bool {
	if !c.MayBePart || !b.Meter.Pay(len(content)) {
		return false
	}
	return doubt.KeepsHalf(doubt.Telling(content), c.Content, b.Meter) || elision.Guess(place.NewLines(content, place.AfterEOL, b.Meter), c.Content).State == elision.Asks
}

// onlyEnding returns the only file of the tree whose path ends with `key`. It returns "" if there is no such file or
// more than one. It skips files that git ignores.
func (b *builder) onlyEnding(key string) string {
	if only := b.onlyNamed(key); strings.HasSuffix(only, "/"+key) {
		return only
	}
	return ""
}

// onlyNamed returns the only file that [builder.sameEnding] finds for `key`. It returns "" unless there is exactly one,
// and skips files that git ignores.
func (b *builder) onlyNamed(key string) string {
	places, all := b.sameEnding(key)
	if b.Ignored != nil && len(places) > 0 {
		ignored, err := b.Ignored(b.ctx, places)
		all = all && err == nil
		places = slices.DeleteFunc(places, func(p string) bool { return ignored[p] })
	}
	if !all || len(places) != 1 {
		return ""
	}
	return places[0]
}
