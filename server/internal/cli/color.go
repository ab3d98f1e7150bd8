package cli

import (
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/escape"
)

// The parameters of SGR, the control sequence for colors. The terminal determines the shades.
const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
	cyan   = "36"
)

var colorModes = []string{"auto", "always", "never"}

type colorMode string

func (m *colorMode) String() string { return string(*m) }

// Type returns the description of the value in the help.
func (m *colorMode) Type() string { return "auto|always|never" }

func (m *colorMode) Set(value string) error {
	if !slices.Contains(colorModes, value) {
		return fmt.Errorf("the choices are %v", colorModes)
	}
	*m = colorMode(value)
	return nil
}

// A painter colors pieces of text if it is true.
type painter bool

func (p painter) paint(color, s string) string {
	if !p || color == "" || s == "" {
		return s
	}
	return "\x1b[" + color + "m" + s + "\x1b[m"
}

// painter returns the painter for output to `w`. Without --color, output to a terminal has colors unless the
// environment forbids colors (see https://no-color.org). No environment variable adds color to a pipe, because the next
// program may read a patch from the pipe.
func (std IO) painter(w io.Writer) painter {
	switch *std.color {
	case "always":
		return true
	case "never":
		return false
	}
	plain := os.Getenv("NO_COLOR") != "" || os.Getenv("CLICOLOR") == "0" || os.Getenv("TERM") == "dumb"
	return painter(!plain && isTerminal(unescaped(w)) && understandsColors(unescaped(w)))
}

// unescaped returns the writer inside `w` that does not escape control characters. Callers must print only text that is
// already escaped.
func unescaped(w io.Writer) io.Writer {
	if escaped, ok := w.(escape.Writer); ok {
		return escaped.W
	}
	return w
}
