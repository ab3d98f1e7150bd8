package reply

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// isWord matches code without spaces and brackets that is neither a path nor has members: `--quiet`, `retry()`.
var isWord = lazyregexp.New(`^[-$@#]*[\pL_][\pL\d_-]*(?:\(\))?$`)

const constant = `"[^"\n]*"|'[^'\n]*'|(?:(?:~>|[<>]=?|[~^]) ?)?-?v?\d[\w.%]*|(?i:true|false|null|nil|none)`

var (
	isConstant = lazyregexp.New(`^(?:` + constant + `)$`)
	isValue    = lazyregexp.New(`^(?:` + constant + `|#[0-9a-fA-F]{3,8})$`)
)

// isWish reports whether a line is in a block quote above the first edit, and this edit is not in a block quote. The line
// then quotes what the person wrote, so it does not correct the edits.
func (a *lister) isWish(line text.Span) bool {
	quoted := func(at int) bool {
		start := 1 + strings.LastIndexByte(a.doc[:at], '\n')
		return strings.HasPrefix(strings.TrimLeft(a.doc[start:], " \t"), ">")
	}
	read := a.document.Read
	return quoted(line.Start) && len(read) > 0 && line.End <= read[0].Start && !quoted(read[0].Start)
}

// isAnswered reports whether the reply changes all files that a sentence names, and removes code that it names from one of
// them.
func (a *lister) isAnswered(c claim) bool {
	for _, m := range c.names {
		if !a.files.changes(m.name) && !a.files.isDone(m.name) {
			return false
		}
	}
	return slices.ContainsFunc(c.codes(), func(at text.Span) bool {
		return slices.ContainsFunc(c.names, func(m mention) bool {
			before, after := a.files.linesWith(m.name, at.In(c.text))
			return (len(before) > 0 || a.files.isDone(m.name)) && len(after) == 0
		})
	})
}

// corrected looks for a sentence with two values of the same kind, such as "so use `6000` above instead of `8000`". It
// returns the file to which the reply adds one of them, if no changed file has the other, and otherwise "". `words` are
// the words of the sentence's line.
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
	if name := a.reassigned(c); name != "" {
		return name
	}
	if len(values) != 2 || bare(values[0]) == bare(values[1]) || kindOf(values[0]) != kindOf(values[1]) || c.denies() {
		return ""
	}
	for _, name := range c.files {
		for i, value := range values {
			other := func(name string) bool { return a.files.hasCode(name, bare(values[1-i])) }
			if a.files.gets(name, value) && !slices.ContainsFunc(c.files, other) {
				return name
			}
		}
	}
	return ""
}

// assignment matches code that gives a name a value: `MAX_TRIES = 3`.
var assignment = lazyregexp.New(`^([\pL_][\pL\d_.-]*)(\s*(?::=|=|:)\s*)(` + constant + `)$`)

// reassigned looks for a sentence that gives a name another value than the reply: "use `tries = 3` after all" below an
// edit that adds `tries = 8`. It returns the file that gets the value of the reply, or "".
func (a *lister) reassigned(c claim) string {
	if c.denies() || saysAny(c.words, unsure...) {
		return ""
	}
	for _, code := range codesIn(c.text, 20) {
		m := assignment.FindStringSubmatch(code.text.In(c.text))
		if m == nil {
			continue
		}
		for _, name := range c.files {
			before, after := a.files.linesWith(name, m[1]+m[2])
			if len(before) < len(after) || len(after) > 0 && !slices.Equal(before, after) {
				if !a.files.hasCode(name, m[0]) {
					return name
				}
			}
		}
	}
	return ""
}

