package codes

import "github.com/aptix-dev/aptix/server/internal/diag"

var lintCodes = []Doc{
	{diag.LintTopLevel, "A file is in a top-level folder other than `ddrs`, `src` and `tests` ([R34](formats/README.md#r34)). This is reported only with the profile `sys-004`.", `"path": "lib/a.cs"`, `"path": "src/Lib/a.cs"`, ""},
	{diag.LintTests, "A new test is not named `tests/{ProjectName}.Tests/…Tests.cs` ([R35](formats/README.md#r35)). This is reported only with the profile `sys-004`.", `"path": "tests/Cart.cs"`, `"path": "tests/Shop.Tests/CartTests.cs"`, ""},
	{diag.LintDDR, "A DDR is not in `ddrs/{ID} - {Title}.md`, or its JSONL is not in `ddrs/jsonl/{ID}.jsonl` ([R36](formats/README.md#r36)). This is reported only with the profile `sys-004`.", `"path": "src/ddrs/DDR-012.md"`, `"path": "ddrs/DDR-012 - Contract.md"`, ""},
	{diag.LintPretty, "The JSON is not pretty-printed with one member on each line ([R37](formats/README.md#r37)). This is reported only with the profile `sys-004`.", `{"root": ".", "files": []}`, "{\n  \"root\": \".\",\n  \"files\": []\n}", "Formats the block."},
}
