package reply

import (
	"regexp/syntax"
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// An expression matches the words for a verb at the beginning of a text. It is read when it is first needed, because
// most replies need only a few verbs.
//
// Package regexp would try the words for a verb in every language at every word of a reply, which would take most of
// the time for a reply with much prose. Almost no word begins like any of them. An expression therefore first looks up
// the first characters of a text, and then tries only the words that begin with these characters.
type expression struct{ read func() *reader }

// A head is the first three characters of a text. A 0 stands for any character or for the end of the text, and all
// characters after it are 0, too.
type head [3]rune

type reader struct {
	prog *syntax.Prog
	// key: the characters of a head before a 0; value: the instructions that a match may reach after these characters
	after map[head][]uint32
	// pairs has a bit for each pair of ASCII characters with which a match can begin: a quick test, because at most
	// places the text has another pair
	pairs [utf8.RuneSelf][utf8.RuneSelf / 64]uint64
}

// newExpression returns the expression with a pattern in the syntax of package regexp. It panics on its first use if
// the pattern is invalid.
func newExpression(pattern string) expression {
	return expression{sync.OnceValue(func() *reader { return newReader(pattern) })}
}

func newReader(pattern string) *reader {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		panic(err)
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		panic(err)
	}
	e := &reader{prog: prog, after: map[head][]uint32{}}
	e.add(head{}, 0, uint32(prog.Start))
	return e
}

// add adds the heads of the matches that continue at the instruction `pc`. The first n characters of each head are the
// first n of h.
func (e *reader) add(h head, n int, pc uint32) {
	if n == len(h) {
		e.put(h, pc)
		return
	}
	e.each([]uint32{pc}, syntax.EmptyOp(0), func(pc uint32, in *syntax.Inst) {
		runes := runesOf(in)
		if runes == nil {
			e.put(h, pc)
		}
		for _, r := range runes {
			longer := h
			longer[n] = r
			e.add(longer, n+1, in.Out)
		}
	})
}

func (e *reader) put(h head, pc uint32) {
	if slices.Contains(e.after[h], pc) {
		return
	}
	e.after[h] = append(e.after[h], pc)
	from, to := asciiOf(h[0])
	low, high := asciiOf(h[1])
	for a := from; a < to; a++ {
		for b := low; b < high; b++ {
			e.pairs[a][b/64] |= 1 << (b % 64)
		}
	}
}

// asciiOf returns the range of the ASCII characters for which a character of a head stands.
func asciiOf(r rune) (from, to rune) {
	switch {
	case r == 0:
		return 0, utf8.RuneSelf
	case r < utf8.RuneSelf:
		return r, r + 1
	}
	return 0, 0
}

// mostRunes limits the characters of a class that are listed one by one; a larger class counts as any character.
const mostRunes = 32

// runesOf returns the characters that an instruction reads. It returns nil if there are too many, or if the instruction
// reads none.
func runesOf(in *syntax.Inst) (all []rune) {
	if in.Op != syntax.InstRune && in.Op != syntax.InstRune1 {
		return nil
	}
	if len(in.Rune) == 1 {
		all = append(all, in.Rune[0])
		for r := unicode.SimpleFold(in.Rune[0]); syntax.Flags(in.Arg)&syntax.FoldCase != 0 && r != in.Rune[0]; r = unicode.SimpleFold(r) {
			all = append(all, r)
		}
		return all
	}
	for i := 0; i < len(in.Rune); i += 2 {
		for r := in.Rune[i]; r <= in.Rune[i+1]; r++ {
			if all = append(all, r); len(all) > mostRunes || r == 0 {
				return nil
			}
		}
	}
	return all
}

// each calls f with each instruction that reads a character, ends a match, or has a condition other than `true`, and
// that a match can reach from the given ones without reading.
func (e *reader) each(from []uint32, isTrue syntax.EmptyOp, f func(pc uint32, in *syntax.Inst)) {
	var few [16]uint32
	all := append(few[:0], from...)
	add := func(pc uint32) {
		if !slices.Contains(all, pc) {
			all = append(all, pc)
		}
	}
	for i := 0; i < len(all); i++ {
		switch in := &e.prog.Inst[all[i]]; in.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			add(in.Out)
			add(in.Arg)
		case syntax.InstCapture, syntax.InstNop:
			add(in.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(in.Arg)&^isTrue == 0 {
				add(in.Out)
			} else {
				f(all[i], in)
			}
		case syntax.InstFail:
		default:
			f(all[i], in)
		}
	}
}

// at returns the span of the words that begin at offset i of a line: the longest match.
func (e expression) at(line string, i int) (at text.Span, ok bool) {
	end := e.read().longest(line[i:])
	at = text.Span{Start: i, End: i + max(end, 0)}
	return at, end >= 0 && isWhole(line, at)
}

// isIn reports whether the words are in a text, even within other words.
func (e expression) isIn(s string) bool {
	read := e.read()
	for i := range s {
		if read.longest(s[i:]) >= 0 {
			return true
		}
	}
	return false
}

// longest returns the length of the longest match at the beginning of a text. It returns -1 if there is none.
func (e *reader) longest(s string) int {
	if len(s) > 1 && s[0] < utf8.RuneSelf && s[1] < utf8.RuneSelf && e.pairs[s[0]][s[1]/64]&(1<<(s[1]%64)) == 0 {
		return -1
	}
	var h head
	var ends [len(h) + 1]int // the offset behind each character of h
	for i := range h {
		r, size := utf8.DecodeRuneInString(s[ends[i]:])
		if h[i], ends[i+1] = r, ends[i]+size; r == 0 {
			h[i] = utf8.RuneError // 0 stands for any character
		}
	}
	longest := -1
	for n := len(h); n >= 0; n-- {
		begins := h
		clear(begins[n:])
		if after := e.after[begins]; after != nil {
			longest = max(longest, e.goOn(after, s, ends[n]))
		}
	}
	return longest
}

// goOn returns the end of the longest match that continues at one of the instructions `from` and at the offset `at` of
// s, or -1.
func (e *reader) goOn(from []uint32, s string, at int) (end int) {
	end = -1
	var few [2][16]uint32
	before := rune(-1)
	if at > 0 {
		before, _ = utf8.DecodeLastRuneInString(s[:at])
	}
	for i := 0; len(from) > 0; i++ {
		r, size := rune(-1), 0
		if at < len(s) {
			r, size = utf8.DecodeRuneInString(s[at:])
		}
		next := few[i%2][:0]
		e.each(from, syntax.EmptyOpContext(before, r), func(_ uint32, in *syntax.Inst) {
			switch {
			case in.Op == syntax.InstMatch:
				end = at
			case in.Op != syntax.InstEmptyWidth && size > 0 && in.MatchRune(r) && !slices.Contains(next, in.Out):
				next = append(next, in.Out)
			}
		})
		from, before = next, r
		at += size
	}
	return end
}
