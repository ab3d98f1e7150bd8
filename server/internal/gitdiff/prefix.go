package gitdiff

import (
	"fmt"
	"path"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/text"
)

type pair struct {
	old, new             string
	oldPrefix, newPrefix string // the removed prefixes
}

func ab(prefix string) bool { return prefix == "a/" || prefix == "b/" }

// mnemonic lists the prefixes that git writes with diff.mnemonicPrefix, and others that people use.
var mnemonic = map[string]bool{"a/": true, "b/": true, "i/": true, "w/": true, "c/": true, "o/": true, "1/": true, "2/": true, "old/": true, "new/": true}

// strip removes the prefixes of two names. If the prefixes are unclear, it returns false; `repair` then has the
// names that are probably intended, or is nil.
func strip(old, new name) (p pair, repair *pair, ok bool) {
	of, or := old.cut()
	nf, nr := new.cut()
	switch {
	case old.raw == new.raw && !ab(of):
		return pair{old: old.raw, new: new.raw}, nil, true
	case or == nr && of != "" && nf != "":
		return pair{or, nr, of, nf}, nil, true
	case ab(of) && or == new.raw, ab(of) && ab(nf) && strings.TrimPrefix(or, of) == strings.TrimPrefix(nr, nf):
		rest := strings.TrimPrefix(or, of)
		if or == new.raw {
			rest = new.raw
		}
		return p, &pair{rest, rest, "a/", "b/"}, false
	case ab(nf) && nr == old.raw:
		return p, &pair{nr, nr, "a/", "b/"}, false
	case ab(of) && ab(nf), of != nf && mnemonic[of] && mnemonic[nf]:
		return pair{or, nr, of, nf}, nil, true
	}
	return pair{old: old.raw, new: new.raw}, nil, true
}

// stripOne removes the prefix of a single name if git writes this prefix, or if other names have it.
func (s *section) stripOne(n name) (prefix, rest string) {
	if prefix, rest, ok := s.scheme.takeOne(n.raw); ok && (prefix != "" || s.git >= 0) {
		return prefix, rest
	}
	if first, rest := n.cut(); ab(first) || s.prefixes[first] {
		return first, rest
	}
	return "", n.raw
}

func squash(raw string) string {
	for strings.Contains(raw, "//") {
		raw = strings.ReplaceAll(raw, "//", "/")
	}
	return raw
}

// resolve determines the files of a section. It returns false after an error.
func (s *section) resolve() bool {
	s.takeStamps()
	if s.holdsTab() {
		return false
	}
	old, new := s.oldName, s.newName
	if s.git >= 0 && (!old.ok() || !new.ok() || old.devNull || new.devNull) {
		if s.gitNamesOK {
			old, new = s.gitOld, s.gitNew
		} else if s.moves() {
			old, new = s.from, s.to
		}
	}
	switch {
	case old.ok() && new.ok() && !old.devNull && !new.devNull:
		return s.resolveTwo(old, new) && s.agree()
	case s.doubledOne(old), s.doubledOne(new):
		return false
	case new.ok() && !new.devNull:
		s.names.newPrefix, s.names.new = s.stripOne(new)
		s.names.old = s.names.new
	case old.ok() && !old.devNull:
		s.names.oldPrefix, s.names.old = s.stripOne(old)
		s.names.new = s.names.old
	default:
		s.fail(diag.GitHeaderMissing, s.line(s.first), "the header does not name its file; write `--- a/FILE` and `+++ b/FILE` below it")
		return false
	}
	return s.agree()
}

// doubledOne reports a name that has its prefix twice. The other side is `/dev/null`, so only the other names of the
// patch show that the prefix is doubled.
func (s *section) doubledOne(n name) bool {
	first, rest := n.cut()
	if !s.scheme.doubled || n.devNull || !strings.HasPrefix(rest, first) {
		return false
	}
	rest = rest[len(first):]
	s.fail(diag.GitPrefix, n.at, fmt.Sprintf("`%s` has its prefix twice, like the other names in the patch; write `%s%s`", n.raw, first, rest),
		diag.Fix{Title: fmt.Sprintf("Write %s%s", first, rest), Edits: []text.Edit{{Span: n.at, New: diff.QuoteName(first + rest)}}, Preferred: true})
	return true
}

