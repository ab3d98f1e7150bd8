package disk

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// sameMode compares only whether a file may be written, because Windows has no other mode bit.
func sameMode(a, b fs.FileMode) bool { return a&0o200 == b&0o200 }

// keepOwner does nothing, because a new file has the rights of its directory.
func keepOwner(*os.File, fs.FileInfo) {}

// keepLinkOwner does nothing, because a new link has the rights of its directory.
func keepLinkOwner(*os.Root, string, fs.FileInfo) {}

// syncOld does nothing, because on Windows a program can sync only a file that it may write.
func (*Root) syncOld(*os.Root, string) error { return nil }

// Errors from winerror.h. They mean that another program has a file open.
const (
	errorSharingViolation syscall.Errno = 32
	errorLockViolation    syscall.Errno = 33
	errorUserMapped       syscall.Errno = 1224 // another program has mapped the file into its memory
)

func held(err error) bool {
	return errors.Is(err, ErrHeld) || errors.Is(err, errorSharingViolation) || errors.Is(err, errorLockViolation) || errors.Is(err, errorUserMapped)
}

func hasTwins(name string, _ fs.FileInfo) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	var info syscall.ByHandleFileInformation
	return syscall.GetFileInformationByHandle(syscall.Handle(f.Fd()), &info) == nil && info.NumberOfLinks > 1
}

// CheckPrivate checks only the kinds of files. Other users have no access to the folder, because it is in the user's
// profile and inherits the profile's access list.
func CheckPrivate(stateDir string) error { return plain(stateDir) }
