package jsonshape_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
)

// A token is a piece of JSON. A token for a string also holds the string's value.
type token struct {
	kind  byte // one of { } [ ] , : or 's' for a string, 'n' for a name, ' ' for white space, 'x' for anything else
	text  string
	value string // value of a string
	owner string // for a string, the name of the member whose value it is
}

type broken struct {
	kinds   []string
	src     string
	meaning meaning
}

// breakBlock makes a random block and breaks it in one or more ways.
func breakBlock(r *rand.Rand) broken {
	m := drawMeaning(r)
	tokens := write(r, m)
	original := join(tokens)
	m.normal()
	b := broken{meaning: m}
	ways := 1
	if r.IntN(5) < 2 {
		ways = 2 + r.IntN(3)
	}
	for range 20 {
		if len(b.kinds) == ways {
			break
		}
		w := breaks[r.IntN(len(breaks))]
		if ways > 1 && slices.Contains(alone, w.name) {
			continue
		}
		next := w.apply(r, slices.Clone(tokens))
		if len(next) == 0 || silent(next) || (len(b.kinds) == 0 && join(next) == original) {
			continue
		}
		tokens = next
		b.kinds = append(b.kinds, w.name)
	}
	b.src = join(tokens)
	if json.Valid([]byte(b.src)) && ways == 1 && breaksSilently(b) {
		return broken{}
	}
	if r.IntN(6) == 0 {
		b.src = strings.ReplaceAll(strings.ReplaceAll(b.src, "\r\n", "\n"), "\n", "\r\n")
	}
	return b
}

// silent reports whether breaking the strings was undetectable, because the JSON is still valid
// but has other content. For example, a string in a list may have become several.
func silent(tokens []token) bool {
	return slices.ContainsFunc(tokens, func(t token) bool {
		var list []string
		if t.kind != 's' || json.Unmarshal([]byte("["+t.text+"]"), &list) != nil {
			return false
		}
		inList := t.owner == "newLines" || t.owner == "expectedOriginalLines"
		return len(list) == 1 && list[0] != t.value || len(list) > 1 && inList
	})
}

// breaksSilently reports whether a block that is valid JSON has other content since it was broken.
func breaksSilently(b broken) bool {
	var m meaning
	if json.Unmarshal([]byte(b.src), &m) != nil {
		return true
	}
	m.normal()
	return !reflect.DeepEqual(m, b.meaning)
}

func join(tokens []token) string {
	var b strings.Builder
	for _, t := range tokens {
		b.WriteString(t.text)
	}
	return b.String()
}

// A way is a way to break a block. apply returns nil if it cannot break the block.
type way struct {
	name  string
	apply func(r *rand.Rand, tokens []token) []token
}

// alone has the kinds of damage that may be undetectable, because the result is valid JSON with different content.
// The block then counts as intact, and gets no other damage.
var alone = []string{"cut off", "cut off behind a token", "a piece is missing", "a byte is missing", "foreign blanks everywhere", "escaped once more"}

