package fspath

import (
	"errors"
	"syscall"
)

// errorInvalidName is ERROR_INVALID_NAME of winerror.h: `a<b`, for one.
const errorInvalidName syscall.Errno = 123

func badName(err error) bool { return errors.Is(err, errorInvalidName) }
