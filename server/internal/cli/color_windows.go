package cli

import (
	"io"
	"os"

	"golang.org/x/sys/windows"
)

// understandsColors makes a console interpret control sequences, and reports whether it can. Windows Terminal can.
func understandsColors(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	console := windows.Handle(file.Fd())
	var mode uint32
	if windows.GetConsoleMode(console, &mode) != nil {
		return false
	}
	return windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
