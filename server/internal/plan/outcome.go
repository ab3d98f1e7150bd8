package plan

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

const newFileMode fs.FileMode = 0o644

// eachWritten is the cost of comparing a file with its replacement, in units of the meter for each byte.
const eachWritten = 16

// outcome returns the version of a file after the changes of an item. A problem without a span is about the whole file.
// The caller must not use the version if [stops] returns true for the problems.
func (b *builder) outcome(d *draft, it *item, now version, past past) (version, past, []diag.Diagnostic) {
	past = past.in(d.index)
	past.applied = b.Applied[it.key]
	past.join(it.Change)
	if p := unfit(now, it.Change); p != nil {
		return version{}, past, list(p)
	}
	var after version
	var problems []diag.Diagnostic
	var steps []stepped
	guess := false
	if !elided(now, it, b.Meter) {
		if p := partLeftOut(it.Change, d.skipped); p != nil {
			return version{}, past, list(p)
		}
	}
	switch it.Kind {
	case intent.Write, intent.Create, intent.Replace:
		past.forget()
		b.Meter.Pay(eachWritten * (now.len() + len(it.Content)))
		after, problems = whole(now, it.Change, it.again)
		after, problems = escaped(now, after, it.Change, problems)
		if !stops(problems) {
			problems = append(problems, b.doubtsOfText(d, it, now, after)...)
		}
		if guess = guessed(now, it, problems, b.Meter); guess {
			after, steps, problems = b.edited(d, it, now, &past)
		}
	default:
		after, steps, problems = b.edited(d, it, now, &past)
	}
	if it.IsPart && !guess && !stops(problems) && !after.same(now) {
		return version{}, past, list(new(diag.New(diag.FilePart, it.ContentAt.Span,
			fmt.Sprintf("the text is only a part of %s, but Aptix cannot find its place in the file; send it with two lines of the file at each end", it.Path))))
	}
	if len(steps) > 0 && !stops(problems) {
		b.suspect(d, it, now, after, steps)
	}
	switch {
	case stops(problems):
		return version{}, past, problems
	case it.Kind == intent.Delete:
		return after, past, problems
	}
	after, modeProblems := withMode(now, after, it)
	return after, past, append(problems, modeProblems...)
}

// partLeftOut refuses a whole text if a person left out a part of it. Only a text with elisions can be applied in
// parts.
func partLeftOut(c intent.Change, skipped intent.Skipped) *diag.Diagnostic {
	if len(skipped) == 0 {
		return nil
	}
	for _, at := range c.Segments() {
		if skipped[at] {
			return new(diag.New(diag.ElisionNoPlace, at,
				fmt.Sprintf("this part is left out, but the block now gives the whole text of %s; include the part again", c.Path)))
		}
	}
	return nil
}

// stops reports whether a change has an error that leaves no usable text for later changes. If only a text to replace
// is missing, the file is refused, but the other replacements are still made: without them, later changes would fail as
// well.
func stops(problems []diag.Diagnostic) bool {
	return slices.ContainsFunc(problems, func(d diag.Diagnostic) bool {
		return d.Severity == diag.Error && d.Code != diag.FindNotFound && d.Code != diag.FindConsumed
	})
}

func unfit(now version, c intent.Change) *diag.Diagnostic {
	switch {
	case now.Mode.IsDir():
		return diag.Unplaced(diag.PathDirectory, c.Path+" is a folder; name a file")
	case now.Mode.Type() == fs.ModeSymlink && !c.Raw:
		return diag.Unplaced(diag.PathSymlink, c.Path+" is turned into a symbolic link earlier in this reply; only files can be edited, so name the file that the link points to")
	case now.Exists && c.Raw && c.WasMode != 0 && c.Kind != intent.Create && now.Mode.Type() != c.WasMode.Type():
		return diag.Unplaced(diag.FileType, fmt.Sprintf("%s is %s, but the patch is for %s; make the patch again for the current file", c.Path, kindOf(now.Mode), kindOf(c.WasMode)))
	}
	return nil
}

