// Package lspserver implements the language server: one handler for each method, over the connection of package rpc.
// The packages in the folders below it do not depend on the handlers: documents holds what the editor has open, and
// workspace its folders; replies says what an editor shows of a checked reply, previews holds the texts of diff
// editors, past says what was applied, and editor changes files.
//
// # Documents and disk
//
// A document that another program has overtaken on disk is not edited (TestOvertaken). Documents of deleted files are
// ignored if they have no unsaved text (TestDocumentsOfNoFile). The goroutine that reads the connection never reads a
// disk. If a notification is about folders, agents or the history, its work is queued in chores, in the order of
// arrival.
//
// # Whose folder
//
// A reply is for the workspace folder of its document. If the document is in none of several folders, the reply is for
// the folder with most of the files that it names; otherwise the person is asked (homeOf). The person can leave parts
// of a block out. The server remembers this choice by the block's text. The history treats the block without these
// parts as a different reply.
package lspserver