// disagrees looks for a sentence about a file with new code or a new value for the file ([lister.differs]), or with an
// old and a new number. The sentence may be in any language. disagrees returns the file, or "". If `sure` is false, the
// sentence may only offer the change, or describe an old text.
func (a *lister) disagrees(c claim) (found string, sure bool) {
	if c.denies() {
		return "", false
	}
	offers := saysAny(withoutWords(c.words, Instead), unsure...)
	sure = !offers && !saysAny(c.words, Before)
	codes := text.Each(c.codes(), func(at text.Span) string { return strings.TrimSpace(at.In(c.text)) })
	if a.isLeft(c) {
		return c.files[0], !offers
	}
	if !c.named {
		for _, name := range c.files {
			if a.places(c, name, codes) {
				return name, !offers
			}
		}
		return "", false
	}
	if len(c.names) > 0 && strings.Contains(c.text, "`") {
		for _, m := range bareValue.FindAllStringIndex(c.words, 20) {
			codes = append(codes, c.words[m[0]:m[1]])
		}
	}
	says := c.told && c.acts()
	for _, name := range c.files {
		if !a.files.isFile(name) {
			continue
		}
		placed := isForeign(c.words) || says && !a.files.changes(name) || a.places(c, name, nil) || row.MatchString(c.text) && extends(codes)
		if a.renumbers(c, name, codes) || isForeign(c.words) && a.setsNumber(c, name, codes) {
			return name, !offers
		}
		if a.differs(name, codes, placed) {
			return name, sure
		}
		if a.otherVersion(c, name, codes, says) {
			return name, true
		}
	}
	return "", false
}

// isLeft reports whether a sentence gives a name another value, but the step for the name leaves the text as it is: the
// text has the name and a value of the sentence, and no changed file has another value of the same kind from the sentence.
func (a *lister) isLeft(c claim) bool {
	if len(a.document.Same) == 0 || len(c.files) == 0 {
		return false
	}
	values := append(numbersIn(c.words, 20), text.Each(codesIn(c.text, 20), func(code code) string { return code.text.In(c.text) })...)
	return slices.ContainsFunc(a.document.Same, func(at text.Span) bool {
		has := func(code string) bool { return HasCode(at.In(a.doc), code) }
		old := text.Only(values, has)
		return slices.ContainsFunc(values, func(new string) bool {
			isOther := func(old string) bool { return kindOf(old) == kindOf(new) }
			isSimple := isWord.MatchString(new) || isConstant.MatchString(new)
			return len(old) > 1 && isSimple && !has(new) && slices.ContainsFunc(old, isOther) && !a.isMadeAnywhere(new)
		})
	})
}

// places reports whether a sentence names the place of new code by code that a file has: "below `retry` in
// `strings.xml`". The verb does not matter. If the sentence names no file, one of the codes must be new, and of the
// same kind as the code of the place: "`\"time\"` goes below `\"net/http\"`".
func (a *lister) places(c claim, name string, codes []string) bool {
	all := codesIn(c.text, 20)
	for i, code := range all {
		anchor := code.text.In(c.text)
		if c.told && placeOf(c.words, c.text, all, i) != Nothing && a.files.hasCode(name, anchor) {
			isNew := func(code string) bool { return isAlike(code, anchor) && !a.isMadeAnywhere(code) }
			if c.named || slices.ContainsFunc(codes, isNew) {
				return true
			}
		}
	}
	return false
}

// extends reports whether any of the codes contains another, such as `now / 1000` and `now` in two columns of a table.
func extends(codes []string) bool {
	return slices.ContainsFunc(codes, func(code string) bool {
		return slices.ContainsFunc(codes, func(other string) bool { return other != code && HasCode(code, other) })
	})
}

// acts reports whether a verb of adding or changing comes shortly before code in the sentence, or ends the sentence in
// languages that put the verb last.
func (c claim) acts() bool {
	for _, v := range []Verb{Add, Added, Change, Changed} {
		at, ok := say(c.words, v)
		if ok && (isUnspaced(at.In(c.words)) || slices.ContainsFunc(codesIn(c.text, 20), func(code code) bool {
			return at.End <= code.at.Start && countWords(c.text[at.End:code.at.Start]) <= mostBetween
		})) {
			return true
		}
	}
	return false
}

// isAlike reports whether two codes are constants of the same kind, or lines of the same shape or with the same first
// word, such as `import`.
func isAlike(a, b string) bool {
	if isConstant.MatchString(a) && isConstant.MatchString(b) {
		return kindOf(a) == kindOf(b)
	}
	first, _, ok := strings.Cut(a, " ")
	return shapeOf(a) != "" && shapeOf(a) == shapeOf(b) || ok && text.HasWord(first) && strings.HasPrefix(b, first+" ")
}

