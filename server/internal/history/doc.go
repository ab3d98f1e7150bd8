// Package history records applies and the changes that each made to files, in one SQLite file in the user's state
// folder. Editor windows, command lines and agents use the file at the same time, each in its own process.
//
// Invariants: an apply is recorded as a whole or not at all; the schema only grows, so that an older program can use
// the file of a newer program (see schema.go); the history has contents only of files that an apply touched, and these
// contents never leave the machine.
//
// # Pending records
//
// An apply is recorded as pending before the first file changes, and the record is finished afterwards. A crash in
// between leaves a pending record, which no list shows. The process that began the record holds a lock in the state
// folder, so other processes notice when it has ended. The next start finds out from the disk transaction whether the
// apply was made. If there was no transaction, the files decide: if any file is as the apply left it, the apply was
// made. An editor may outlive its server and have files that are not saved, so a pending apply of an editor is dropped
// only by a server that has the folder open.
//
// A revert is an apply that names the apply that it undoes. The limits of age and size are stored in the history
// itself, because the command line cannot read the settings of the editor.
//
// # Damage
//
// A damaged file is moved aside when it is opened. If damage is found later, the file is marked for the next start,
// because other processes may be reading it.
package history
