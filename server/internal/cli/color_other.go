//go:build !windows

package cli

import "io"

// understandsColors reports whether a terminal understands colors. Outside Windows, all terminals do.
func understandsColors(io.Writer) bool { return true }
