package casetest

import (
	"fmt"
	"reflect"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/format"
)

// The intent of a block is data: parsing a block twice gives equal values, none of which is a
// function, and all can be printed.
func TestSetsAreData(t *testing.T) {
	everything := cmp.Exporter(func(reflect.Type) bool { return true })
	steps := map[string]bool{}
	for _, c := range Load(t, repoDir) {
		r, err := check.Check(t.Context(), []check.Document{{Name: c.Reply, Text: c.Text}}, check.Where{Tree: fstest.MapFS{}})
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range r.Blocks {
			first, second := b.Format.Parse(format.Whole(b.Body)).Set, b.Format.Parse(format.Whole(b.Body)).Set
			if diff := cmp.Diff(first, second, everything); diff != "" {
				t.Errorf("%s: parsed twice, a block is not the same:\n%s", c.File, diff)
			}
			if path := function(reflect.ValueOf(first), "Set", map[uintptr]bool{}); path != "" {
				t.Errorf("%s: %s is a function", c.File, path)
			}
			if fmt.Sprintf("%+v", first) == "" {
				t.Errorf("%s: a set prints as nothing", c.File)
			}
			for _, change := range first.Changes {
				for _, s := range change.Steps {
					steps[fmt.Sprintf("%T", s)] = true
				}
			}
		}
	}
	for _, want := range []string{"findreplace.Replacement", "hunk.Patch", "gitdiff.Deletion", "*gitdiff.BinaryPatch", "ap.Modifications", "lines.Patch", "intent.Quoted"} {
		if !steps[want] {
			t.Errorf("no case has a step that is a %s: %v", want, steps)
		}
	}
}

// function returns the path to a function in a value, or "" if it has none.
func function(v reflect.Value, path string, seen map[uintptr]bool) string {
	switch v.Kind() {
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return path
	case reflect.Pointer:
		if v.IsNil() || seen[v.Pointer()] {
			return ""
		}
		seen[v.Pointer()] = true
		return function(v.Elem(), path, seen)
	case reflect.Interface:
		if v.IsNil() {
			return ""
		}
		return function(v.Elem(), path, seen)
	case reflect.Struct:
		for i := range v.NumField() {
			if found := function(v.Field(i), path+"."+v.Type().Field(i).Name, seen); found != "" {
				return found
			}
		}
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return ""
		}
		for i := range v.Len() {
			if found := function(v.Index(i), fmt.Sprintf("%s[%d]", path, i), seen); found != "" {
				return found
			}
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			if found := function(v.MapIndex(key), fmt.Sprintf("%s[%v]", path, key), seen); found != "" {
				return found
			}
		}
	}
	return ""
}