func kindOf(m fs.FileMode) string {
	if m.Type() == fs.ModeSymlink {
		return "a symbolic link"
	}
	return "a regular file"
}

func whole(now version, c intent.Change, again bool) (version, []diag.Diagnostic) {
	after, problem := written(now, c)
	if problem != nil {
		return version{}, list(problem)
	}
	switch {
	case c.Kind == intent.Create && now.Exists && !same(after, now, c):
		return version{}, []diag.Diagnostic{fileExists(c, again)}
	case c.Kind == intent.Replace && !now.Exists && c.MayBePart:
		return version{}, []diag.Diagnostic{fileMissing(c)}
	case c.Kind == intent.Replace && !now.Exists:
		return after, []diag.Diagnostic{replaceMissing(c)}
	}
	return after, nil
}

func same(after, now version, c intent.Change) bool {
	if !c.Raw {
		return after.same(now)
	}
	return after.sameBytes(now) && c.Mode.Type() == now.Mode.Type() && text.Executable(c.Mode) == text.Executable(now.Mode)
}

// written returns the version of a file whose whole content is replaced. A new file gets exactly the given content. An
// existing file keeps its encoding, byte order mark, mode and line endings.
func written(now version, c intent.Change) (version, *diag.Diagnostic) {
	if !now.Exists {
		return version{Exists: true, data: c.Content, Mode: newFileMode}, nil
	}
	had := now.bytes()
	if had == c.Content {
		return now, nil
	}
	if c.Raw {
		return now.with(c.Content), nil
	}
	before, enc, err := text.Decode(had)
	if err != nil {
		return version{}, fileBinary(c.Path)
	}
	content := c.Content
	if enc != text.UTF8 {
		// The file keeps its own byte order mark.
		content = strings.TrimPrefix(content, "\ufeff")
	}
	if c.OpenEnd && c.MayBePart {
		content = withoutBlankEnds(content, before)
	}
	if end := strings.TrimRight(before, "\r\n"); c.OpenEnd && before != "" && end == before {
		content = strings.TrimSuffix(strings.TrimSuffix(content, "\n"), "\r")
	}
	return now.with(enc.Encode(diff.KeepEndings(before, content))), nil
}

// withoutBlankEnds removes blank lines at each end of a whole text if the file has none at that end. Models often write
// such lines next to a fence or a tag.
func withoutBlankEnds(content, before string) string {
	const blank = " \t\r\n"
	above := func(s string) int { return 1 + strings.LastIndexByte(s[:len(s)-len(strings.TrimLeft(s, blank))], '\n') }
	below := func(s string) int {
		_, rest, _ := strings.Cut(s[len(strings.TrimRight(s, blank)):], "\n")
		return len(rest)
	}
	if strings.Trim(content, blank) == "" {
		return content
	}
	if above(before) == 0 {
		content = content[above(content):]
	}
	if below(before) == 0 {
		content = content[:len(content)-below(content)]
	}
	return content
}

func (b *builder) edited(d *draft, it *item, now version, past *past) (version, []stepped, []diag.Diagnostic) {
	if !now.Exists && it.MayCreate {
		now = version{Exists: true, Mode: newFileMode}
	}
	if !now.Exists {
		return version{}, nil, []diag.Diagnostic{fileMissing(it.Change)}
	}
	if len(it.Steps) == 0 && it.Kind != intent.Edit {
		// Without steps, the file is only moved or copied, so its content does not matter.
		return now, nil, nil
	}
	was, enc, err := past.decode(now, it.Raw, b.Meter)
	if err != nil {
		return version{}, nil, list(fileBinary(it.Path))
	}
	if len(b.sets) > 1 {
		past.share(was)
	}
	t, steps, problems := b.steps(d, it, was, past)
	switch {
	case enc == text.UTF8:
		now.data, now.text, now.plain = "", t, t == past.plain
	case !t.Equal(was):
		now = now.with(enc.Encode(t.String()))
	}
	return now, steps, problems
}

