// Package lspserver implements the language server: one handler for each method, over the connection of package rpc.
// The packages below it do not depend on the handlers. Package documents has the open documents of the editor, and
// workspace its folders. Package replies describes how an editor shows a checked reply, previews has the texts of diff
// editors, past compares the history with the files, and editor changes files.
//
// # Documents and disk
//
// A document is not edited if another program has changed its file since (TestOvertaken). Documents of deleted files
// are ignored if they have no unsaved text (TestDocumentsOfNoFile). The goroutine that reads the connection never reads
// a disk. If a notification is about folders, agents or the history, its work is queued in chores, in the order of
// arrival.
//
// # The folder of a reply
//
// A reply is for the workspace folder of its document. If the document is in none of several folders, the reply is for
// the folder with most of the files that it names; otherwise the person is asked (homeOf). The person can leave parts
// of a block out. The server records this choice under the block's text. The history treats the block without these
// parts as a different reply.
package lspserver
