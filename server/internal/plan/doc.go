// Package plan turns intended changes and a file tree into a precise description of the
// effect: for every file its content before and after. It reads and never writes. All
// blocks of a reply share one tree in memory, so that a later block sees the effects of an
// earlier one.
//
// Invariants: if the result of a plan is planned again, nothing changes, unless a step
// warns about it. Before holds the content of the tree when the plan was built, and a
// writer must check that it still matches. If a file has an error, Before == After.
//
// # Changes that happen at once
//
// The files of one git commit change at once: renames and copies read the files as they were
// before the commit, a path that the commit vacates is free, and deletions come before
// creations. A plan works in such groups (Change.Group of package intent); a change of another format is a
// group of its own. Git patches are raw: they see bytes, modes and symbolic links, and follow
// no link.
//
// A whole text that leaves out lines of its file becomes an edit as soon as the file is known:
// package elision says where its parts go, and from then on it is a change like any other.
package plan
