package reply

import (
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// namesTwin reports whether a sentence above a block begins with the path of a file that the reply does not change, for
// example "In `api/config.ts`". The reply must change a file with the same name in another folder.
func (a *lister) namesTwin(c claim) bool {
	if len(c.names) != 1 || !c.names[0].code || !endsAsLabel(c.text) || !a.files.isFile(c.names[0].name) || a.files.changes(c.names[0].name) {
		return false
	}
	from, end := leadIn(c.text), c.names[0].at.End+len("`")
	return from < end && inPlace.MatchString(c.text[from:end]) && len(a.files.byName()[path.Base(c.names[0].name)]) > 0 && !a.files.isDone(c.names[0].name)
}

// fitsNamed reports whether a sentence above a block names only a file that the reply does not change, although all
// lines that the reply removes from a changed file are in the named file, too: "only in `config/dev.yaml`:" above an edit
// of `config/prod.yaml`.
func (a *lister) fitsNamed(c claim) bool {
	if len(c.names) != 1 || !c.names[0].code {
		return false
	}
	name := c.names[0].name
	if !a.files.isFile(name) || a.files.changes(name) || a.files.isDone(name) {
		return false
	}
	return slices.ContainsFunc(a.files.changed(), func(changed string) bool {
		removed := a.files.removed(changed)
		return len(removed) > 0 && !slices.ContainsFunc(removed, func(line string) bool { return !a.files.hasCode(name, line) })
	})
}

// repeats reports whether a sentence in any language asks to repeat an edit in a file: it names code of that file, and a
// statement that the reply adds to another file.
func (a *lister) repeats(c claim) bool {
	if !c.named || !isForeign(c.words) || c.denies() {
		return false
	}
	codes := c.codes()
	return slices.ContainsFunc(c.files, func(name string) bool {
		if !a.files.isFile(name) || a.files.changes(name) || a.files.isDone(name) {
			return false
		}
		return slices.ContainsFunc(codes, func(at text.Span) bool { return a.files.hasCode(name, at.In(c.text)) }) &&
			slices.ContainsFunc(codes, func(at text.Span) bool {
				code := at.In(c.text)
				added := func(changed string) bool { return a.files.gets(changed, code) }
				return a.isUnknown(name, code) && slices.ContainsFunc(a.files.changed(), added)
			})
	})
}

// changesToo returns a file that, according to a sentence, changes as a consequence of the edits, although the reply does not
// change it: "The declaration in `src/a.h` changes accordingly." It returns "" if there is no such file. The words behind
// that may be about something else.
func (a *lister) changesToo(c claim) string {
	at, ok := say(c.words, Accordingly)
	if said := c.words[:at.End]; !ok || isNegated(said) || saysAny(said, unsure...) {
		return ""
	}
	for _, m := range c.names {
		if m.at.Start < at.End && a.files.isFile(m.name) && !a.files.changes(m.name) && !a.files.isDone(m.name) {
			return m.name
		}
	}
	return ""
}

// repeatsHere returns a changed file for which a sentence repeats a change at several places: "`open` and `close` likewise,
// please". At least two of the names in the sentence are in the file, but in no edit. In "the same fix as in `open` and
// `close`", the names are those of the first change. repeatsHere returns "" if there is no such file.
func (a *lister) repeatsHere(c claim) string {
	at, ok := say(c.words, Repeat)
	name := a.files.only()
	if !ok || name == "" || c.denies() || a.files.isDone(name) {
		return ""
	}
	left := text.Only(c.codes(), func(code text.Span) bool {
		compared := code.Start > at.End && likens.MatchString(c.text[at.End:code.Start])
		return !compared && a.files.hasCode(name, code.In(c.text)) && !a.isInRead(code.In(c.text))
	})
	if len(left) < 2 {
		return ""
	}
	return name
}

// isInRead reports whether a part of the reply that a format reads has the given code.
func (a *lister) isInRead(code string) bool {
	return slices.ContainsFunc(a.document.Read, func(at text.Span) bool {
		return !a.files.Meter.Pay(at.Len()/searched) || strings.Contains(at.In(a.doc), code)
	})
}