var breaks = []way{
	{"raw newlines", eachString(func(r *rand.Rand, t token) string { return strings.ReplaceAll(protect(t.text), `\n`, "\n") })},
	{"some raw newlines", eachString(func(r *rand.Rand, t token) string { return strings.Replace(protect(t.text), `\n`, "\n", 1+r.IntN(3)) })},
	{"raw newlines, carelessly", eachString(func(r *rand.Rand, t token) string { return strings.ReplaceAll(t.text, `\n`, "\n") })},
	{"raw newlines and tabs", eachString(func(r *rand.Rand, t token) string {
		return strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(protect(t.text))
	})},
	{"raw newlines and quotes", eachString(func(r *rand.Rand, t token) string {
		return quoted(strings.NewReplacer(`\n`, "\n", `\"`, `"`).Replace(protect(inner(t.text))))
	})},
	{"raw tabs and quotes", eachString(func(r *rand.Rand, t token) string {
		return quoted(strings.NewReplacer(`\t`, "\t", `\"`, `"`).Replace(protect(inner(t.text))))
	})},
	{"raw newlines and invalid escapes", eachString(func(r *rand.Rand, t token) string {
		return strings.ReplaceAll(protect(underEscape(t.text, -1, false)), `\n`, "\n")
	})},
	{"raw tabs", eachString(func(r *rand.Rand, t token) string { return strings.ReplaceAll(protect(t.text), `\t`, "\t") })},
	{"raw control characters", eachString(func(r *rand.Rand, t token) string {
		return strings.NewReplacer(`\b`, "\b", `\f`, "\f", `\u001b`, "\x1b").Replace(protect(t.text))
	})},
	{"pasted as it is", eachString(func(r *rand.Rand, t token) string { return `"` + t.value + `"` })},
	{"only quotes escaped", eachString(func(r *rand.Rand, t token) string { return `"` + strings.ReplaceAll(t.value, `"`, `\"`) + `"` })},
	{"only quotes escaped, all", allStrings(func(r *rand.Rand, t token) string { return `"` + strings.ReplaceAll(t.value, `"`, `\"`) + `"` })},
	{"only quotes, newlines escaped", eachString(func(r *rand.Rand, t token) string {
		return `"` + strings.NewReplacer(`"`, `\"`, "\n", `\n`).Replace(t.value) + `"`
	})},
	{"only newlines escaped", eachString(func(r *rand.Rand, t token) string { return `"` + strings.ReplaceAll(t.value, "\n", `\n`) + `"` })},
	{"unescaped quotes", eachString(func(r *rand.Rand, t token) string {
		return quoted(strings.ReplaceAll(protect(inner(t.text)), `\"`, `"`))
	})},
	{"unescaped quotes, all", allStrings(func(r *rand.Rand, t token) string {
		return quoted(strings.ReplaceAll(protect(inner(t.text)), `\"`, `"`))
	})},
	{"one unescaped quote", eachString(func(r *rand.Rand, t token) string {
		return quoted(strings.Replace(protect(inner(t.text)), `\"`, `"`, 1))
	})},
	{"a pair of unescaped quotes", eachString(func(r *rand.Rand, t token) string {
		return quoted(strings.Replace(protect(inner(t.text)), `\"`, `"`, 2))
	})},
	{"invalid escapes", eachString(func(r *rand.Rand, t token) string { return underEscape(t.text, -1, false) })},
	{"one invalid escape", eachString(func(r *rand.Rand, t token) string { return underEscape(t.text, 1, false) })},
	{"backslashes not escaped", eachString(func(r *rand.Rand, t token) string { return underEscape(t.text, -1, true) })},
	{"backslashes not escaped, all", allStrings(func(r *rand.Rand, t token) string { return underEscape(t.text, -1, true) })},
	{"escaped too much", eachString(func(r *rand.Rand, t token) string {
		c := pick(r, "'", "$", "_", "`", ".", "(", "-")
		return strings.ReplaceAll(t.text, c, `\`+c)
	})},
	{"trailing comma", at("}]", func(r *rand.Rand, t token) []token { return []token{{kind: ',', text: ","}, t} })},
	{"doubled comma", at(",", func(r *rand.Rand, t token) []token { return []token{t, t} })},
	{"missing comma", at(",", func(r *rand.Rand, t token) []token { return nil })},
	{"missing colon", at(":", func(r *rand.Rand, t token) []token { return nil })},
	{"equals for a colon", at(":", func(r *rand.Rand, t token) []token { return []token{{kind: 'x', text: pick(r, signs...)}} })},
	{"equals for colons", func(r *rand.Rand, tokens []token) []token {
		sign := pick(r, signs...)
		for i, t := range tokens {
			if t.kind == ':' {
				tokens[i] = token{kind: 'x', text: sign}
			}
		}
		return tokens
	}},
	{"missing bracket", at("{}[]", func(r *rand.Rand, t token) []token { return nil })},
	{"wrong bracket", at("}]", func(r *rand.Rand, t token) []token { return []token{{kind: 'x', text: pick(r, "}", "]", "]}", "}}")}} })},
	{"comment", at(" ,{[", func(r *rand.Rand, t token) []token { return []token{t, {kind: 'x', text: pick(r, comments...)}} })},
	{"comments", func(r *rand.Rand, tokens []token) []token {
		var out []token
		for _, t := range tokens {
			if out = append(out, t); t.kind == ',' || t.kind == '{' {
				out = append(out, token{kind: 'x', text: pick(r, comments...)})
			}
		}
		return out
	}},
	{"single quotes", everyString(func(r *rand.Rand, t token) string { return "'" + strings.ReplaceAll(inner(t.text), "'", `\'`) + "'" })},
	{"single quotes, Python", everyString(func(r *rand.Rand, t token) string {
		return "'" + strings.ReplaceAll(strings.ReplaceAll(protect(inner(t.text)), `\"`, `"`), "'", `\'`) + "'"
	})},
	{"single quotes, carelessly", everyString(func(r *rand.Rand, t token) string { return "'" + inner(t.text) + "'" })},
	{"triple quotes, pasted", eachString(func(r *rand.Rand, t token) string { return tripled(r, t.value) })},
	{"triple quotes, all pasted", allStrings(func(r *rand.Rand, t token) string { return tripled(r, t.value) })},
	{"triple quotes, escaped", eachString(func(r *rand.Rand, t token) string { return tripled(r, inner(t.text)) })},
	{"triple quotes, newlines not escaped", eachString(func(r *rand.Rand, t token) string {
		return tripled(r, strings.ReplaceAll(protect(inner(t.text)), `\n`, "\n"))
	})},
	{"triple quotes, backslashes escaped", eachString(func(r *rand.Rand, t token) string {
		return tripled(r, strings.ReplaceAll(t.value, `\`, `\\`))
	})},
	{"triple quotes behind a line break", eachString(func(r *rand.Rand, t token) string { return tripled(r, "\n"+t.value) })},
	{"triple quotes, indented", eachString(func(r *rand.Rand, t token) string {
		return tripled(r, "\n"+indent("    ", t.value, "\n")+"    ")
	})},
	{"triple quotes, closed by one", eachString(func(r *rand.Rand, t token) string { return strings.TrimSuffix(tripled(r, t.value), `""`) })},
	{"triple quotes, opened by one", eachString(func(r *rand.Rand, t token) string { return strings.TrimPrefix(tripled(r, t.value), `""`) })},
	{"one string in other quotes", eachString(func(r *rand.Rand, t token) string {
		q := pick(r, "''", "``", "“”", "‘’", "„“", "””", "«»")
		_, size := first(q)
		return q[:size] + inner(t.text) + q[size:]
	})},
	{"backticks, pasted", eachString(func(r *rand.Rand, t token) string { return "`" + t.value + "`" })},
	{"typographic quotes", everyString(func(r *rand.Rand, t token) string { return "“" + inner(t.text) + "”" })},
	{"typographic quotes everywhere", everyString(func(r *rand.Rand, t token) string {
		return "“" + strings.NewReplacer(`\"`, `\”`, "'", "’", "...", "…").Replace(inner(t.text)) + "”"
	})},
	{"typographic quotes in one string", eachString(func(r *rand.Rand, t token) string {
		return "“" + strings.NewReplacer(`\"`, "”", "'", "’").Replace(inner(t.text)) + "”"
	})},
	{"missing quote", at("s", func(r *rand.Rand, t token) []token {
		return []token{{kind: 'x', text: pick(r, strings.TrimPrefix(t.text, `"`), strings.TrimSuffix(t.text, `"`))}}
	})},
	{"unquoted names", func(r *rand.Rand, tokens []token) []token {
		some := r.IntN(2) == 0
		for i, t := range tokens {
			if t.kind == 'n' && (!some || r.IntN(4) == 0) {
				tokens[i].text = strings.Trim(t.text, `"`)
			}
		}
		return tokens
	}},
	{"brackets missing at the end", func(r *rand.Rand, tokens []token) []token {
		for range 1 + r.IntN(3) {
			i := lastBracket(tokens)
			if i < 0 {
				return nil
			}
			tokens = tokens[:i]
		}
		return tokens
	}},
	{"last bracket missing", func(r *rand.Rand, tokens []token) []token {
		if i := lastBracket(tokens); i >= 0 {
			return tokens[:i]
		}
		return nil
	}},
	{"cut off", func(r *rand.Rand, tokens []token) []token {
		s := join(tokens)
		return []token{{kind: 'x', text: s[:r.IntN(len(s))]}}
	}},
	{"cut off behind a token", func(r *rand.Rand, tokens []token) []token { return tokens[:r.IntN(len(tokens))] }},
	{"a piece is missing", func(r *rand.Rand, tokens []token) []token {
		i := r.IntN(len(tokens))
		return slices.Delete(tokens, i, min(len(tokens), i+1+r.IntN(3)))
	}},
	{"a byte is missing", func(r *rand.Rand, tokens []token) []token {
		i := r.IntN(len(tokens))
		if t := tokens[i].text; t != "" {
			n := r.IntN(len(t))
			if tokens[i].kind == 's' {
				n = pick(r, 0, len(t)-1)
			}
			tokens[i].text = t[:n] + t[n+1:]
		}
		return tokens
	}},
	{"words of other languages", at("}", func(r *rand.Rand, t token) []token {
		return []token{{kind: 'x', text: pick(r, `, "comment": None`, `, "executable": True`, `, "strict": False`, `, "note": undefined`, `, "size": NaN`, `, "mode": nil`)}, t}
	})},
	{"text before", func(r *rand.Rand, tokens []token) []token {
		return append([]token{{kind: 'x', text: pick(r, prose...)}}, tokens...)
	}},
	{"text after", func(r *rand.Rand, tokens []token) []token {
		return append(tokens, token{kind: 'x', text: pick(r, prose...)})
	}},
	{"second object", func(r *rand.Rand, tokens []token) []token {
		return append(tokens, token{kind: 'x', text: "\n{\"root\": \".\"}"})
	}},
	{"surplus brackets", func(r *rand.Rand, tokens []token) []token {
		return append(tokens, token{kind: 'x', text: pick(r, "}", "]}", "\n]", "\n}\n}")})
	}},
	{"no object around the list", func(r *rand.Rand, tokens []token) []token {
		start := slices.IndexFunc(tokens, func(t token) bool { return t.kind == '[' })
		end := lastIndex(tokens, "]")
		if start < 0 || end < 0 || lastIndex(tokens, "x") >= 0 || lastBracket(tokens) < end || strings.Contains(join(tokens[:start]), "./src") || strings.Contains(join(tokens[end:]), "./src") {
			return nil
		}
		return tokens[start : end+1]
	}},
	{"same member twice", func(r *rand.Rand, tokens []token) []token {
		i := r.IntN(len(tokens))
		if tokens[i].kind != 'n' || i+3 >= len(tokens) || tokens[i+3].kind != 's' {
			return nil
		}
		again := slices.Clone(tokens[i : i+4])
		return slices.Insert(tokens, i, append(again, token{kind: ',', text: ","})...)
	}},
	{"foreign blanks", func(r *rand.Rand, tokens []token) []token {
		for i, t := range tokens {
			if t.kind == ' ' {
				tokens[i].text = strings.ReplaceAll(t.text, " ", "\u00a0")
			}
		}
		return tokens
	}},
	{"foreign blanks everywhere", func(r *rand.Rand, tokens []token) []token {
		return []token{{kind: 'x', text: strings.ReplaceAll(join(tokens), "  ", "\u00a0 ")}}
	}},
	{"escaped once more", func(r *rand.Rand, tokens []token) []token {
		return []token{{kind: 'x', text: strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(join(tokens))}}
	}},
	{"two kinds of line ending", eachString(func(r *rand.Rand, t token) string { return strings.ReplaceAll(protect(t.text), `\n`, "\r\n") })},
}

var signs = []string{"=", " =", "=>", " => ", " ->", ":=", "::", "=="}

var comments = []string{"// the next one\n", "/* a note */", "# a note\n", "// it's \"here\"\n", "// ... rest unchanged\n", "/* \"operation\": \"delete\", */", "// x", "/*", "//\n"}

var prose = []string{"Here is the bundle:\n", "\nThat is all.", "\nLet me know if you want {more}.", "json\n", "\nNote: the rest follows.", "// bundle\n", "\n}", "const x = ", ";", "\n```"}

// eachString breaks one string. allStrings breaks every string if that can be detected.
// everyString does the same for names, too.
func eachString(f func(*rand.Rand, token) string) func(*rand.Rand, []token) []token {
	return func(r *rand.Rand, tokens []token) []token {
		for range 8 {
			i := r.IntN(len(tokens))
			if tokens[i].kind != 's' || !whole(tokens[i]) {
				continue
			}
			if s := f(r, tokens[i]); s != tokens[i].text && !losesEnding(tokens[i], s) && !looksTripled(tokens[i], s) {
				tokens[i].text = unprotect(s)
				return tokens
			}
		}
		return nil
	}
}

func allStrings(f func(*rand.Rand, token) string) func(*rand.Rand, []token) []token {
	return func(r *rand.Rand, tokens []token) []token {
		for i, t := range tokens {
			if s := f(r, t); t.kind == 's' && whole(t) && !losesEnding(t, s) && !looksTripled(t, s) {
				tokens[i].text = unprotect(s)
			}
		}
		return tokens
	}
}

func everyString(f func(*rand.Rand, token) string) func(*rand.Rand, []token) []token {
	return func(r *rand.Rand, tokens []token) []token {
		some := r.IntN(3) == 0
		for i, t := range tokens {
			if (t.kind == 's' || t.kind == 'n') && whole(t) && (!some || r.IntN(3) == 0) {
				tokens[i].text = unprotect(f(r, t))
			}
		}
		return tokens
	}
}

// tripled returns a text between Python's quotes.
func tripled(r *rand.Rand, s string) string {
	q := pick(r, `"""`, `"""`, "'''")
	return q + s + q
}

// looksTripled reports whether a text begins or ends with two quotes and, once broken, has three
// at each end, so that it looks exactly like a text in Python's quotes.
func looksTripled(t token, s string) bool {
	own := strings.HasPrefix(t.value, `""`) || strings.HasSuffix(t.value, `""`)
	return own && strings.HasPrefix(s, `"""`) && strings.HasSuffix(s, `"""`)
}

// losesEnding reports whether breaking pasted a CRLF, which looks like a line ending of the block
// itself.
func losesEnding(t token, s string) bool {
	return strings.Contains(t.value, "\r") && strings.Contains(s, "\r")
}

// at replaces one token of the given kinds.
func at(kinds string, f func(*rand.Rand, token) []token) func(*rand.Rand, []token) []token {
	return func(r *rand.Rand, tokens []token) []token {
		var places []int
		for i, t := range tokens {
			if strings.IndexByte(kinds, t.kind) >= 0 && (t.kind != 's' || whole(t)) {
				places = append(places, i)
			}
		}
		if len(places) == 0 {
			return nil
		}
		i := places[r.IntN(len(places))]
		return slices.Replace(tokens, i, i+1, f(r, tokens[i])...)
	}
}

func lastIndex(tokens []token, kinds string) int {
	for i := len(tokens) - 1; i >= 0; i-- {
		if strings.IndexByte(kinds, tokens[i].kind) >= 0 {
			return i
		}
	}
	return -1
}

// lastBracket returns the closing bracket at the end of the block. It returns -1 if anything but
// white space follows the last bracket.
func lastBracket(tokens []token) int {
	i := lastIndex(tokens, "{}[],:snx")
	if i >= 0 && (tokens[i].kind == '}' || tokens[i].kind == ']') {
		return i
	}
	return -1
}

// protect hides doubled backslashes, so that only escapes are replaced.
func protect(s string) string   { return strings.ReplaceAll(s, `\\`, "\x00") }
func unprotect(s string) string { return strings.ReplaceAll(s, "\x00", `\\`) }

func inner(s string) string {
	if len(s) < 2 {
		return s
	}
	return s[1 : len(s)-1]
}

// whole reports whether a string has not been broken yet. If it were broken twice, the second
// break could hide the first.
func whole(t token) bool {
	var s string
	return json.Unmarshal([]byte(t.text), &s) == nil
}

func quoted(s string) string { return `"` + s + `"` }

func first(s string) (rune, int) {
	for i, c := range s {
		if i > 0 {
			return c, i
		}
	}
	return 0, len(s)
}

// underEscape replaces two backslashes with one, at most n times. Unless valid is true, it
// does so only if the result is not an escape.
func underEscape(s string, n int, valid bool) string {
	var b strings.Builder
	seen := false
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+2 >= len(s) {
			b.WriteByte(s[i])
			continue
		}
		invalid := s[i+1] == '\\' && strings.IndexByte(`"\/bfnrtu`, s[i+2]) < 0
		if s[i+1] == '\\' && n != 0 && (invalid || valid && s[i+2] != '\\' && s[i+2] != '"') {
			b.WriteByte('\\')
			seen = seen || invalid
			n--
		} else {
			b.WriteString(s[i : i+2])
		}
		i++
	}
	if !seen {
		return s
	}
	return b.String()
}
