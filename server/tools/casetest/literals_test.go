package casetest

import (
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// namedTwice lists cases whose blocks have the same path in two places. If only one is
// rewritten, the two contradict each other, or a failed call counts because no later call repeats it.
var namedTwice = []string{"bundle/git-patch*", "tool-call/conversation", "ap/edit-then-rename", "search-replace/path-name-and-path", "whole-file/path-name-and-path"}

// A fix writes a value through its literal, so the literal must cover exactly the value: if
// another value is written there, reading the block returns that value.
func TestLiteralsAreWhereTheValueIs(t *testing.T) {
	tried := map[string]int{}
	for _, c := range Load(t, repoDir) {
		if isNamedTwice(c) {
			continue
		}
		r, err := check.Check(t.Context(), []check.Document{{Name: c.Reply, Text: c.Text}}, check.Where{Tree: fstest.MapFS{}})
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range r.Blocks {
			tried[b.Format.Name] += writeLiterals(t, c.File, b.Format, b.Body)
		}
	}
	for _, f := range check.Formats {
		if tried[f.Name] == 0 {
			t.Errorf("no case of the format %s has a literal", f.Name)
		}
	}
	if tried["structured"] < 200 || tried["git"] < 200 || tried["ap"] < 100 {
		t.Errorf("few literals were written: %v", tried)
	}
}

func isNamedTwice(c *Case) bool {
	return slices.ContainsFunc(namedTwice, func(pattern string) bool {
		is, _ := path.Match(pattern, c.Name)
		return is
	})
}

// writeLiterals replaces each literal with another value, and counts them.
func writeLiterals(t *testing.T, file string, f format.Format, body string) (n int) {
	t.Helper()
	parsed := f.Parse(format.Whole(body))
	if diag.HasErrors(parsed.Diagnostics) {
		return 0
	}
	for name, v := range values(parsed.Set) {
		other := v.other(name)
		edited, err := text.Apply(body, []text.Edit{v.at.Set(other)})
		if err != nil {
			t.Fatalf("%s: %s: %v", file, name, err)
		}
		after := values(f.Parse(format.Whole(edited)).Set)[name]
		if got := text.WithEOL(after.text, text.LF); got != text.WithEOL(other, text.LF) {
			t.Errorf("%s: %s: %q is written, and %q is read in\n%s", file, name, other, got, edited)
		}
		n++
	}
	return n
}

// A value is a text of a set with its place in the block.
type value struct {
	text string
	at   intent.Literal
}

// other returns another value of the same kind: a file beside the first one, or the text with
// one more line.
func (v value) other(name string) string {
	if strings.HasSuffix(name, ".Path") || strings.HasSuffix(name, ".To") {
		dir, base := path.Split(v.text)
		return dir + "x" + base
	}
	return "x\n" + v.text
}

// values returns the paths, finds and replacements of a set, by their field in it. The
// literal of a field such as Path is the field PathAt.
func values(set intent.Set) map[string]value {
	found := map[string]value{}
	collect(reflect.ValueOf(set), "Set", found)
	return found
}

func collect(v reflect.Value, at string, found map[string]value) {
	switch v.Kind() {
	case reflect.Interface:
		// The literals of a quoted step refer to the quoted text, not to the block.
		if !v.IsNil() && v.Elem().Type() != reflect.TypeFor[intent.Quoted]() {
			collect(v.Elem(), at, found)
		}
	case reflect.Slice:
		for i := range v.Len() {
			collect(v.Index(i), fmt.Sprintf("%s[%d]", at, i), found)
		}
	case reflect.Struct:
		if both := v.FieldByName("Both"); both.IsValid() && !both.IsNil() {
			return // one place in the block stands for both texts
		}
		for field, part := range v.Fields() {
			if field.IsExported() {
				collect(part, at+"."+field.Name, found)
			}
		}
		for _, name := range []string{"Path", "To", "Find", "Replace"} {
			l := v.FieldByName(name + "At")
			if l.IsValid() && l.Interface() != (intent.Literal{}) {
				found[at+"."+name] = value{v.FieldByName(name).String(), l.Interface().(intent.Literal)}
			}
		}
	}
}