// steps returns the text after all steps of an item. It also returns the steps that were made, each with the lines that
// it changed.
func (b *builder) steps(d *draft, it *item, t *place.Text, past *past) (*place.Text, []stepped, []diag.Diagnostic) {
	var problems []diag.Diagnostic
	var made []stepped
	target := intent.Target{Text: t, Applied: past.applied, Before: past.before()}
	_, target.Earlier = b.earlier[it.key]
	target.EndingsUnknown, target.Skipped = b.EndingsUnknown, d.skipped
	for _, step := range it.Steps {
		target.SkipMissing = b.SkipMissing || b.Missing != nil && b.Missing[d.index][step.Span()]
		if at := step.Span(); target.Skipped[at] && !slices.ContainsFunc(step.Parts(), func(part text.Span) bool { return part != at }) {
			past.number++
			continue
		}
		out := step.Resolve(target)
		if b.Meter.Spent() {
			break // hasRoom later reports that the meter is spent
		}
		past.note(t, out)
		for _, p := range out.Problems {
			problems = append(problems, ofFile(p, it))
		}
		if len(out.Places) > 0 {
			met := t.Bare()
			for _, p := range out.Places {
				d.places = append(d.places, Place{At: p.At, Path: it.key, Text: met, In: p.Target, Done: p.Done})
			}
		}
		if p := b.room.grow(t, out.Edits); p != nil {
			p.Span = step.Span()
			problems = append(problems, ofFile(*p, it))
			break
		}
		// Call runsOf only after grow, because a step that grow refuses may have too many lines to compare.
		made = append(made, stepped{t.Bare(), runsOf(t, step, out)})
		after, err := t.Apply(out.Edits)
		if err != nil {
			panic(fmt.Sprintf("a step has edits that do not fit its target: %v", err))
		}
		past.follow(t, out.Edits, after)
		t = after
		target.Text, target.Cursor, target.Before = t, out.Cursor, past.before()
	}
	past.text = t
	return t, made, problems
}

func ofFile(d diag.Diagnostic, it *item) diag.Diagnostic {
	d.Path = it.key
	if d.MadeFor == nil {
		return d
	}
	of := *d.MadeFor
	of.Path = it.key
	if it.DocPath {
		of.DocPath = it.Path
	}
	d.MadeFor = &of
	return d
}

// withMode gives the file the mode that its change requests. Like git, it changes only the executable bit.
func withMode(now, after version, it *item) (version, []diag.Diagnostic) {
	var problems []diag.Diagnostic
	// `as` is true if the executable bit already has the requested value.
	as := it.Mode != 0 && text.Executable(it.Mode) == text.Executable(now.Mode)
	if now.Exists && it.WasMode != 0 && it.WasMode.Type() == 0 && text.Executable(it.WasMode) != text.Executable(now.Mode) && !as {
		problems = append(problems, diag.New(diag.FileMode, text.Span{},
			fmt.Sprintf("%s has the mode %v, but the patch was made for %v", it.Path, now.Mode.Perm(), it.WasMode.Perm())))
	}
	switch {
	case it.Mode == 0 || !after.Exists:
	case it.Mode.Type() != after.Mode.Type() && now.Exists:
		p := diag.Unplaced(diag.FileType, fmt.Sprintf("%s is %s, but the patch makes it %s without deleting it first", it.Path, kindOf(now.Mode), kindOf(it.Mode)))
		return after, append(problems, *p)
	case it.Mode.Type() == fs.ModeSymlink:
		after.Mode = fs.ModeSymlink
	case text.Executable(it.Mode) && !text.Executable(after.Mode):
		after.Mode |= after.Mode & 0o444 >> 2
	case !text.Executable(it.Mode):
		after.Mode &^= 0o111
	}
	return after, problems
}