// isMadeAnywhere reports whether a changed file has the given code, before or after the reply.
func (a *lister) isMadeAnywhere(code string) bool {
	return slices.ContainsFunc(a.files.changed(), func(name string) bool { return a.files.hasCode(name, code) })
}

// version and versions match a number with at least two points: version as the whole text, versions inside a text.
var (
	version  = lazyregexp.New(`^v?\d+(?:\.\d+){2,}$`)
	versions = lazyregexp.New(`\b\d+(?:\.\d+){2,}\b`)
)

// otherVersion reports whether a sentence gives an unchanged file a new version: the file has a version, and neither
// this file nor a changed file has the new version. The version must follow the path closely, or the sentence must say
// that something changes.
func (a *lister) otherVersion(c claim, name string, codes []string, says bool) bool {
	i := slices.IndexFunc(codes, version.MatchString)
	if i < 0 || a.files.changes(name) || a.files.hasCode(name, codes[i]) || a.isMadeAnywhere(codes[i]) {
		return false
	}
	for _, m := range c.names {
		between, _, ok := strings.Cut(c.words[m.at.End:], codes[i])
		clause := c.words[1+strings.LastIndexAny(c.words[:m.at.Start], ",;:("):m.at.Start] + between
		says = says || ok && m.name == name && countWords(between) <= mostBetween && !strings.ContainsAny(between, ",;:.()") && isTold(clause, len(clause))
	}
	return says && slices.ContainsFunc(a.files.texts(name), func(t string) bool {
		return a.files.Meter.Pay(len(t)) && versions.MatchString(t)
	})
}

// differs reports whether any of the codes is new to a file: neither this file nor a changed file has it. The new code
// must be one of these:
//
//   - a value next to code that the file has: `timeout` and `30` for `timeout: 10`
//   - code like a line of the file, or like other code in `codes` that the file has: `retries: 3`
//   - if `placed` is true, any code next to code that the file has
func (a *lister) differs(name string, codes []string, placed bool) bool {
	has := func(code string) bool { return a.files.hasCode(name, code) }
	beside := slices.ContainsFunc(codes, has)
	return slices.ContainsFunc(codes, func(code string) bool {
		switch {
		case has(code) || a.isMadeAnywhere(code):
			return false
		case isValue.MatchString(code) || placed && isWord.MatchString(code):
			return beside
		}
		shape := shapeOf(code)
		alike := func(code string) bool { return shape != "" && shapeOf(code) == shape && has(code) }
		return a.isUnknown(name, code) && (strings.ContainsAny(code, "=()[]{};:\"'<>") && a.files.isNear(name, code) || placed && beside || slices.ContainsFunc(codes, alike) || a.files.hasShape(name, shape))
	})
}

// numbers matches two numbers with few other characters between them: "8080 yerine 9090", "| 7 | 8 |".
var numbers = lazyregexp.New("(\\d+(?:\\.\\d+)*)[^\\d\\n.;:`]{1,20}(\\d+(?:\\.\\d+)*)")

// renumbers reports whether a sentence has two numbers next to each other, and a line of the file has only one of them.
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

// oneNumber matches a number that is not part of a word.
var oneNumber = lazyregexp.New(`(?:^|[^\pL\d.])(\d+(?:\.\d+)*)(?:[^\pL\d]|$)`)

// setsNumber reports whether a sentence about an unchanged file has a name and a single number, and each line of the
// file with that name has other numbers.
func (a *lister) setsNumber(c claim, name string, codes []string) bool {
	found := oneNumber.FindAllStringSubmatch(c.words, 2)
	if len(found) != 1 || len(codes) != 1 || !isName.MatchString(codes[0]) || a.files.changes(name) || a.files.isDone(name) {
		return false
	}
	lines, _ := a.files.linesWith(name, codes[0])
	return len(lines) > 0 && !slices.ContainsFunc(lines, func(line string) bool {
		_, line, _ = strings.Cut(line, "\n") // without the preceding line
		return HasCode(line, found[0][1]) || !oneNumber.MatchString(line)
	})
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
