//go:build !windows

package fspath

func badName(error) bool { return false }
