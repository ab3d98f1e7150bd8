package plan

import (
	"fmt"
	"io/fs"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/change"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/text"
)

const newFileMode fs.FileMode = 0o644

// outcome is what a change makes of a file that stands as now. Problems without
// a span are about the file. After an error what it returns has no meaning.
func outcome(now Content, c change.Change, again bool, past *past) (Content, []diag.Diagnostic) {
	switch c.Kind {
	case change.Delete:
		past.forget()
		return Content{}, nil
	case change.Edit:
		return edited(now, c, past)
	}
	past.forget()
	after, problem := written(now, c)
	if problem != nil {
		return Content{}, []diag.Diagnostic{*problem}
	}
	switch {
	case c.Kind == change.Create && now.Exists && after != now:
		return Content{}, []diag.Diagnostic{fileExists(c, again)}
	case c.Kind == change.Replace && !now.Exists:
		return after, []diag.Diagnostic{replaceMissing(c)}
	case now.Exists && after != now:
		before, _, _ := text.Decode(now.Data) // written has read it
		return after, omission(before, c)
	}
	return after, nil
}

// written is a file whose whole content is given. A new file takes it as it is;
// an existing one keeps its encoding, BOM, mode and line endings.
func written(now Content, c change.Change) (Content, *diag.Diagnostic) {
	if !now.Exists {
		return Content{Exists: true, Data: c.Content, Mode: newFileMode}, nil
	}
	if now.Data == c.Content {
		return now, nil
	}
	before, enc, err := text.Decode(now.Data)
	if err != nil {
		return Content{}, fileBinary(c.Path)
	}
	content := c.Content
	if enc != text.UTF8 {
		content = strings.TrimPrefix(content, "\ufeff") // the file has its mark already
	}
	now.Data = enc.Encode(diff.KeepEndings(before, content))
	return now, nil
}

// edited runs a change's steps over a file's text.
func edited(now Content, c change.Change, past *past) (Content, []diag.Diagnostic) {
	if !now.Exists {
		return Content{}, []diag.Diagnostic{fileMissing(c)}
	}
	s, enc, err := text.Decode(now.Data)
	if err != nil {
		return Content{}, []diag.Diagnostic{*fileBinary(c.Path)}
	}
	var problems []diag.Diagnostic
	target := past.target(s, 0)
	for _, step := range c.Steps {
		out := step.Editor(target)
		past.note(target.Text, out)
		problems = append(problems, out.Problems...)
		after, err := text.Apply(target.Text, out.Edits)
		if err != nil {
			panic(fmt.Sprintf("an editor gave edits that do not fit its target: %v", err))
		}
		target = past.target(after, out.Cursor)
	}
	if target.Text != s {
		now.Data = enc.Encode(target.Text)
	}
	return now, problems
}

func fileExists(c change.Change, again bool) diag.Diagnostic {
	d := diag.Diagnostic{Severity: diag.Error, Code: diag.FileExists, Span: spanOf(c.KindAt, c)}
	if again {
		d.Message = fmt.Sprintf("%s is created twice with contents that differ; keep one of them", c.Path)
		return d
	}
	d.Message = fmt.Sprintf("%s exists already with other content; use \"replace\" to overwrite it", c.Path)
	if c.KindAt.Span != (text.Span{}) {
		d.Fixes = []diag.Fix{{Title: `Change "create" to "replace"`, Edits: []text.Edit{c.KindAt.Set("replace")}}}
	}
	return d
}

func replaceMissing(c change.Change) diag.Diagnostic {
	d := diag.Diagnostic{Severity: diag.Warning, Code: diag.ReplaceMissing, Span: spanOf(c.KindAt, c),
		Message: fmt.Sprintf("%s does not exist; it will be created", c.Path)}
	if c.KindAt.Span != (text.Span{}) {
		d.Fixes = []diag.Fix{{Title: `Change "replace" to "create"`, Edits: []text.Edit{c.KindAt.Set("create")}}}
	}
	return d
}

func fileMissing(c change.Change) diag.Diagnostic {
	return at(c, diag.Diagnostic{Severity: diag.Error, Code: diag.FileMissing,
		Message: fmt.Sprintf("%s does not exist, so there is nothing to patch; check the path, or send the whole file", c.Path)})
}

func fileBinary(path string) *diag.Diagnostic {
	return &diag.Diagnostic{Severity: diag.Error, Code: diag.FileBinary,
		Message: fmt.Sprintf("%s is %v; it cannot be edited as text", path, text.ErrBinary)}
}

func spanOf(l change.Literal, c change.Change) text.Span {
	if l.Span != (text.Span{}) {
		return l.Span
	}
	return at(c, diag.Diagnostic{}).Span
}
