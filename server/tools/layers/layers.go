// Package layers lists the packages of this module and their layers. The code map in ARCHITECTURE.md is generated from
// the list, and a test checks every import against it.
package layers

// A Package is one row of the code map in ARCHITECTURE.md.
type Package struct {
	Path  string // relative to the module's root
	Holds string // what the package contains, as Markdown
}

// Layers lists every package that ships, the lowest layer first. A package imports only packages of earlier layers;
// packages of the same layer do not import each other.
var Layers = [][]Package{
	{
		{"protocol", "the report and the custom LSP methods; TypeScript is generated from it"},
		{"extension/chat", "the rules of the formats, as the chat explains them to models"},
		{"server/internal/escape", "shows foreign text without links, commands or control characters"},
		{"server/internal/lazyregexp", "regular expressions that are compiled when they are first used"},
		{"server/internal/meter", "a limit on the work of one reply, counted in steps and not in time"},
		{"server/internal/parallel", "runs several things at once; a panic of one is raised again in the waiting goroutine"},
		{"server/internal/shellcommand", "makes the program a command of the shell"},
		{"server/internal/text", "spans, edits, lines and positions, line endings, encodings"},
	},
	{
		{"server/internal/chat", "the last answer of an exported chat session"},
		{"server/internal/fspath", "the file that a path names, with links resolved, on any `fs.FS`"},
		{"server/internal/artifact", "the changes that programs make to a text between a file and a reply, and how to undo them"},
		{"server/internal/edittools", "the tools with which agents edit files, and their parameters"},
		{"server/internal/diag", "diagnostics, fixes, codes and severities"},
		{"server/internal/diff", "the minimal edits between two texts, their counts, git-style patches, and three-way merges"},
		{"server/internal/shellscript", "scripts of a shell, cut into commands, words, redirects and here-documents"},
		{"server/internal/settings", "the settings; package.json and docs/vscode.md are generated from it"},
		{"server/internal/sqlitefile", "a SQLite file that processes share and only its user can read"},
	},
	{
		{"server/internal/protect", "the table of protected files: docs/protected.md is generated from it"},
		{"server/internal/mdblock", "a document's fenced blocks, where each one really ends, and the text between them"},
		{"server/internal/lenientjson", "JSON with positions; it reads on after errors"},
		{"server/internal/place", "where a passage goes, exactly or nearly, and the proof that its change was made before"},
	},
	{
		{"server/internal/git", "repositories: which files git ignores, which programs it runs, and which versions of a file it has"},
		{"server/internal/prompt", "the prompt for edits: the rules of a format, the files, the question"},
		{"server/internal/elision", "texts that leave out lines of their files, as by `// ... existing code ...`"},
	},
	{
		{"server/internal/intent", "what a block intends, before any file is read"},
	},
	{
		{"server/internal/paths", "the file below the root that a path in a reply names, and the file that a docPath names"},
		{"server/internal/doubt", "reasons to ask before a change that is perhaps unintended, in any format"},
		{"server/internal/findreplace", "edits that replace a literal text or whole lines, and the fixes for a find that is not in the file"},
		{"server/internal/hunk", "the place of a hunk: the one that git chooses, or a fix with which git accepts the hunk"},
		{"server/internal/schema", "the JSON Schemas, and the descriptions of members and values for completion and hover"},
		{"server/internal/format", "the type of a format: it claims regions of a document, and reads them as an `intent.Set`"},
	},
	{
		{"server/internal/format/jsonshape", "what the JSON formats have in common"},
		{"server/internal/gitdiff", "parses git patches, and the variants that models write, into changes"},
	},
	{
		{"server/internal/reply", "the file of a fence, the edits that sentences describe, and the parts of a reply that are not read"},
		{"server/internal/searchblock", "the marks of SEARCH/REPLACE blocks, and the edits between them"},
	},
	{
		{"server/internal/format/bundle", "file bundles"},
		{"server/internal/format/structured", "structured patches"},
		{"server/internal/format/git", "git patches"},
		{"server/internal/format/ap", "ap patches, 3.1 and 3.2"},
		{"server/internal/format/lines", "line patches"},
		{"server/internal/format/searchreplace", "SEARCH/REPLACE blocks"},
		{"server/internal/format/toolcall", "tool calls that edit files, in JSON or in tags"},
		{"server/internal/format/filetags", "whole files between tags, as tools that pack repositories write them"},
		{"server/internal/format/applypatch", "patches that begin with `*** Begin Patch`"},
		{"server/internal/format/wholefile", "whole files in fences below their paths"},
		{"server/internal/format/shell", "shell scripts whose effect on files is plain without running them"},
	},
	{
		{"server/internal/plan", "works out, from an `intent.Set` and a tree, the content of every file before and after"},
	},
	{
		{"server/internal/disk", "a folder on disk, open buffers over it, the disk transaction, protected files"},
	},
	{
		{"server/internal/history", "the history of applies and the IDs of line patches (SQLite, in the user's state folder)"},
		{"server/internal/fileset", "the latest content of files by docPath, on this machine or shared, and which copy of a file counts"},
	},
	{
		{"server/internal/check", "check, repair and report: every front end calls it"},
	},
	{
		{"server/internal/apply", "writes a plan to disk with its record, uploads it, and reverts it"},
	},
	{
		{"server/internal/convert", "a planned change as a document of any format, exactly or not at all"},
		{"server/internal/lspconv", "the only conversion between our types and LSP's"},
		{"server/internal/rpc", "the connection of LSP: frames with a size limit, calls, cancellation, the log of the client"},
	},
	{
		{"server/internal/agenttools", "the ten tools for agents, in an editor or on disk"},
	},
	{
		{"server/internal/link", "how `aptix mcp` reaches a language server"},
	},
	{
		{"server/internal/lspserver/documents", "the open documents, version by version, and whether their files still agree"},
	},
	{
		{"server/internal/lspserver/workspace", "the editor's folders: which one a reply is for, and its files under the open documents"},
	},
	{
		{"server/internal/lspserver/editor", "changes files through an editor: asks for one edit, waits for it, verifies it"},
		{"server/internal/lspserver/past", "the history as an editor shows it"},
		{"server/internal/lspserver/replies", "what an editor shows of a checked reply"},
	},
	{
		{"server/internal/lspserver/previews", "the texts of diff editors"},
	},
	{
		{"server/internal/lspserver", "the language server: one handler for each method"},
		{"server/internal/cli", "the command line"},
		{"server/internal/mcp", "the MCP server"},
	},
	{
		{"server/cmd/aptix", "main: subcommands, log, exit codes"},
	},
}

