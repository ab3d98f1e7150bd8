package diag

// What the lint profile sys-004 finds. These are hints, and only where the
// profile is on.
const (
	LintTopLevel Code = "sys-004-top-level-folder"
	LintTests    Code = "sys-004-test-name"
	LintDDR      Code = "sys-004-ddr-placement"
	LintPretty   Code = "sys-004-not-pretty"
)

var lintDocs = []Doc{
	{LintTopLevel, Hint, "A file lies in another top-level folder than `ddrs`, `src` and `tests` (SYS-004 §5.1). Only with the profile `sys-004`.", `"path": "lib/a.cs"`, `"path": "src/Lib/a.cs"`, ""},
	{LintTests, Hint, "A new test is not named `tests/{ProjectName}.Tests/…Tests.cs` (SYS-004 §5.3). Only with the profile `sys-004`.", `"path": "tests/Cart.cs"`, `"path": "tests/Shop.Tests/CartTests.cs"`, ""},
	{LintDDR, Hint, "A DDR does not lie in `ddrs/{ID} - {Title}.md`, or its JSONL not in `ddrs/jsonl/{ID}.jsonl` (SYS-004 §5.4). Only with the profile `sys-004`.", `"path": "src/ddrs/SYS-004.md"`, `"path": "ddrs/SYS-004 - Contract.md"`, ""},
	{LintPretty, Hint, "The JSON is not pretty-printed with one member a line (SYS-004 §7.1). Only with the profile `sys-004`.", `{"root": ".", "files": []}`, "{\n  \"root\": \".\",\n  \"files\": []\n}", "Formats the block."},
}
