package diag

// The findings of the lint profile sys-004. They are hints, and are reported only if the
// profile is enabled.
const (
	LintTopLevel Code = "sys-004-top-level-folder"
	LintTests    Code = "sys-004-test-name"
	LintDDR      Code = "sys-004-ddr-placement"
	LintPretty   Code = "sys-004-not-pretty"
)

var lintDocs = []Doc{
	{LintTopLevel, Hint, "A file is in a top-level folder other than `ddrs`, `src` and `tests` ([R34](formats/README.md#r34)). Only with the profile `sys-004`.", `"path": "lib/a.cs"`, `"path": "src/Lib/a.cs"`, ""},
	{LintTests, Hint, "A new test is not named `tests/{ProjectName}.Tests/…Tests.cs` ([R35](formats/README.md#r35)). Only with the profile `sys-004`.", `"path": "tests/Cart.cs"`, `"path": "tests/Shop.Tests/CartTests.cs"`, ""},
	{LintDDR, Hint, "A DDR is not in `ddrs/{ID} - {Title}.md`, or its JSONL is not in `ddrs/jsonl/{ID}.jsonl` ([R36](formats/README.md#r36)). Only with the profile `sys-004`.", `"path": "src/ddrs/DDR-012.md"`, `"path": "ddrs/DDR-012 - Contract.md"`, ""},
	{LintPretty, Hint, "The JSON is not pretty-printed with one member on each line ([R37](formats/README.md#r37)). Only with the profile `sys-004`.", `{"root": ".", "files": []}`, "{\n  \"root\": \".\",\n  \"files\": []\n}", "Formats the block."},
}
