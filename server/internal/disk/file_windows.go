package disk

import (
	"io/fs"
	"os"
)

// sameMode knows the one bit that Windows has: whether a file may be written.
func sameMode(a, b fs.FileMode) bool { return a&0o200 == b&0o200 }

// keepOwner does nothing: a new file has the rights of its directory.
func keepOwner(*os.File, fs.FileInfo) {}

// keepLinkOwner does nothing either.
func keepLinkOwner(*os.Root, string, fs.FileInfo) {}

// syncOld does nothing: only who may write a file can force it to disk there.
func syncOld(*os.Root, string) error { return nil }
