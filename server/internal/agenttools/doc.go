// Package agenttools provides the tools that agents use on a workspace. A tool has a name, a
// schema and an answer that are the same over MCP, in an editor, and between our own
// processes. The package does not know how a call arrives; it works on a [Host].
//
// # Rules for agents
//
// An agent may not change files on its own. `aptix mcp` looks for the language server that
// has its folder open and passes the call on: the person sees the preview and is asked, and
// only that change waits for the answer. Without an editor, agents write only if the person
// allowed it. A tool never fails with a protocol error. A problem that a model can correct is
// part of the answer (rule R33); an unexpected error is logged and reported in general words.
// The schemas, and the tools in package.json, are generated from the Go types.
//
// Rule R29 says which copy of a file counts: the open document, then the file set, then the
// disk. The file set of one machine follows the disk. A shared file set has precedence: if a
// file on disk differs from it, tools return the text of the set and do not change the file.
package agenttools
