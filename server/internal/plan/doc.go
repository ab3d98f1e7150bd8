// Package plan turns intended changes and a file tree into a precise description of the
// effect: the content of every file before and after. It only reads. All blocks of a reply
// share one tree in memory, so that a later block sees the effects of earlier ones.
//
// Invariants: if the result of a plan is planned again, nothing changes, unless a step warns
// about it. Before holds the content in the tree at the time of planning, and a writer must
// check that the file still matches. If a file has an error, Before == After.
//
// # Changes that happen at once
//
// The files of one git commit change at once: renames and copies read the files as they were
// before the commit, a path that the commit vacates is free, and deletions come before
// creations. A plan works in such groups (Change.Group of package intent); a change of
// another format is a group of its own. Git patches are raw: they see bytes, modes and
// symbolic links, and follow no link.
//
// If a whole text leaves out lines of its file, it becomes an edit as soon as the file is
// known: package elision finds the places of its parts, and from then on it is a change like
// any other.
package plan
