//go:build !windows

package cli

import "io"

// understandsColors returns true, because outside Windows all terminals understand colors.
func understandsColors(io.Writer) bool { return true }
