package toolcall

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/findreplace"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
	"github.com/aptix-dev/aptix/server/internal/wholelines"
)

// regions are what the format claims of a document.
func regions(doc string) []*format.Region {
	d := format.Document{Text: doc}
	for _, b := range mdblock.Find(doc) {
		d.Fences = append(d.Fences, &format.Region{Block: b})
	}
	return find(d)
}

// said is every change of the complete blocks of a document that have no error.
func said(doc string) []string {
	var changes []string
	for _, r := range regions(doc) {
		if !r.Closed {
			continue
		}
		p := parse(r)
		if diag.HasErrors(p.Diagnostics) {
			continue
		}
		for _, c := range p.Set.Changes {
			changes = append(changes, fmt.Sprintf("%d %s %q", c.Kind, c.Path, c.Content))
			for _, s := range c.Steps {
				changes = append(changes, c.Path+": "+stepSaid(s))
			}
		}
	}
	return changes
}

func stepSaid(s intent.Step) string {
	switch s := s.(type) {
	case intent.Quoted:
		return stepSaid(s.Step)
	case findreplace.Replacement:
		return fmt.Sprintf("%q -> %q", s.Find, s.Replace)
	case wholelines.Edit:
		return fmt.Sprintf("%q -> %q", s.Readings[0].Find, s.Readings[0].Replace)
	case insertion:
		return fmt.Sprintf("%d: %q", s.After, s.Lines)
	}
	return fmt.Sprintf("%T", s)
}

// A prefix of a reply, as it is while the model writes, says no change that the whole reply
// does not say.
func TestPrefixes(t *testing.T) {
	files, err := filepath.Glob("../../../../testdata/conformance/tool-call/*.txtar")
	if err != nil || len(files) < 60 {
		t.Fatalf("%d cases: %v", len(files), err)
	}
	// Texts with the last tags of a call, and no fence that would show where they end.
	exempt := []string{"tags-twice.txtar", "tags-content-twice.txtar"}
	changes := 0
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		reply := string(archive.Files[0].Data)
		if slices.Contains(exempt, filepath.Base(file)) || strings.HasSuffix(archive.Files[0].Name, ".json") {
			continue
		}
		whole := said(reply)
		changes += len(whole)
		for at := range len(reply) {
			for _, change := range said(reply[:at]) {
				if !slices.Contains(whole, change) && !slices.Contains(unrefused(reply), change) {
					t.Errorf("%s: the first %d bytes say %s", filepath.Base(file), at, change)
				}
			}
		}
	}
	if changes < 60 {
		t.Errorf("only %d changes", changes)
	}
}

// unrefused is every change of a document, also of blocks with an error in another call.
func unrefused(doc string) []string {
	var changes []string
	for _, r := range regions(doc) {
		for _, c := range parse(r).Set.Changes {
			changes = append(changes, fmt.Sprintf("%d %s %q", c.Kind, c.Path, c.Content))
			for _, s := range c.Steps {
				changes = append(changes, c.Path+": "+stepSaid(s))
			}
		}
	}
	return changes
}

const (
	callText = `{"command": "str_replace", "path": "a.py", "old_str": "a", "new_str": "b"}` + "\n"
	tagText  = "<write_to_file>\n<path>a.py</path>\n<content>\nx\n</content>\n</write_to_file>\n"
)

// A region is a fence that begins with a call, or a call outside of fences.
func TestRegions(t *testing.T) {
	for doc, want := range map[string][]string{
		"x\n" + callText + "y\n":                                {callText},
		callText + callText:                                     {callText, callText},
		"```json\n" + callText + callText + "```\n":             {"```json\n" + callText + callText + "```\n"},
		"```\n" + tagText + "```\n":                             {"```\n" + tagText + "```\n"},
		"x\n" + tagText + "\n" + tagText:                        {tagText, tagText},
		"````md\n```json\n" + callText + "```\n````\n":          nil,
		"```go\n" + callText + "```\n":                          {"```go\n" + callText + "```\n"},
		"```js\n{command: \"str_replace\", path: \"a\"}\n```\n": nil,
		"`" + strings.TrimSpace(callText) + "`\n":               nil,
		"<write_to_file> writes a file.\n":                      nil,
		"    " + callText:                                       nil,
		`{"name": "str_replace", "input_schema": {"type": "object", "properties": {"path": {"type": "string"}, "old_str": {"type": "string"}}}}` + "\n": nil,
		`{"type": "function", "function": {"name": "apply_diff", "parameters": {"type": "object", "properties": {"path": {}, "diff": {}}}}}` + "\n":     nil,
		`[{"role": "assistant", "content": [` + strings.TrimSpace(callText) + `]}]` + "\n":                                                              nil,
		`{"path": "a.py", "content": "x"}` + "\n":              nil,
		`{"name": "edit", "version": "1", "path": "x"}` + "\n": nil,
	} {
		var got []string
		for _, r := range regions(doc) {
			got = append(got, r.Span.In(doc))
		}
		if !slices.EqualFunc(got, want, func(a, b string) bool { return strings.TrimRight(a, "\n") == strings.TrimRight(b, "\n") }) {
			t.Errorf("%q has the regions %q, want %q", doc, got, want)
		}
	}
}

// FuzzParse: whatever the text, spans are of it, and what can be read is counted.
func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("../../../../testdata/conformance/tool-call/*.txtar")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(txtar.Parse(data).Files[0].Data))
	}
	f.Add(`{"name":"create","arguments":"{\"path\":\"a\",`)
	f.Add("<apply_diff><args><file><diff><content><![CDATA[]]></content></diff></file></args></apply_diff>")
	f.Fuzz(func(t *testing.T, doc string) {
		last := 0
		for _, r := range append(regions(doc), format.Whole(doc)) {
			if r.Span.Start < last && r.Span != (text.Span{End: len(doc)}) || r.Span.End > len(doc) {
				t.Fatalf("a region at %v after %d", r.Span, last)
			}
			last = r.Span.End
			p := parse(r)
			if p.Readable > p.Entries || p.Readable != len(p.Set.Changes) || p.Readable < p.Entries && !diag.HasErrors(p.Diagnostics) {
				t.Fatalf("%d of %d are readable, %d changes, %v", p.Readable, p.Entries, len(p.Set.Changes), p.Diagnostics)
			}
			checkSpans(t, r.Body, p)
		}
	})
}

func checkSpans(t *testing.T, body string, p format.Parsed) {
	inside := func(s text.Span) bool { return 0 <= s.Start && s.Start <= s.End && s.End <= len(body) }
	for _, d := range p.Diagnostics {
		if !inside(d.Span) {
			t.Fatalf("a diagnostic at %v of %d bytes", d.Span, len(body))
		}
		for _, fix := range d.Fixes {
			if _, err := text.Apply(body, fix.Edits); err != nil {
				t.Fatalf("%s: %v", fix.Title, err)
			}
		}
	}
	for _, c := range p.Set.Changes {
		if !inside(c.At) || !inside(c.PathAt.Span) || !inside(c.ContentAt.Span) {
			t.Fatalf("%+v is not in %d bytes", c, len(body))
		}
		for _, s := range c.Steps {
			if !inside(s.Span()) {
				t.Fatalf("a step at %v of %d bytes", s.Span(), len(body))
			}
		}
	}
}
