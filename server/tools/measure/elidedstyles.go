package main

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// wordings lists lines with which models leave out other lines. Lines with a * are comments.
var wordings = strings.Split(strings.TrimSpace(`
*... existing code ...
*... rest of the code ...
*... rest of the file remains unchanged ...
*...
*…
...
*existing code
*rest of the code unchanged
*... (unchanged)
*(rest of the implementation stays the same)
*... other methods ...
*... bestehender Code ...
*... restlicher Code bleibt unverändert ...
*... código existente ...
*resto del código sin cambios
*... le reste du code est inchangé ...
*... 其余代码保持不变 ...
*... 既存のコード ...
*... 기존 코드 ...
*... остальной код без изменений ...
*[... existing code ...]
*... imports and setup as before ...
`), "\n")

// styles lists the styles of docs/matching.md.
var styles = []style{
	{"a1: one line around each change", func(_ *rand.Rand, f editedFile) string { return f.text(f.around(1, 1), f.existing) }},
	{"a2: two lines around each change", func(_ *rand.Rand, f editedFile) string { return f.text(f.around(2, 2), f.existing) }},
	{"a3: three lines around each change", func(_ *rand.Rand, f editedFile) string { return f.text(f.around(3, 3), f.existing) }},
	{"a4: two lines, or more until one of them occurs only once", func(_ *rand.Rand, f editedFile) string { return f.text(f.aroundUnique(), f.existing) }},
	{"b: the functions that change", func(_ *rand.Rand, f editedFile) string { return f.text(f.enclosing(8), f.existing) }},
	{"c: other words", otherWords},
	{"d: lines inside the functions that change", func(_ *rand.Rand, f editedFile) string { return f.text(f.inside(), f.existing) }},
	{"e0: the functions that change, without elisions", func(_ *rand.Rand, f editedFile) string { return f.alone(f.enclosing(1 << 30)) }},
	{"e1: three lines around each change, without elisions", func(_ *rand.Rand, f editedFile) string { return f.alone(f.around(3, 3)) }},
	{"f: the lines that are left out are to be removed", byOmission},
	{"g: the lines around a change occur twice", twice},
	{"h: an elision is forgotten", forgotten},
	{"i: without the common indentation", dedented},
	{"j: the file has a line that looks like an elision", ownElision},
	{"k: new lines beside an elision", besideElision},
}

// aroundUnique returns a stretch for each change, with two lines above and below the change. If
// none of the lines on one side occurs only once in the file, it takes more lines on that side.
func (f editedFile) aroundUnique() []stretch {
	const most = 12
	count := map[string]int{}
	for _, line := range f.before {
		count[line]++
	}
	repeats := func(lines []string) bool {
		return !slices.ContainsFunc(lines, func(line string) bool { return strings.TrimSpace(line) != "" && count[line] == 1 })
	}
	var out []stretch
	for _, h := range f.hunks {
		s := stretch{f.step(h.from, -2), f.step(h.to, 2)}
		for n := 3; n < most && repeats(f.before[s.from:h.from]); n++ {
			s.from = f.step(h.from, -n)
		}
		for n := 3; n < most && repeats(f.before[h.to:s.to]); n++ {
			s.to = f.step(h.to, n)
		}
		out = append(out, s)
	}
	return f.merge(out)
}

