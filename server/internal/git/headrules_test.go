package git

import "testing"

// The name of a folder may look like git's description of an object.
func TestMissingObjectWithAnOddName(t *testing.T) {
	out := "HEAD:a blob 9/.gitignore missing\n0123 blob 2\nx\n\n"
	kind, _, rest, ok := nextObject(out)
	if kind != "" || !ok {
		t.Errorf("the missing object is of the kind %q, %v", kind, ok)
	}
	if kind, content, rest, ok := nextObject(rest); kind != "blob" || content != "x\n" || rest != "" || !ok {
		t.Errorf("the object is %q of the kind %q, %v, before %q", content, kind, ok, rest)
	}
	if _, _, _, ok := nextObject("0123 blob 2\nx"); ok {
		t.Error("output that is cut off is accepted")
	}
}
