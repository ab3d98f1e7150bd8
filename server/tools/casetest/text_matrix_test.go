package casetest

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/convert"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/paths"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
	"github.com/aptix-dev/aptix/server/tools/artifacts"
)

var writeMatrix = flag.Bool("write-matrix", false, "write the matrix into docs/matching.md")

const (
	matrixBegin = "<!-- matrix -->\n"
	matrixEnd   = "<!-- /matrix -->\n"
	matrixPath  = "src/app.py"
)

// The file that the matrix uses, and a passage in it with its replacement. It contains
// something that each artifact changes.
const (
	matrixHead = `import os
import re

LIMIT = 28 * 1024
NAMES = ["café", 'naïve']


def start(now):
    """Start, and say so..."""
    if now < LIMIT and os.name:
        print("started\n", now & 7)
    return {"at": now - 1}


`
	matrixOld = `def stop(now, my_name):
    if now > LIMIT:
        return re.sub("\\s+", '-', my_name)

    print("stopped é")
    return "é 🔥", min(now, 86400), 0.75 * now
`
	matrixNew = `def stop(now, my_name):
    if now > LIMIT and now < 9 * LIMIT:
        return re.sub("\\s+", '-', my_name)

    print("halted é, and said so")
    return "é 🔥", min(now, 86400), 0.75 * now
`
	matrixTail = `

class Timer:
    def __init__(self, length):
        self.length = length
        self.text = "a\tb"

    def wait(self):
        stop(self.length, "timer")
`
)

// matrixPlaces lists the kinds of places that a changed text can have in its file.
var matrixPlaces = []struct {
	name string
	// file returns the file before and after the change, if do changed the text on its way;
	// before is nil for a new file.
	file func(do func(string) string) (before *string, after string)
}{
	{artifacts.WholeText, func(do func(string) string) (*string, string) {
		before := matrixHead + matrixOld + matrixTail
		return &before, do(matrixHead + matrixNew + matrixTail)
	}},
	{artifacts.Piece, func(do func(string) string) (*string, string) {
		before := matrixHead + matrixOld + matrixTail
		piece := do(matrixNew)
		if !strings.HasSuffix(piece, "\n") {
			piece += "\n"
		}
		return &before, matrixHead + piece + matrixTail
	}},
	{artifacts.NewFile, func(do func(string) string) (*string, string) { return nil, do(matrixHead + matrixNew + matrixTail) }},
}

// A notation writes a change of one file as a reply.
type notation struct {
	name  string
	write func(before *string, after string) (reply string, ok bool)
}

func notations() []notation {
	var out []notation
	for _, f := range convert.Formats {
		out = append(out, notation{string(f), func(before *string, after string) (string, bool) { return converted(f, before, after) }})
	}
	return append(out,
		notation{"tool-call", func(before *string, after string) (string, bool) {
			call := map[string]any{"command": "create", "path": matrixPath, "file_text": after}
			if before != nil {
				find, replace := differing(*before, after)
				call = map[string]any{"command": "str_replace", "path": matrixPath, "old_str": find, "new_str": replace}
			}
			return fencedJSON(call)
		}},
		notation{"tool-call in tags", func(_ *string, after string) (string, bool) {
			return "<write_to_file>\n<path>" + matrixPath + "</path>\n<content>\n" + after + "</content>\n</write_to_file>\n", !strings.Contains(after, "</content>")
		}},
		notation{"file-tags", func(_ *string, after string) (string, bool) {
			return `<file path="` + matrixPath + "\"><![CDATA[\n" + after + "]]></file>\n", !strings.Contains(after, "]]>")
		}},
		notation{"shell", func(_ *string, after string) (string, bool) {
			return "```sh\ncat > " + matrixPath + " <<'END_OF_APP'\n" + after + "END_OF_APP\n```\n", strings.HasSuffix(after, "\n") && !strings.Contains(after, "```")
		}},
		notation{"bundle with patches", func(before *string, after string) (string, bool) {
			if before == nil {
				return "", false
			}
			find, replace := differing(*before, after)
			return fencedJSON(map[string]any{"root": ".", "files": []any{map[string]any{"path": matrixPath, "operation": "patch", "patches": []any{map[string]any{"find": find, "replace": replace, "limit": "once"}}}}})
		}},
	)
}

func fencedJSON(v any) (string, bool) {
	b, err := json.MarshalIndent(v, "", "  ")
	return "```json\n" + string(b) + "\n```\n", err == nil
}

// differing returns the whole lines that differ between two texts.
func differing(before, after string) (find, replace string) {
	head, tail := diff.Common(before, after)
	head = strings.LastIndexByte(before[:head], '\n') + 1
	for tail > 0 && before[len(before)-tail-1] != '\n' {
		tail--
	}
	tail = min(tail, len(before)-head, len(after)-head)
	if head == len(before)-tail { // an insertion needs an existing line
		head = strings.LastIndexByte(before[:max(head-1, 0)], '\n') + 1
	}
	return before[head : len(before)-tail], after[head : len(after)-tail]
}

func matrixTree(before *string) fstest.MapFS {
	if before == nil {
		return fstest.MapFS{"src": {Mode: 0o755 | os.ModeDir}}
	}
	return fstest.MapFS{matrixPath: {Data: []byte(*before), Mode: 0o644}}
}

func matrixWhere(before *string) check.Where {
	tree := matrixTree(before)
	return check.Where{Tree: tree, Base: "/base/project", DocPath: paths.Folder{Names: []string{"project"}, Tree: tree}.Lookup}
}