func (s *section) resolveTwo(old, new name) bool {
	names, repair, ok := strip(old, new)
	if known, all := s.scheme.take(old.raw, new.raw); all {
		names, ok = known, true
		s.tellGuess(names)
	}
	switch {
	case s.moves() && s.from.ok() && s.to.ok():
		return s.resolveMove(old, new)
	case ok:
		s.names = names
		if names.oldPrefix != "" {
			s.prefixes[names.oldPrefix], s.prefixes[names.newPrefix] = true, true
		}
		return true
	case repair == nil:
		return true
	}
	wrong := new
	if first, _ := old.cut(); !ab(first) || repair.old != new.raw && repair.new != new.raw {
		wrong = old
	}
	s.fail(diag.GitPrefix, wrong.at, fmt.Sprintf("the prefixes of `%s` and `%s` do not match, so git would not find %s; write `a/%s` and `b/%s`", old.raw, new.raw, repair.old, repair.old, repair.old),
		diag.Fix{Title: fmt.Sprintf("Write a/%s and b/%s", repair.old, repair.new), Edits: s.rewrite(*repair), Preferred: true})
	return false
}

// tellGuess warns, once for each patch, that prefixes of several folders are a guess.
func (s *section) tellGuess(names pair) {
	if s.scheme.guessed && names.oldPrefix == s.scheme.old {
		s.warn(s.gitOld.at, fmt.Sprintf("`%s` and `%s` are read as prefixes, because all names have them; git needs `-p%d` to remove them",
			names.oldPrefix, names.newPrefix, strings.Count(names.oldPrefix, "/")))
		s.parser.scheme.guessed = false
	}
}

// resolveMove takes the names of a rename or copy from lines such as `rename from`, which have no prefixes. Other
// names must agree with them.
func (s *section) resolveMove(old, new name) bool {
	of, or := old.cut()
	nf, nr := new.cut()
	from, to := s.from.raw, s.to.raw
	s.names = pair{from, to, strings.TrimSuffix(old.raw, from), strings.TrimSuffix(new.raw, to)}
	same := strings.HasSuffix(old.raw, from) && strings.HasSuffix(new.raw, to) && (old.raw != from || new.raw != to || !prefixesLeft(old, new) || s.scheme.bare)
	tooLong := s.oldName.ok() && ab(of) && ab(nf) && (s.names.oldPrefix != of || s.names.newPrefix != nf) && old.raw != from
	if s.git < 0 || old.bare || same && !tooLong {
		return true
	}
	if from != old.raw && from != or || to != new.raw && to != nr {
		s.fail(diag.GitNames, s.from.at, fmt.Sprintf("the lines of the header name different files, %s and %s; write the right name in all of them", from, or),
			diag.Fix{Title: fmt.Sprintf("Write %s and %s", or, nr), Edits: s.rewrite(pair{or, nr, of, nf})})
		return false
	}
	fixed := pair{or, nr, of, nf}
	s.fail(diag.GitPrefix, s.from.at, fmt.Sprintf("in a rename or copy, names have no prefixes such as `a/`: git would look for %s; remove the prefixes", from),
		diag.Fix{Title: fmt.Sprintf("Write %s and %s", or, nr), Edits: s.rewrite(fixed), Preferred: true})
	return false
}

// rewrite returns the edits that write other names into the whole header, except for `/dev/null`.
func (s *section) rewrite(names pair) []text.Edit {
	var edits []text.Edit
	for _, spot := range s.spots() {
		value, prefix := names.new, names.newPrefix
		if spot.old {
			value, prefix = names.old, names.oldPrefix
		}
		edits = append(edits, spot.set(prefix, value))
	}
	return edits
}

// takeStamps removes times from names. git does so only in headers without `diff --git`, so takeStamps adds an error
// in any other header.
func (s *section) takeStamps() {
	for _, n := range []*name{&s.oldName, &s.newName} {
		if cut := n.withoutStamp(); cut.raw != n.raw {
			if s.git >= 0 && !(n.devNull || s.gitNamesOK && (s.gitOld.raw == n.raw || s.gitNew.raw == n.raw)) {
				at := text.Span{Start: cut.at.End, End: n.at.End}
				s.fail(diag.GitHeader, at, "git reads the time as part of the file's name; remove the time",
					diag.Fix{Title: "Remove the time", Edits: []text.Edit{{Span: at}}, Preferred: true})
			}
			*n = cut
		}
	}
}

// holdsTab reports whether a name may contain a tab. If so, it adds an error, because git would end the name at the
// tab and change another file.
func (s *section) holdsTab() bool {
	for _, n := range []name{s.gitOld, s.gitNew, s.oldName, s.newName} {
		cut := s.oldName.ok() || s.newName.ok()
		if !n.tabbed && !(cut && n.line == s.git && strings.Contains(n.raw, "\t") && !strings.HasPrefix(n.at.In(s.body), `"`)) {
			continue
		}
		s.fail(diag.GitNames, n.at, "a tab and more text follow the name: git ends the name at the tab; if the name contains a tab, write it in quotes: \"a\\tb\"")
		return true
	}
	return false
}

