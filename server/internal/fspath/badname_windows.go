package fspath

import (
	"errors"
	"syscall"
)

// errorInvalidName is ERROR_INVALID_NAME of winerror.h, returned for a name such as `a<b`.
const errorInvalidName syscall.Errno = 123

func badName(err error) bool { return errors.Is(err, errorInvalidName) }