// Tools lists the packages that do not ship: programs for those who work on Aptix, and tests
// with their helpers. They may import anything, and only tests import them. All but the first are in server/tools,
// because packages outside of server cannot import its internal ones.
var Tools = []Package{
	{"server", "tests of all packages together"},
	{"server/tools/layers", "this list"},
	{"server/tools/conformance", "runs testdata/conformance by any program's command"},
	{"server/tools/gen", "writes the generated files"},
	{"server/tools/artifacts", "the texts about artifacts: docs/matching.md is generated from it"},
	{"server/tools/codes", "the texts about the codes of diagnostics: docs/diagnostics.md is generated from it"},
	{"server/tools/casetest", "runs each case of testdata through the engine and every front end"},
	{"server/tools/benchtable", "measures whole commands: the table of docs/performance.md"},
	{"server/tools/measure", "measures how many real replies and damaged diffs are applied correctly"},
	{"server/tools/mutate", "plants bugs that tests must catch"},
	{"server/tools/release", "makes all files of a release, the same bytes for the same commit"},
	{"server/tools/licenses", "what others wrote that ships inside Aptix, with its license"},
	{"server/tools/casefile", "reads the cases of testdata"},
	{"server/tools/lsptest", "an editor that can misbehave"},
	{"server/tools/systems", "checks the types of all packages as Windows and macOS compile them"},
	{"server/tools/trials", "how many trials a test makes: few for each change, many each night"},
	{"server/tools/needs", "skips a test, with the reason, if the system lacks what it needs"},
	{"server/tools/meanwhile", "actions of other programs and people on the same files during a test"},
	{"server/tools/postgrestest", "PostgreSQL servers for tests"},
	{"server/tools/parsetest", "properties of the parser of every format that finds its own blocks"},
	{"server/tools/formattest", "a format for tests, which runs through every front end"},
	{"server/tools/gittest", "repositories for tests"},
	{"server/tools/gitoracle", "compares patches with the installed git"},
	{"server/tools/neovimtest", "the language server in Neovim"},
	{"server/tools/soak", "windows, command lines and agents that all write at once"},
}
