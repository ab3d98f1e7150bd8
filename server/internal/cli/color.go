package cli

import (
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/escape"
)

// Parameters of SGR, the control sequence for colors. The shades are those that the person
// chose for the terminal.
const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
	cyan   = "36"
)

// colorModes are the values of --color.
var colorModes = []string{"auto", "always", "never"}

// A colorMode is a flag with one of colorModes.
type colorMode string

func (m *colorMode) String() string { return string(*m) }

// Type is how the help calls the value.
func (m *colorMode) Type() string { return "auto|always|never" }

// Set refuses what is none of them.
func (m *colorMode) Set(value string) error {
	if !slices.Contains(colorModes, value) {
		return fmt.Errorf("known are %v", colorModes)
	}
	*m = colorMode(value)
	return nil
}

// A painter colors pieces of text, or leaves them as they are.
type painter bool

func (p painter) in(color, s string) string {
	if !p || color == "" || s == "" {
		return s
	}
	return "\x1b[" + color + "m" + s + "\x1b[m"
}

// painter is that for what is printed to w. Without --color, a terminal has colors unless
// the environment says otherwise: see https://no-color.org. No variable of it brings color
// to a pipe, as the next program reads a patch there.
func (std IO) painter(w io.Writer) painter {
	switch *std.color {
	case "always":
		return true
	case "never":
		return false
	}
	plain := os.Getenv("NO_COLOR") != "" || os.Getenv("CLICOLOR") == "0" || os.Getenv("TERM") == "dumb"
	return painter(!plain && isTerminal(beneath(w)) && understandsColors(beneath(w)))
}

// beneath is w without escaping. What is printed to it must have been escaped.
func beneath(w io.Writer) io.Writer {
	if escaped, ok := w.(escape.Writer); ok {
		return escaped.W
	}
	return w
}