// withoutBits removes the executable bits from a change (rule G3). Windows has no such bits, so no file would match
// the change there, not even after an apply.
func withoutBits(c intent.Change) (intent.Change, []diag.Diagnostic) {
	// The executable bits of links have no meaning.
	executable := func(mode fs.FileMode) bool { return mode.IsRegular() && text.Executable(mode) }
	asks := c.Mode != 0 && c.Kind != intent.Delete && executable(c.Mode) != executable(c.WasMode)
	for _, mode := range []*fs.FileMode{&c.WasMode, &c.Mode} {
		if mode.IsRegular() {
			*mode &^= 0o111
		}
	}
	if !asks {
		return c, nil
	}
	return c, []diag.Diagnostic{at(c, diag.New(diag.FileMode, text.Span{}, fmt.Sprintf(
		"Windows has no executable bit, so the executable bit of %s is not changed; use `git update-index --chmod` to change it for git", c.Path)))}
}

func fileExists(c intent.Change, again bool) diag.Diagnostic {
	d := diag.New(diag.FileExists, spanOf(c.KindAt, c), "")
	if again {
		d.Message = fmt.Sprintf("%s is created twice with contents that differ; keep one of them", c.Path)
		return d
	}
	d.Message = c.Path + " already exists with different content; change it instead, or delete it first"
	d.Fixes = c.Instead
	// A section of a patch cannot say that it replaces a file, so the fix adds a section that deletes the file first.
	if c.KindAt.Name != (text.Span{}) {
		d.Fixes = []diag.Fix{{Title: "Delete the file first", Edits: []text.Edit{c.KindAt.Set("replace")}}}
	} else if c.KindAt.Span != (text.Span{}) {
		d.Message = fmt.Sprintf("%s already exists with different content; use \"replace\" to overwrite it", c.Path)
		d.Fixes = []diag.Fix{{Title: `Change "create" to "replace"`, Edits: []text.Edit{c.KindAt.Set("replace")}}}
	}
	return d
}

func replaceMissing(c intent.Change) diag.Diagnostic {
	d := diag.New(diag.ReplaceMissing, spanOf(c.KindAt, c), fmt.Sprintf("%s does not exist; it will be created", c.Path))
	if c.KindAt.Span != (text.Span{}) {
		d.Fixes = []diag.Fix{{Title: `Change "replace" to "create"`, Edits: []text.Edit{c.KindAt.Set("create")}}}
	}
	return d
}

func fileMissing(c intent.Change) diag.Diagnostic {
	return at(c, diag.New(diag.FileMissing, text.Span{},
		fmt.Sprintf("%s does not exist, so there is nothing to patch; check the path, or send the whole file", c.Path)))
}

func fileBinary(path string) *diag.Diagnostic {
	return new(diag.New(diag.FileBinary, text.Span{}, fmt.Sprintf("%s is %v; it cannot be edited as text", path, text.ErrBinary)))
}

func alreadyGone(p string) diag.Diagnostic {
	return *diag.Unplaced(diag.FileGone, p+" was renamed or deleted by an earlier entry of the reply")
}

func targetExists(c intent.Change) *diag.Diagnostic {
	d := diag.Unplaced(diag.FileExists, fmt.Sprintf("%s already exists, so %s cannot be renamed to it; delete it first, or use another name", c.To, c.Path))
	d.Span = spanOf(c.ToAt, c)
	return d
}

// escaped decides how to read a text that may be XML-escaped (rule F6). If the file already has exactly this text, the
// change is done. Otherwise, the text is decoded, and the person is asked before an apply.
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
	return after, append(problems, diag.New(diag.TagsReading, spanOf(c.ContentAt, c),
		"the text has entities such as `&lt;`, but no plain `<` or `&`, so the entities are decoded; put the text between `<![CDATA[` and `]]>` if it should contain the entities"))
}
