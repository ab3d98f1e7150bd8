package escape

import (
	"fmt"
	"io"
	"unicode/utf8"
)

// A Writer writes text to W in the form of [Text] or [Report]. Each call of Write must pass whole characters, and whole
// lines of a report.
type Writer struct {
	W        io.Writer
	IsReport bool
}

// Write implements [io.Writer].
func (w Writer) Write(p []byte) (int, error) {
	shown := Text
	if w.IsReport {
		shown = Report
	}
	if _, err := io.WriteString(w.W, shown(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// JSON returns the JSON text `raw` with its invisible characters written as escapes.
func JSON(raw []byte) []byte {
	var out []byte
	done := 0
	for i := 0; i < len(raw); {
		r, size := rune(raw[i]), 1
		if r >= 0x7f {
			r, size = utf8.DecodeRune(raw[i:])
		}
		if r >= 0x7f && Invisible(r) {
			out = append(out, raw[done:i]...)
			out = appendUnits(out, r)
			done = i + size
		}
		i += size
	}
	if done == 0 {
		return raw
	}
	return append(out, raw[done:]...)
}

// appendUnits appends `r` as JSON's escapes of its UTF-16 units.
func appendUnits(to []byte, r rune) []byte {
	if r < 0x10000 {
		return fmt.Appendf(to, `\u%04x`, r)
	}
	r -= 0x10000
	return fmt.Appendf(to, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
}
