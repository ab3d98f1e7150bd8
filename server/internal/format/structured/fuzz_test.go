package structured

import (
	"testing"

	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/tools/parsetest"
)

func FuzzParse(f *testing.F) {
	f.Add(`{"patches": [{"path": "a", "find": "x", "replace": "y", "limit": "all"}, {"path": "b", "replacements": [{}, 1]}`)
	f.Add(`{"root": 1, "patches": {"replacements": null}, "files": []}`)
	parsetest.Subject{Format: Format}.Fuzz(f, nil, func(*testing.T, *format.Region, format.Parsed) {})
}
