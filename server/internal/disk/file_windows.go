package disk

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// sameMode compares the one bit that Windows has: whether a file may be written.
func sameMode(a, b fs.FileMode) bool { return a&0o200 == b&0o200 }

// keepOwner does nothing, because a new file has the rights of its directory.
func keepOwner(*os.File, fs.FileInfo) {}

// keepLinkOwner does nothing, for the same reason.
func keepLinkOwner(*os.Root, string, fs.FileInfo) {}

// syncOld does nothing, because on Windows only a program that may write a file can sync
// it.
func (*Root) syncOld(*os.Root, string) error { return nil }

// The errors of winerror.h for a file that another program has open.
const (
	errorSharingViolation syscall.Errno = 32
	errorLockViolation    syscall.Errno = 33
	errorUserMapped       syscall.Errno = 1224 // mapped into the memory of a program
)

// held reports whether an operation failed because another program has the file open.
func held(err error) bool {
	return errors.Is(err, ErrHeld) || errors.Is(err, errorSharingViolation) || errors.Is(err, errorLockViolation) || errors.Is(err, errorUserMapped)
}

// hasTwins reports whether a file has several names.
func hasTwins(name string, _ fs.FileInfo) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	var info syscall.ByHandleFileInformation
	return syscall.GetFileInformationByHandle(syscall.Handle(f.Fd()), &info) == nil && info.NumberOfLinks > 1
}

// CheckPrivate checks only for links. The folder is in the user's profile, whose access list
// it inherits.
func CheckPrivate(stateDir string) error { return noLinks(stateDir) }
