package plan

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/paths"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// An Earlier is an earlier version of a file.
type Earlier struct {
	Data string // the content, in bytes
	Name string // the name in messages, such as "3f2c1a9, 2 days ago"
}

// An EarlierFunc returns the earlier versions of a file, newest first. The path is relative to the root of the tree.
type EarlierFunc func(ctx context.Context, path string) ([]Earlier, error)

// Limits of the search for the earlier text on which a reply is based.
const (
	mostRecovered = 20 // earlier versions are tried for at most this many files
	mostBases     = 6  // at most this many versions of a file are tried, not counting those without the passages
	basePassage   = 8  // a passage with fewer characters does not show which version of the file it comes from
)

// A planner plans one reply, perhaps several times with different contents for some files.
type planner struct {
	ctx     context.Context
	tree    Tree
	sets    []intent.Set
	options Options
	most    int // the limit for the total size of the files in a plan, in bytes: mostHeld, or less in tests
}

func (pl planner) build(earlier map[string]text.Content) (Plan, error) {
	b := &builder{
		ctx:        pl.ctx,
		tree:       pl.tree,
		workspace:  paths.Workspace{Tree: pl.tree, Base: pl.options.Base, Own: pl.options.Own},
		sets:       pl.sets,
		Options:    pl.options,
		earlier:    earlier,
		files:      map[string]*entry{},
		below:      map[string][]string{},
		marks:      map[string][]string{},
		through:    map[string][]string{},
		copied:     map[string]string{},
		names:      namesOf(pl.tree),
		spelled:    map[string]spelling{},
		doubts:     map[int][]diag.Diagnostic{},
		fitting:    map[string]bool{},
		extensions: map[string][]sized{},
		near:       map[string][]sized{},
		folders:    map[string][]fs.DirEntry{},
		newFiles:   map[string]string{},
		vacated:    map[string]unplaced{},
		room:       room{most: pl.most},
	}
	b.superfluous = sync.OnceValue(b.leadingFolders)
	b.written = sync.OnceValue(b.foldersWritten)
	b.byName = sync.OnceValues(func() (map[string][]string, bool) {
		return paths.ByName(b.tree, func() bool { return b.ctx.Err() == nil && b.Meter.Pay(eachFile) })
	})
	var p Plan
	for i, set := range pl.sets {
		block, err := b.block(i, set)
		if err != nil {
			return Plan{}, err
		}
		p.Blocks = append(p.Blocks, block)
	}
	b.judgeAll(p.Blocks)
	p.Files, p.Prune = b.net()
	p.Through, p.Copied = b.through, b.copied
	b.affordWriting(p.Files)
	for _, key := range b.order {
		if b.files[key].undone() {
			p.addTo(diag.Diagnostic{Path: key, Severity: diag.Error, Code: diag.Alternative,
				Message: fmt.Sprintf("the edits of %s in this reply undo each other, so together they change nothing; send only the edits that you want, each with lines that show its place", key)})
		}
	}
	return p, nil
}

// recover plans the reply again if the current text of a file lacks passages that an earlier version has. It makes the
// changes in the earlier version, and merges the result with the current text. If the two texts cannot be merged, the
// change stays refused, and a diagnostic says why.
func (pl planner) recover(p Plan) (Plan, error) {
	lacking := p.lacking()
	bases := map[string]base{}
	var conflicts []diag.Diagnostic
	for _, path := range slices.Sorted(maps.Keys(lacking)) {
		if len(bases)+len(conflicts) == mostRecovered {
			break
		}
		found, conflict, err := pl.base(path, lacking[path])
		if err != nil {
			return Plan{}, err
		}
		if found != nil {
			bases[path] = *found
		} else if conflict != "" {
			d := diag.New(diag.BaseConflict, text.Span{}, conflict)
			d.Path = path
			conflicts = append(conflicts, d)
		}
	}
	if len(bases) > 0 {
		merged, err := pl.merged(bases)
		if err != nil {
			return Plan{}, err
		}
		if merged != nil {
			p = *merged
		}
	}
	for _, d := range conflicts {
		p.addTo(d)
	}
	return p, nil
}

func (p Plan) lacking() map[string][]string {
	lacking := map[string][]string{}
	for _, b := range p.Blocks {
		for _, d := range b.Diagnostics {
			if d.Passage != "" && d.Path != "" && d.Severity <= diag.Warning {
				lacking[d.Path] = append(lacking[d.Path], text.WithEOL(d.Passage, text.LF))
			}
		}
	}
	return lacking
}

// A base is an earlier version of a file for which a reply was made.
type base struct {
	name    string
	was     text.Content
	present text.Content
}

// base finds an earlier version of a file that has all of `passages`. If there is none, both results are empty. If the
// changed version cannot be merged with the current text, or two versions lead to different results, `conflict` says
// so.
func (pl planner) base(path string, passages []string) (found *base, conflict string, err error) {
	present, problem, err := read(pl.tree, path)
	if err != nil || problem != nil || !present.Mode.IsRegular() || slices.ContainsFunc(passages, func(s string) bool { return text.NonBlanks(s, basePassage) < basePassage }) {
		return nil, "", err
	}
	earlier, err := pl.options.Earlier(pl.ctx, path)
	if err != nil {
		return nil, "", err
	}
	var result string
	for _, e := range candidates(earlier, present, passages) {
		p, err := pl.build(map[string]text.Content{path: e.was})
		if err != nil {
			return nil, "", err
		}
		after, ok := p.exact(path)
		if !ok {
			continue
		}
		merged, conflicts := diff.Merge(e.was.Data, present.Data, after.Data)
		switch {
		case len(conflicts) > 0 && found == nil:
			return nil, conflictMessage(path, e, conflicts), nil
		// If a newer version can be merged, this older one does not matter.
		case len(conflicts) > 0:
		case found == nil:
			found, result = &e, merged
		case result != merged:
			return nil, fmt.Sprintf("%s lacks the text that the block looks for; two earlier versions have it, %s and %s, but they would lead to different results; send the change again for the current text", path, found.name, e.name), nil
		}
	}
	return found, "", nil
}

