package git

import (
	"testing"

	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/tools/parsetest"
)

func FuzzParse(f *testing.F) {
	f.Add("Here:\n\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n\n`x`:\n\n```py\n@@ -1 +1 @@\n-a\n+b\n```\n")
	parsetest.Subject{Format: Format}.Fuzz(f, nil, func(*testing.T, *format.Region, format.Parsed) {})
}
