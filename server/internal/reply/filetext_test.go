package reply

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/meter"
)

// Reading a file costs units, so that many parts of a reply cannot read a large file again and again.
func TestFileTextPays(t *testing.T) {
	content := strings.Repeat("x = 1\n", 1000)
	d := format.Document{Tree: fstest.MapFS{"a.py": {Data: []byte(content)}}, Meter: meter.New(0)}
	left := d.Meter.Left()
	if got, ok := FileText(d, "a.py"); !ok || got != content {
		t.Fatalf("%t: %q", ok, got)
	}
	if paid := left - d.Meter.Left(); paid < len(content) {
		t.Errorf("%d units for %d bytes", paid, len(content))
	}
	d.Meter.Pay(d.Meter.Left() + 1)
	if _, ok := FileText(d, "a.py"); ok {
		t.Error("the file was read although the meter was spent")
	}
}