// otherWords leaves out lines by elisions in unusual words or other languages, with or without
// indentation.
func otherWords(r *rand.Rand, f editedFile) string {
	words := wordings[r.IntN(len(wordings))]
	if said, comment := strings.CutPrefix(words, "*"); comment {
		words = f.comment[0] + said + f.comment[1]
	}
	indent := []string{"", "", "    ", "\t"}[r.IntN(4)]
	return f.text(f.around(1+r.IntN(3), 1+r.IntN(3)), func(int) string { return indent + words })
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// block returns the lines of the old file that form the block of code around some lines. These are
// the line below which the given lines are indented, all lines below it, and the line that closes
// the block.
func (f editedFile) block(from, to int) stretch {
	least := 1 << 30
	for _, line := range f.before[from:max(to, min(from+1, len(f.before)))] {
		if strings.TrimSpace(line) != "" {
			least = min(least, indentOf(line))
		}
	}
	top := from
	for top > 0 && (strings.TrimSpace(f.before[top-1]) == "" || indentOf(f.before[top-1]) >= max(least, 1)) {
		top--
	}
	if top == 0 || least == 0 || least == 1<<30 {
		return stretch{f.step(from, -2), f.step(to, 2)}
	}
	top--
	end := to
	for end < len(f.before) && (strings.TrimSpace(f.before[end]) == "" || indentOf(f.before[end]) > indentOf(f.before[top])) {
		end++
	}
	if end < len(f.before) && strings.ContainsAny(strings.TrimSpace(f.before[end])[:1], ")]}<e") && indentOf(f.before[end]) == indentOf(f.before[top]) {
		return stretch{top, end + 1}
	}
	for end > to && strings.TrimSpace(f.before[end-1]) == "" {
		end--
	}
	return stretch{top, end}
}

// enclosing returns the functions, or classes, around each change. If a part without a change has
// more lines than `most`, only three lines at each end of the part are kept.
func (f editedFile) enclosing(most int) []stretch {
	var out []stretch
	for _, h := range f.hunks {
		b := f.block(h.from, h.to)
		// An elision next to removed lines would hide their removal.
		if h.onlyGo() {
			b = stretch{min(b.from, f.step(h.from, -1)), max(b.to, f.step(h.to, 1))}
		}
		if h.from-b.from > most {
			out = append(out, stretch{b.from, f.step(b.from, 3)}, stretch{f.step(h.from, -3), h.to})
		} else {
			out = append(out, stretch{b.from, h.to})
		}
		if b.to-h.to > most {
			out = append(out, stretch{h.from, f.step(h.to, 3)}, stretch{f.step(b.to, -2), b.to})
		} else {
			out = append(out, stretch{h.from, b.to})
		}
	}
	return f.merge(out)
}

// inside returns the first and the last line of each changed function, and the lines around each
// change.
func (f editedFile) inside() []stretch {
	var out []stretch
	for _, h := range f.hunks {
		b := f.block(h.from, h.to)
		if h.onlyGo() {
			b = stretch{min(b.from, f.step(h.from, -1)), max(b.to, f.step(h.to, 1))}
		}
		out = append(out, stretch{b.from, b.from + 1}, stretch{max(b.from, f.step(h.from, -2)), min(b.to, f.step(h.to, 2))}, stretch{max(b.to-1, h.to), b.to})
	}
	return f.merge(slices.DeleteFunc(out, func(s stretch) bool { return s.from >= s.to }))
}

// alone returns the text of a single stretch, which does not mention the rest of the file.
func (f editedFile) alone(all []stretch) string {
	if len(all) != 1 || all[0] == (stretch{0, len(f.before)}) {
		return ""
	}
	return asText(f.shows(all[0]))
}

// byOmission shows only the lines around lines that are removed without a replacement.
func byOmission(_ *rand.Rand, f editedFile) string {
	for _, h := range f.hunks {
		if !h.onlyGo() {
			return ""
		}
	}
	return f.text(f.around(3, 3), f.existing)
}

// twice shows one line above and one line below each change, if one of these lines occurs again in
// the file.
func twice(_ *rand.Rand, f editedFile) string {
	count := map[string]int{}
	for _, line := range f.before {
		count[line]++
	}
	for _, h := range f.hunks {
		if h.from > 0 && count[f.before[h.from-1]] > 1 && h.to < len(f.before) && count[f.before[h.to]] > 1 {
			return f.text(f.around(1, 1), f.existing)
		}
	}
	return ""
}

// forgotten leaves out an elision that the text needs.
func forgotten(r *rand.Rand, f editedFile) string {
	all := f.around(2, 2)
	if len(all) < 2 {
		return ""
	}
	drop := 1 + r.IntN(len(all)-1)
	lines := strings.Split(f.text(all, func(i int) string {
		if i == drop {
			return "\x00"
		}
		return f.existing(i)
	}), "\n")
	return strings.Join(slices.DeleteFunc(lines, func(line string) bool { return line == "\x00" }), "\n")
}

// besideElision shows the lines on only one side of each change. It returns "" if lines are removed
// without a replacement, because the text would not show the removal.
func besideElision(r *rand.Rand, f editedFile) string {
	above := r.IntN(2)
	if slices.ContainsFunc(f.hunks, changedLines.onlyGo) {
		return ""
	}
	return f.text(f.around(3*above, 3*(1-above)), f.existing)
}

// dedented writes the lines of a change without the indentation that they have in common.
func dedented(_ *rand.Rand, f editedFile) string {
	all := f.around(3, 3)
	shared := 1 << 30
	for _, s := range all {
		for _, line := range f.shows(s) {
			if strings.TrimSpace(line) != "" {
				shared = min(shared, indentOf(line))
			}
		}
	}
	if shared == 0 || shared == 1<<30 {
		return ""
	}
	lines := strings.Split(f.text(all, f.existing), "\n")
	for i, line := range lines {
		if line != f.existing(0) {
			lines[i] = line[min(shared, len(line)):]
		}
	}
	return strings.Join(lines, "\n")
}

// ownElision shows a line that is part of the file but looks like an elision.
func ownElision(_ *rand.Rand, f editedFile) string {
	for _, s := range f.around(3, 3) {
		for _, line := range f.before[s.from:s.to] {
			if said := strings.TrimSpace(line); strings.HasPrefix(said, strings.TrimSpace(f.comment[0])) && (strings.Contains(said, "...") || strings.Contains(strings.ToLower(said), "existing")) {
				return f.text(f.around(3, 3), f.existing)
			}
		}
	}
	return ""
}
