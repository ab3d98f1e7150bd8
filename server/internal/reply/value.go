package reply

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

const constant = `"[^"\n]*"|'[^'\n]*'|-?v?\d[\w.%]*|(?i:true|false|null|nil|none)`

var (
	isConstant = lazyregexp.New(`^(?:` + constant + `)$`)
	isValue    = lazyregexp.New(`^(?:` + constant + `|#[0-9a-fA-F]{3,8})$`)
)

// corrected finds a sentence with a value that the reply adds to a file and another value of the same kind that none of
// the changed files has: "so use `6000` above instead of `8000`". `words` are those of the sentence's line. It returns
// the file, or "".
func (a *lister) corrected(c claim, words string) string {
	if !isForeign(c.words) && !saysAny(words, Instead, Retract, TakenBack, Change, Changed) {
		return ""
	}
	var values []string
	for _, code := range codesIn(c.text, 20) {
		if value := code.text.In(c.text); isConstant.MatchString(value) {
			values = append(values, value)
		}
	}
	if len(values) != 2 || bare(values[0]) == bare(values[1]) || kindOf(values[0]) != kindOf(values[1]) || c.denies() {
		return ""
	}
	for _, name := range c.files {
		for i, value := range values {
			before, after := a.files.linesWith(name, value)
			other := func(name string) bool { return a.files.hasCode(name, bare(values[1-i])) }
			if len(before) == 0 && len(after) > 0 && !slices.ContainsFunc(c.files, other) {
				return name
			}
		}
	}
	return ""
}

// disagrees finds a sentence with a file and a new value or new code for it ([lister.differs]), or with an old and a new
// number. The words do not matter, so the sentence may be in any language. It returns the file, or "".
func (a *lister) disagrees(c claim) string {
	if !c.named || c.denies() {
		return ""
	}
	codes := text.Each(c.codes(), func(at text.Span) string { return strings.TrimSpace(at.In(c.text)) })
	for _, name := range c.files {
		if a.files.isFile(name) && (a.differs(name, codes, isForeign(c.words) || a.places(c, name)) || a.renumbers(c, name, codes)) {
			return name
		}
	}
	return ""
}

// places reports whether a sentence names a place by code that a file has: "below `retry` in `strings.xml`". Such a
// sentence says where new code belongs, whatever its verb is.
func (a *lister) places(c claim, name string) bool {
	codes := codesIn(c.text, 20)
	for i, code := range codes {
		if c.told && placeOf(c.words, c.text, codes, i) != Nothing && a.files.hasCode(name, code.text.In(c.text)) {
			return true
		}
	}
	return false
}

// differs reports whether one of the codes is new for a file: neither this file nor a changed file has it. The new code
// must be a value beside a code that the file has (`timeout` and `30` for `timeout: 10`), or be like a line of the file or
// like another code that it has (`retries: 3`). If placed is true, any new code beside one that the file has is enough.
func (a *lister) differs(name string, codes []string, placed bool) bool {
	has := func(code string) bool { return a.files.hasCode(name, code) }
	made := func(code string) bool {
		return slices.ContainsFunc(a.files.changed(), func(name string) bool { return a.files.hasCode(name, code) })
	}
	beside := slices.ContainsFunc(codes, has)
	return slices.ContainsFunc(codes, func(code string) bool {
		switch {
		case has(code) || made(code):
			return false
		case isValue.MatchString(code) || placed && isName.MatchString(code) && !strings.Contains(code, "."):
			return beside
		}
		shape := shapeOf(code)
		alike := func(code string) bool { return shape != "" && shapeOf(code) == shape && has(code) }
		return a.isUnknown(name, code) && (strings.ContainsAny(code, "=()[]{};:\"'<>") && a.files.isNear(name, code) || placed && beside || slices.ContainsFunc(codes, alike) || a.files.hasShape(name, shape))
	})
}

// numbers matches two numbers with few other characters between them: "8080 yerine 9090", "| 7 | 8 |".
var numbers = lazyregexp.New("(\\d+(?:\\.\\d+)*)[^\\d\\n.;:`]{1,12}(\\d+(?:\\.\\d+)*)")

// renumbers reports whether a sentence has two numbers next to each other, if a line of the file has only one of them.
// A line with a number below 100 must also have one of the codes in the sentence.
func (a *lister) renumbers(c claim, name string, codes []string) bool {
	for _, m := range numbers.FindAllStringSubmatch(c.words, 20) {
		for i, old := range m[1:] {
			new := m[2-i]
			_, after := a.files.linesWith(name, old)
			isOld := func(line string) bool {
				return !HasCode(line, new) && (len(old) > 2 || slices.ContainsFunc(codes, func(code string) bool { return HasCode(line, code) }))
			}
			if old != new && len(new) >= len(old) && slices.ContainsFunc(after, isOld) && !a.files.hasCode(name, new) {
				return true
			}
		}
	}
	return false
}

func bare(constant string) string { return strings.Trim(constant, "\"'~^<>= v") }

// kindOf returns the kind of a constant: '0' for a number or a version, '"' for another text in quotes, otherwise 't'.
func kindOf(constant string) byte {
	switch s := bare(constant); {
	case s != "" && strings.TrimLeft(s[:1], "-0123456789") == "":
		return '0'
	case strings.ContainsAny(constant, `"'`):
		return '"'
	}
	return 't'
}
