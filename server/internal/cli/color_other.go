//go:build !windows

package cli

import "io"

// understandsColors reports whether a terminal does; all do.
func understandsColors(io.Writer) bool { return true }
