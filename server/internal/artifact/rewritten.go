package artifact

import (
	"encoding/base64"
	"html"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Rewritten describes a text in which a program replaced everything of one kind with its own form: links, emoji,
// numbers, marks of a list, or non-ASCII characters.
var Rewritten = Artifact{
	Name:    "lines that a program rewrote",
	Differs: "with the links, characters and numbers of the file",
	Fix:     "Use the links, characters and numbers of the file",
	Restore: func(s string, old []string) (string, bool) {
		all, eol := lines(s)
		gone, come := differing(old, all)
		if len(gone) == 0 || len(come) == 0 {
			return s, false
		}
		has, each := CharactersOf(gone...), text.Each(gone, func(line string) *Characters { return CharactersOf(line) })
		for _, of := range rewritings {
			if has.hasOneOf(of.signs) && len(come) >= of.least && of.restore(all, gone, each, come) {
				return strings.Join(all, eol), true
			}
		}
		return s, false
	},
	Asked: true,
}

type rewriting struct {
	signs string                              // each match of `holes` contains one of these [Characters]
	holes *lazyregexp.Regexp                  // matches each part of an old line that a program may have rewritten
	as    func(was, is string) bool           // reports whether a program would rewrite the text `was` as the text `is`
	least int                                 // the smallest number of lines that must have been rewritten
	all   func(changes []rewrittenPlace) bool // judges all changes together; nil if `as` is enough
}

type rewrittenPlace struct{ was, is string }

var rewritings = []rewriting{
	{"é", beyondASCII, func(was, is string) bool {
		return isMisread(was, is) || isTransliterated(was, is) || norm.NFKC.String(was) == is
	}, fewestLost, nil},
	{"0123456789", lazyregexp.New(`\b[0-9a-f]{40,}\b`), isPrefix, 1, nil},
	{"é", emoji, func(_, is string) bool { return shortcodes.MatchString(is) }, 1, nil},
	{":", lazyregexp.New(`:[a-z0-9_+-]+:`), func(_, is string) bool { return is != "" && emoji.FindString(is) == is }, 1, nil},
	{"/", lazyregexp.New(`\w+://[^\s"'<>()\[\]` + "`" + `]+`), wrapsLink, 1, nil},
	{"%&", lazyregexp.New(`(?:%[0-9A-Fa-f]{2})+|&(?:#\w+|\w+);?`), isDecoded, 1, nil},
	{".", lazyregexp.New(`\d+\.\d+`), isRounded, fewestLost, nil},
	{"0123456789", lazyregexp.New(`\d{9,}`), isExponent, 1, nil},
	{"-/", lazyregexp.New(`\b\d{1,2}[-/]\d{1,2}\b`), func(_, is string) bool { return dayAndMonth.MatchString(is) }, 1, nil},
	{"0123456789", lazyregexp.New(`\d+`), func(_, is string) bool { return isDigits(is) }, 3, countsUp},
	{".", lazyregexp.New(`^\.`), func(_, is string) bool { return is == ".." }, fewestLost, nil},
	{"*+-", lazyregexp.New(`^\s*[*+-][ \t]+`), func(_, is string) bool { return bullet.MatchString(is) }, fewestLost, nil},
	{"[", task, func(_, is string) bool { return box.MatchString(is) }, fewestLost, nil},
	{"é", box, func(_, is string) bool { return task.FindString(is) == is }, fewestLost, nil},
	{"{", lazyregexp.New(`\{\{[^{}]*\}\}`), func(_, is string) bool { return !strings.Contains(is, "{{") }, 3, nil},
	{"%", lazyregexp.New(`<%[^%]*%>|\{%[^%]*%\}`), func(_, is string) bool { return !strings.Contains(is, "%") }, 3, nil},
}

var (
	emoji      = lazyregexp.New(`[\p{So}\p{Sk}\x{200d}\x{fe0f}]+`)
	shortcodes = lazyregexp.New(`^(?:\s*:[a-z0-9_+-]+:)+$`)
	// dayAndMonth matches the date that a spreadsheet reads in a text such as `1-2`.
	dayAndMonth = lazyregexp.New(`^(?:\d{1,2}(?:\. ?|[- ])\pL{3}\.?|\pL{3}[- ]\d{1,2})$`)
	// task and box match the beginning of an item of a list that a person can tick, in Markdown and as a sign.
	task   = lazyregexp.New(`^\s*[*+-][ \t]+\[[ xX]\][ \t]+`)
	box    = lazyregexp.New(`^\s*[☐☑☒⬜✅✔✓][ \t]+`)
	bullet = lazyregexp.New(`^\s*[•◦▪●○·‣–—][ \t]+$`)
)

// differing returns the old lines that are not among the new lines, and the indexes of the new lines that are not among
// the old lines. It returns nothing if there are too many lines to compare.
func differing(old, all []string) (gone []string, come []int) {
	if len(all) > mostCompared || len(old) > 10*mostCompared {
		return nil, nil
	}
	is, was := make(map[string]bool, len(all)), make(map[string]bool, len(old))
	for _, line := range all {
		is[line] = true
	}
	for _, line := range old {
		if was[line] = true; !is[line] {
			gone = append(gone, line)
		}
	}
	for i, line := range all {
		if !was[line] && !text.IsBlank(line) {
			come = append(come, i)
		}
	}
	return gone, come
}

// restore replaces each new line with an old line, if the new line is a rewritten form of only that old line. If the
// evidence is too weak, it changes nothing and returns false. `has[i]` holds the characters of `gone[i]`.
func (r rewriting) restore(all, gone []string, has []*Characters, come []int) bool {
	var candidates []holed
	for i, line := range gone {
		if h := (holed{line: line}); has[i].hasOneOf(r.signs) && h.cut(r.holes) {
			candidates = append(candidates, h)
		}
	}
	var places []rewrittenPlace
	var found []int
	var originals []string
	for _, i := range come {
		original, matches := "", 0
		var changes []rewrittenPlace
		for _, c := range candidates {
			if fills, ok := fillsOf(c.parts, all[i]); ok {
				if now := r.changes(c.holes, fills); now != nil {
					original, changes = c.line, now
					matches++
				}
			}
		}
		if matches == 1 {
			found, originals, places = append(found, i), append(originals, original), append(places, changes...)
		}
	}
	if len(originals) < r.least || r.all != nil && !r.all(places) {
		return false
	}
	for k, i := range found {
		all[i] = originals[k]
	}
	return true
}

// A holed is an old line, cut into the texts that a program may have rewritten (holes) and the parts between them.
type holed struct {
	line         string
	parts, holes []string
}

func (h *holed) cut(by *lazyregexp.Regexp) bool {
	places, end := by.FindAllStringIndex(h.line, -1), 0
	if places == nil {
		return false
	}
	for _, at := range places {
		h.parts, h.holes, end = append(h.parts, h.line[end:at[0]]), append(h.holes, h.line[at[0]:at[1]]), at[1]
	}
	h.parts = append(h.parts, h.line[end:])
	return true
}

// changes returns the rewritten holes. If the rewriting does not explain all of them, it returns nil.
func (r rewriting) changes(holes, fills []string) (out []rewrittenPlace) {
	for i, was := range holes {
		switch is := fills[i]; {
		case was == is:
		case !r.as(was, is):
			return nil
		default:
			out = append(out, rewrittenPlace{was, is})
		}
	}
	return out
}

// fillsOf returns the texts in a new line between the parts of an old line. The new line must have all parts in order,
// and the parts must have enough text.
func fillsOf(parts []string, line string) (fills []string, ok bool) {
	rest, ok := strings.CutPrefix(line, parts[0])
	last := parts[len(parts)-1]
	if !ok || !strings.HasSuffix(rest, last) || nonBlanks(strings.Join(parts, "")) < fewestLeft {
		return nil, false
	}
	rest = rest[:len(rest)-len(last)]
	for _, part := range parts[1 : len(parts)-1] {
		fill, after, ok := strings.Cut(rest, part)
		if !ok {
			return nil, false
		}
		fills, rest = append(fills, fill), after
	}
	return append(fills, rest), true
}

// isDecoded reports whether an escape became the character that it stands for. A page shows a character even for a name
// without a semicolon, such as `&lang` in an address.
func isDecoded(was, is string) bool {
	decoded, err := url.PathUnescape(was)
	return err == nil && decoded == is || strings.HasPrefix(was, "&") && html.UnescapeString(strings.TrimSuffix(was, ";")+";") == is
}

// isPrefix reports whether a hash became its first digits, with which a page shows it.
func isPrefix(was, is string) bool { return len(is) >= 7 && strings.HasPrefix(was, is) }

// isTransliterated reports whether non-ASCII Latin letters became one or two letters each, as `ü` becomes `ue`.
func isTransliterated(was, is string) bool {
	latin := !strings.ContainsFunc(was, func(r rune) bool { return !unicode.Is(unicode.Latin, r) })
	return latin && text.IsASCII(is) && isLetters(is) && len(is) <= 2*len([]rune(was))
}

// wrapsLink reports whether the new link is a redirect to the old link, or the old link with a parameter such as
// `utm_source`.
func wrapsLink(was, is string) bool {
	if rest, ok := strings.CutPrefix(is, was); ok {
		return strings.HasPrefix(rest, "?utm_") || strings.HasPrefix(rest, "&utm_")
	}
	if siteOf(is) != siteOf(was) {
		was, _, _ = strings.Cut(was, "?") // a gateway may drop the query
	}
	_, address, _ := strings.Cut(was, "://")
	if code := strings.TrimRight(base64.StdEncoding.EncodeToString([]byte(was)), "="); strings.Contains(is, code[:len(code)-1]) {
		return true
	}
	// Also try the text with `-` and `_` turned into `%` and `/`, because a gateway may have replaced these.
	for _, now := range []string{is, strings.NewReplacer("-", "%", "_", "/").Replace(is)} {
		for range 2 {
			if strings.Contains(now, address) && !strings.HasSuffix(now, "://"+address) {
				return true
			}
			decoded, err := url.QueryUnescape(now)
			if err != nil || decoded == now {
				break
			}
			if now = decoded; strings.Contains(now, was) {
				return true
			}
		}
	}
	return false
}

func siteOf(link string) string {
	_, address, _ := strings.Cut(link, "://")
	site, _, _ := strings.Cut(address, "/")
	return site
}

// isRounded reports whether a number is a rounded form of the old number, with at least two decimals fewer.
func isRounded(was, is string) bool {
	_, had, _ := strings.Cut(was, ".")
	whole, has, _ := strings.Cut(is, ".")
	a, _ := strconv.ParseFloat(was, 64)
	b, err := strconv.ParseFloat(is, 64)
	return err == nil && isDigits(whole) && len(had) >= len(has)+2 && math.Abs(a-b) < math.Pow10(-len(has))
}

// isExponent reports whether a number is the form with an exponent that a spreadsheet shows for a long number.
func isExponent(was, is string) bool {
	a, _ := strconv.ParseFloat(was, 64)
	b, err := strconv.ParseFloat(strings.Replace(is, ",", ".", 1), 64)
	return err == nil && strings.ContainsAny(is, "eE") && math.Abs(a-b) < a/1000
}

// countsUp reports whether the new numbers count up from 0 or 1, and the old numbers do not count up.
func countsUp(changes []rewrittenPlace) bool {
	follow := func(number func(rewrittenPlace) string) bool {
		first, _ := strconv.Atoi(number(changes[0]))
		return !slices.ContainsFunc(changes, func(c rewrittenPlace) bool {
			n, err := strconv.Atoi(number(c))
			first++
			return err != nil || n != first-1
		})
	}
	return (changes[0].is == "0" || changes[0].is == "1") &&
		follow(func(c rewrittenPlace) string { return c.is }) &&
		!follow(func(c rewrittenPlace) string { return c.was })
}

// fewestLeft is the smallest number of characters by which a part of a line can be recognized.
const fewestLeft = 6