// candidates returns the earlier contents that have all the passages. Each is converted to the line endings and the
// encoding of the current file.
func candidates(earlier []Earlier, present text.Content, passages []string) []base {
	now, enc, err := text.Decode(present.Data)
	if err != nil {
		return nil
	}
	seen := map[string]bool{text.WithEOL(now, text.LF): true}
	var found []base
	for _, e := range earlier {
		s, _, err := text.Decode(e.Data)
		if err != nil {
			continue
		}
		s = text.WithEOL(s, text.LF)
		if seen[s] || slices.ContainsFunc(passages, func(p string) bool { return !strings.Contains(s, p) }) {
			continue
		}
		seen[s] = true
		if eol := text.DominantEOL(now); !text.MixedEOL(now) {
			s = text.WithEOL(s, eol)
		}
		was := present
		was.Data = enc.Encode(s)
		if found = append(found, base{e.Name, was, present}); len(found) == mostBases {
			break
		}
	}
	return found
}

// exact returns the planned content of a file. It returns false if the file has an error, a warning or
// [diag.AlreadyApplied], or if the plan changes more than the file's text.
func (p Plan) exact(path string) (after text.Content, ok bool) {
	for _, b := range p.Blocks {
		for _, d := range b.Diagnostics {
			if d.Path == path && (d.Severity <= diag.Warning || d.Code == diag.AlreadyApplied) {
				return text.Content{}, false
			}
		}
		for _, f := range b.Files {
			if (f.Path == path || f.To == path) && (f.Operation != Modify || f.State == Failed) {
				return text.Content{}, false
			}
		}
	}
	for _, f := range p.Files {
		if f.Path == path || f.To == path {
			return f.After, f.Operation == Modify && f.After.Mode == f.Before.Mode
		}
	}
	return text.Content{}, false
}

// merged plans the reply with each base in place of its file, and merges the results with the current files. It returns
// nil if the plan for a base is not [Plan.exact], or if any content of the file cannot be merged.
func (pl planner) merged(bases map[string]base) (*Plan, error) {
	contents := map[string]text.Content{}
	for path, from := range bases {
		contents[path] = from.was
	}
	p, err := pl.build(contents)
	if err != nil {
		return nil, err
	}
	for path, from := range bases {
		if _, ok := p.exact(path); !ok || !p.mergeInto(path, from) {
			return nil, nil
		}
	}
	return &p, nil
}

// mergeInto merges each content of the file in the plan with the current text. It returns false if any content
// cannot be merged.
func (p *Plan) mergeInto(path string, from base) bool {
	for i := range p.Files {
		f := &p.Files[i]
		if f.Path == path && !(from.mergeInto(&f.Before) && from.mergeInto(&f.After)) {
			return false
		}
	}
	p.Files = slices.DeleteFunc(p.Files, func(f File) bool { return f.Path == path && f.Before == f.After })
	for i := range p.Blocks {
		if !p.Blocks[i].mergeInto(path, from) {
			return false
		}
	}
	return true
}

// mergeInto merges the contents of the file before and after the block with the current text. If the block still
// changes the file, it adds a diagnostic about the merge.
func (b *Block) mergeInto(path string, from base) bool {
	b.Places = slices.DeleteFunc(b.Places, func(at Place) bool { return at.Path == path })
	b.Diagnostics = slices.DeleteFunc(b.Diagnostics, func(d diag.Diagnostic) bool { return d.Path == path })
	for i := range b.Files {
		f := &b.Files[i]
		if f.Path != path {
			continue
		}
		before, after := f.Before(), f.After()
		if !from.mergeInto(&before) || !from.mergeInto(&after) {
			return false
		}
		if f.before, f.after = versionOf(before), versionOf(after); f.before.same(f.after) {
			f.State = Done
			continue
		}
		d := diag.New(diag.BaseRecovered, f.At,
			fmt.Sprintf("%s: this change was made for the text of %s, and is merged with the current text", path, from.name))
		d.Path, d.Base = path, from.name
		b.Diagnostics = append(b.Diagnostics, d)
	}
	return true
}

func (from base) mergeInto(c *text.Content) bool {
	merged, conflicts := diff.Merge(from.was.Data, from.present.Data, c.Data)
	c.Data = merged
	return len(conflicts) == 0
}

func conflictMessage(path string, from base, conflicts []diff.Conflict) string {
	lines := conflicts[0].Ours
	where := text.LineNames(min(lines.Start, max(lines.End-1, 0))+1, lines.End)
	more := ""
	if n := len(conflicts) - 1; n > 0 {
		more = fmt.Sprintf(", and %d more places", n)
	}
	s := ""
	if all := text.SplitLines(from.present.Data); lines.Len() > 0 && lines.Start < len(all) {
		s = fmt.Sprintf(" (now %q)", text.Cut(text.TrimEOL(all[lines.Start]), 80))
	}
	return fmt.Sprintf("%s: this change was made for the text of %s, but %s%s of the file has changed since then%s; send the change again for the current text", path, from.name, where, more, s)
}

func (p *Plan) addTo(d diag.Diagnostic) {
	for i := range p.Blocks {
		for _, f := range p.Blocks[i].Files {
			if f.Path == d.Path {
				d.Span = f.At
				p.Blocks[i].Diagnostics = append(p.Blocks[i].Diagnostics, d)
				return
			}
		}
	}
}