func converted(to convert.Format, before *string, after string) (string, bool) {
	f := plan.File{Path: matrixPath, Operation: plan.Create, State: plan.Change, After: text.Content{Exists: true, Mode: 0o644, Data: after}}
	if before != nil {
		f.Operation, f.Before = plan.Modify, text.Content{Exists: true, Mode: 0o644, Data: *before}
	}
	if before == nil && (to == convert.Structured || to == convert.Lines) {
		return "", false // they create no files
	}
	doc, err := convert.Document(context.Background(), to, []plan.File{f}, matrixWhere(before), "project")
	var cannot *convert.CannotError
	if errors.As(err, &cannot) {
		return "", false
	}
	if err != nil {
		panic(err)
	}
	return doc, true
}

// becomes returns the outcome of a reply, "asks", "refused" or "silent", with its
// diagnostics.
func becomes(t *testing.T, n notation, reply string, before *string) (string, []diag.Diagnostic) {
	d := check.Document{Name: "-", Text: reply}
	for _, f := range convert.Formats {
		if n.name == string(f) {
			d.Format = n.name
		}
	}
	r, err := check.Check(t.Context(), []check.Document{d}, matrixWhere(before))
	if err != nil {
		t.Fatal(err)
	}
	var all []diag.Diagnostic
	for _, b := range r.Blocks {
		all = append(all, b.Diagnostics...)
	}
	switch {
	case !r.Applicable():
		return "refused", all
	case len(r.Doubts()) > 0:
		return "asks", all
	}
	return "silent", all
}

// A text that went through an artifact is never written without a question, in any
// notation. An intended text does not ask: one that did not go through, or one whose file
// did too. A reason in the artifact's row exempts a place.
func TestTextMatrix(t *testing.T) {
	var rows strings.Builder
	rows.WriteString("| Text | Whole text | Piece | New file |\n| --- | --- | --- | --- |\n")
	cells, controls := 0, 0
	all := notations()
	for _, p := range matrixPlaces {
		before, after := p.file(same1)
		for _, n := range all {
			reply, ok := n.write(before, after)
			if !ok {
				continue
			}
			if got, ds := becomes(t, n, reply, before); got != "silent" {
				t.Errorf("control: %s, %s: %s %v", n.name, p.name, got, ds)
			}
			controls++
		}
	}
	for _, a := range artifact.Table() {
		about := artifacts.Of[a]
		if len(about.Do) == 0 {
			continue
		}
		row := []string{a.Name}
		for _, p := range matrixPlaces {
			reason, silent := about.Silent[p.name]
			asked, written := 0, 0
			for way, do := range about.Do {
				before, after := p.file(do)
				if _, plain := p.file(same1); plain == after {
					continue
				}
				for _, n := range all {
					reply, ok := n.write(before, after)
					if !ok {
						continue
					}
					written++
					got, ds := becomes(t, n, reply, before)
					if got != "silent" {
						asked++
					} else if !silent {
						t.Errorf("%s, way %d, %s, %s: written without a question %v", a.Name, way, n.name, p.name, ds)
					}
				}
				cells, controls = cells+len(all), controls+ownText(t, a, way, p.name, all)
			}
			switch {
			case written == 0:
				row = append(row, "–")
			case silent && asked == written:
				t.Errorf("%s, %s: it asks in every notation, and the row says why it does not: %s", a.Name, p.name, reason)
			case silent:
				row = append(row, "applied: "+reason)
			default:
				row = append(row, "asks")
			}
		}
		rows.WriteString("| " + strings.Join(row, " | ") + " |\n")
	}
	for _, d := range defects() {
		row := []string{d.name}
		for _, p := range matrixPlaces {
			before, after := p.file(d.do)
			verdict := "–"
			for _, n := range all {
				reply, ok := n.write(before, after)
				if _, plain := p.file(same1); !ok || plain == after {
					continue
				}
				cells++
				got, ds := becomes(t, n, reply, before)
				switch {
				case got == "silent" && d.some != "" && before != nil:
					verdict = "asks in some notations: " + d.some
				case got == "silent" && !(d.silent && before == nil):
					t.Errorf("%s, %s, %s: written without a question %v", d.name, n.name, p.name, ds)
				case verdict == "–":
					verdict = "asks"
				}
			}
			if d.silent && before == nil {
				verdict = "applied: a new file has no old text to compare, and may really look like this"
			}
			row = append(row, verdict)
		}
		rows.WriteString("| " + strings.Join(row, " | ") + " |\n")
	}
	fmt.Fprintf(&rows, "\n%d cells in %d notations; %d controls.\n", cells, len(all), controls)
	t.Log("\n" + rows.String())
	keepMatrix(t, rows.String())
}

// ownText checks that a file is edited without a question if the file itself has the artifact.
func ownText(t *testing.T, a *artifact.Artifact, way int, place string, all []notation) (controls int) {
	about := artifacts.Of[a]
	if place != artifacts.WholeText || about.Own != "" {
		return 0
	}
	before, after := about.Do[way](matrixHead+matrixOld+matrixTail), about.Do[way](matrixHead+matrixNew+matrixTail)
	for _, n := range all {
		if reply, ok := n.write(&before, after); ok {
			controls++
			if got, ds := becomes(t, n, reply, &before); got != "silent" {
				t.Errorf("%s, way %d, %s: the file is so itself, and it %s: %v", a.Name, way, n.name, got, ds)
			}
		}
	}
	return controls
}

func keepMatrix(t *testing.T, rows string) {
	file := filepath.Join("..", "..", "..", "docs", "matching.md")
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(b), matrixBegin)
	kept, tail, ok := strings.Cut(rest, matrixEnd)
	if !ok {
		t.Fatal("docs/matching.md has no matrix; `make gen` writes its place")
	}
	switch {
	case kept == rows:
	case *writeMatrix:
		if err := os.WriteFile(file, []byte(head+matrixBegin+rows+matrixEnd+tail), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Error("the matrix in docs/matching.md is stale; `make matrix` writes it")
	}
}
