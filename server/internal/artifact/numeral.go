package artifact

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

// Grouping describes a text in which a program put thousands separators into numbers: `1,000` for `1000`.
var Grouping = Artifact{
	Signs:   ",.'’",
	Lost:    "0123456789",
	Name:    "thousands separators",
	Differs: "without thousands separators",
	Fix:     "Leave out the thousands separators",
	Undo: eachLine(func(line string) string {
		return grouped.ReplaceAllStringFunc(line, func(m string) string { return strings.Join(strings.FieldsFunc(m, isNoDigit), "") })
	}),
	Loses: "separators in numbers that belong to the text",
	Prose: true,
	Asked: true,
}

// DecimalComma describes a text whose numbers have a comma in place of the decimal point.
var DecimalComma = Artifact{
	Signs:   ",",
	Lost:    ".",
	Name:    "decimal commas",
	Differs: "with decimal points in place of commas",
	Fix:     "Write decimal points",
	Undo:    eachLine(func(line string) string { return decimalComma.ReplaceAllString(line, "$1.$2") }),
	Loses:   "commas between digits that belong to the text",
	Prose:   true,
	Asked:   true,
}

func isNoDigit(r rune) bool { return r < '0' || r > '9' }

var (
	grouped      = lazyregexp.New(`\b\d{1,3}(?:(?:,\d{3})+|(?:\.\d{3})+|(?:['’]\d{3})+)\b`)
	decimalComma = lazyregexp.New(`(\d),(\d)`)
)
