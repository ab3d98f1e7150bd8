package findreplace

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A maker writes realistic programs. They have few names and repeated idioms, so that many places
// look similar.
type maker struct {
	*rand.Rand
	step   string // one level of the indentation
	braces bool
	lines  []string
}

var (
	verbs = []string{"load", "save", "parse", "render", "update", "fetch", "check", "build"}
	nouns = []string{"user", "order", "cart", "item", "config", "session", "invoice", "report", "price"}
)

func (m *maker) pick(from []string) string { return from[m.IntN(len(from))] }

func (m *maker) name() string { return m.pick(verbs) + "_" + m.pick(nouns) }

// program writes about n lines.
func program(r *rand.Rand, n int) *maker {
	m := &maker{Rand: r, step: []string{"    ", "  ", "\t"}[r.IntN(3)], braces: r.IntN(2) == 0}
	for len(m.lines) < n {
		if m.IntN(3) == 0 {
			m.class()
		} else {
			m.function(0)
		}
		m.lines = append(m.lines, "")
	}
	return m
}

func (m *maker) put(depth int, line string) {
	m.lines = append(m.lines, strings.Repeat(m.step, depth)+line)
}

// open writes the first line of a block, then the body, then the end of the block.
func (m *maker) open(depth int, head string, body func()) {
	if m.braces {
		m.put(depth, head+" {")
	} else {
		m.put(depth, head+":")
	}
	body()
	if m.braces {
		m.put(depth, "}")
	}
}

func (m *maker) class() {
	m.open(0, "class "+m.pick(nouns)+fmt.Sprint(m.IntN(50)), func() {
		for range 1 + m.IntN(3) {
			m.function(1)
			if m.IntN(2) == 0 {
				m.lines = append(m.lines, "")
			}
		}
	})
}

func (m *maker) function(depth int) {
	m.open(depth, fmt.Sprintf("def %s(%s, %s)", m.name(), m.pick(nouns), m.pick(nouns)), func() {
		m.body(depth+1, 2+m.IntN(5))
		m.put(depth+1, "return "+m.pick(nouns))
	})
}

func (m *maker) body(depth, n int) {
	for range n {
		switch k := m.IntN(10); {
		case k < 4:
			m.put(depth, m.statement())
		case k < 6 && depth < 5:
			m.open(depth, fmt.Sprintf("if %s.is_%s(%d)", m.pick(nouns), m.pick(nouns), m.IntN(9)), func() { m.body(depth+1, 1+m.IntN(2)) })
		case k < 8 && depth < 5:
			m.open(depth, fmt.Sprintf("for %s in %s", m.pick(nouns), m.pick(nouns)), func() { m.body(depth+1, 1+m.IntN(3)) })
		case k == 8:
			m.put(depth, fmt.Sprintf("// \"%s\" of <%s> - it's %s & more", m.pick(nouns), m.pick(nouns), m.pick(verbs)))
		default:
			m.put(depth, fmt.Sprintf(`log.info("%s %%s\n", %s.%s)`, m.pick(verbs), m.pick(nouns), m.pick(nouns)))
		}
	}
}

func (m *maker) statement() string {
	return fmt.Sprintf("%s = %s(%s.%s, %d)", m.pick(nouns), m.name(), m.pick(nouns), m.pick(nouns), m.IntN(30))
}

// change makes an edit that a person might want: a word, one line more or less, a block
// around the lines, or all of them rewritten.
func (m *maker) change(lines []string) []string {
	out := append([]string(nil), lines...)
	at := m.IntN(len(out))
	for out[at] == "" {
		at = m.IntN(len(out))
	}
	indentation := out[at][:len(out[at])-len(strings.TrimLeft(out[at], " \t"))]
	switch m.IntN(6) {
	case 0:
		out[at] = strings.Replace(out[at], m.pick(nouns), m.pick(nouns), 1)
		out[at] = strings.TrimRight(out[at], " ") + " // changed"
	case 1:
		out = append(out[:at:at], append([]string{indentation + m.statement()}, out[at:]...)...)
	case 2:
		out = append(out[:at+1:at+1], append([]string{indentation + m.statement(), indentation + "if " + m.pick(nouns) + ":", indentation + m.step + m.statement()}, out[at+1:]...)...)
	case 3:
		if len(out) > 1 {
			out = append(out[:at:at], out[at+1:]...)
		} else {
			out[0] = indentation + m.statement()
		}
	case 4:
		first := out[0][:len(out[0])-len(strings.TrimLeft(out[0], " \t"))]
		for i := range out {
			if out[i] != "" {
				out[i] = m.step + out[i]
			}
		}
		out = append([]string{first + "if " + m.pick(nouns) + ".ready:"}, out...)
	default:
		first := out[0][:len(out[0])-len(strings.TrimLeft(out[0], " \t"))]
		out = nil
		for range 1 + m.IntN(4) {
			out = append(out, first+m.statement())
		}
	}
	return out
}
