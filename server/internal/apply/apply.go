// Package apply is the way to change files, and to take a change back: it writes a
// plan to disk with a record in the history, uploads it to a file set, and reverts it.
package apply