// agree checks that all names of the header agree, as git does.
func (s *section) agree() bool {
	s.names.old, s.names.new = squash(s.names.old), squash(s.names.new)
	old, new := s.names.old, s.names.new
	if s.git < 0 {
		return s.agreeTraditional()
	}
	for _, spot := range s.spots() {
		want, prefix := new, s.names.newPrefix
		if spot.old {
			want, prefix = old, s.names.oldPrefix
		}
		if got := squash(spot.raw); got == want || got == squash(prefix)+want {
			continue
		}
		if spot.line == s.git && s.oldName.ok() && s.newName.ok() && !s.isNew && !s.isDelete {
			s.warn(spot.at, fmt.Sprintf("the lines below name another file, %s; as in git, that file is changed; correct this name or those below", want), diag.Fix{Title: "Write " + want + " here, too", Edits: s.rewrite(s.names)})
			break
		}
		s.disagree(spot.name, want)
		return false
	}
	if s.isNew || s.isDelete {
		if s.gitNamesOK && old != new {
			s.disagree(s.gitNew, old)
			return false
		}
		return true
	}
	if old == new || s.moves() {
		return true
	}
	if !s.oldName.ok() && !s.newName.ok() {
		s.fail(diag.GitHeaderMissing, s.line(s.git), fmt.Sprintf("the names differ, and no line says what happens to %s: write `rename from` and `rename to`, or `copy from` and `copy to`", old),
			diag.Fix{Title: fmt.Sprintf("Rename %s to %s", old, new), Edits: []text.Edit{s.insert(s.git+1, "rename from "+diff.QuoteName(old), "rename to "+diff.QuoteName(new))}},
			diag.Fix{Title: fmt.Sprintf("Copy %s to %s", old, new), Edits: []text.Edit{s.insert(s.git+1, "copy from "+diff.QuoteName(old), "copy to "+diff.QuoteName(new))}})
		return false
	}
	s.renames()
	return true
}

func (s *section) disagree(n name, want string) {
	s.fail(diag.GitNames, n.at, fmt.Sprintf("the lines of the header name different files, %s and %s; write the right name in all of them", n.raw, want),
		diag.Fix{Title: "Write " + want + " in all lines of the header", Edits: s.rewrite(pair{want, want, "a/", "b/"})})
}

// renames warns that the names differ although no line requests a rename.
func (s *section) renames() {
	old, new := s.names.old, s.names.new
	s.warn(s.newName.at, fmt.Sprintf("the names differ, so git renames %s to %s; if the rename is intended, write `rename from` and `rename to`", old, new),
		diag.Fix{Title: fmt.Sprintf("Add `rename from %s` and `rename to %s`", old, new), Edits: []text.Edit{s.insert(s.git+1, "rename from "+diff.QuoteName(old), "rename to "+diff.QuoteName(new))}},
		diag.Fix{Title: "Apply the hunks to " + old, Edits: s.rewrite(pair{old, old, s.names.oldPrefix, s.names.newPrefix})},
		diag.Fix{Title: "Apply the hunks to " + new, Edits: s.rewrite(pair{new, new, s.names.oldPrefix, s.names.newPrefix})})
	s.isRename = true
}

func (s *section) warn(at text.Span, message string, fixes ...diag.Fix) {
	s.report(diag.New(diag.GitNames, at, message, fixes...).As(diag.Warning))
}

// agreeTraditional chooses the second name, as git does. If the second name is the first one with a suffix, such as
// `~`, it chooses the first.
func (s *section) agreeTraditional() bool {
	old, new := s.names.old, s.names.new
	if old == new {
		return true
	}
	if strings.HasPrefix(new, old) && path.Dir(new) == path.Dir(old) {
		s.names.new = old
		return true
	}
	if !strings.HasPrefix(old, new) || path.Dir(new) != path.Dir(old) {
		s.warn(s.newName.at, fmt.Sprintf("the names differ; as in git, %s is changed; correct the name that is wrong", new),
			diag.Fix{Title: "Apply the hunks to " + old, Edits: s.rewrite(pair{old, old, s.names.oldPrefix, s.names.newPrefix})},
			diag.Fix{Title: "Apply the hunks to " + new, Edits: s.rewrite(pair{new, new, s.names.oldPrefix, s.names.newPrefix})})
	}
	s.otherName, s.names.old = old, new
	return true
}
