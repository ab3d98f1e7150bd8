// Package locate finds a text in another one, exactly or approximately: with other white space,
// with look-alikes of its characters, or slightly changed.
//
// All texts have LF endings; offsets are bytes.
//
// # One index for many passages
//
// A plan carries one [Text] of a file from step to step. Its lines are in chunks of 4 KB, and the
// chunks are in segments that edited texts share. Therefore a thousand finds in one file cost
// little more than reading it (BenchmarkFinds of package plan). Formats that compare whole lines
// use one table, [Text.Lines], with an index for each level of likeness. The cost of N hunks is
// then that of the text plus N. ap patches and line patches compare lines in their own ways, so
// they index the same table by their own comparison ([Lines.IndexBy]).
//
// # What locate does not decide
//
// The rules (exact, line endings, ..., likeness) are one list. Messages take their words from it,
// and docs/matching.md is generated from it. The rules of one format are in the Resolve of its
// step: the literal find, git's placing, the indentation that ap 3.1 forgives, the hash of a line
// patch. The steps share the text, the levels and the verdicts, but not the decision: git places
// a hunk by its line numbers and the hunks around it, while a find has neither. Package hunk is
// not a part of locate, because it knows what git does.
package locate
