package disk

import (
	"io/fs"
	"os"
)

// sameMode compares the one bit that Windows has: whether a file may be written.
func sameMode(a, b fs.FileMode) bool { return a&0o200 == b&0o200 }

// keepOwner does nothing: a new file has the rights of its directory.
func keepOwner(*os.File, fs.FileInfo) {}

// keepLinkOwner does nothing either.
func keepLinkOwner(*os.Root, string, fs.FileInfo) {}

// syncOld does nothing: on Windows only a program that may write a file can sync it.
func (*Root) syncOld(*os.Root, string) error { return nil }
