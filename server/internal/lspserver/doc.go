// Package lspserver implements the language server: one handler for each method, over the connection of package rpc.
//
// # Who writes what
//
// The editor's writer (editorwriter.go) splits a plan in two. The editor makes every change that it can also undo. The
// server writes the rest: binary content, symbolic links, folders and executable bits. The server first writes its part
// in a disk transaction, and asks the editor before the transaction ends. If the editor's part fails, or the server
// dies before the answer, the server's part is rolled back. An editor that says opensTouched: false may have files open
// that the server cannot see, so it is asked to edit only the files that it shows.
//
// The editor makes one workspace edit, with the file operations before the text edits, because only then does one undo
// restore everything. Open documents are edited in the version that the plan saw, so the editor refuses the edit if
// someone typed in between. Then the server looks at every file. A partial edit is undone by its inverse, except in
// files that the person has typed in since. If another program changed a file, the result names the file and leaves it
// alone.
//
// # Waiting for the editor
//
// A busy editor reports its documents long after it answered the edit, so no clock decides that an edit was not made.
// After the answer, the server sends a request whose answer comes after everything that the editor sent before
// (barrier.go). VS Code answers aptix/documents with the version and hash of each document. Any other editor may still
// hold changes back, so the server sends it a second request before it decides. Meanwhile a progress message has a
// button that ends the wait. The button does not decide whether the edit was made: no other change is made until the
// editor has answered. If the connection ends, the record stays pending and the next start decides.
//
// # Documents and disk
//
// A document that another program has overtaken on disk is not edited (TestOvertaken). Documents of deleted files are
// ignored if they have no unsaved text (TestDocumentsOfNoFile). The goroutine that reads the connection never reads a
// disk. If a notification concerns folders, agents or the history, its work is queued in chores, in the order of
// arrival.
//
// # Whose folder
//
// A reply is for the workspace folder of its document. If the document is in none of several folders, the reply is for
// the folder that has most of its files; otherwise the person is asked (homeOf). The person can leave parts of a block
// out. The server remembers that choice by the block's text. The history treats the block without these parts as a
// different reply.
package lspserver
