package main

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"regexp"
	"strings"
)

// A damage is one way in which models, or the programs that pass on their answers, damage a diff.
// It returns the diff unchanged if it finds nothing to damage.
type damage struct {
	name string
	do   func(r *rand.Rand, s sample) sample
}

// lineDamage returns a damage that replaces each line of a hunk with the result of f. If f returns true for `drop`, the
// damage deletes the line.
func lineDamage(name string, f func(r *rand.Rand, line string) (out string, drop bool)) damage {
	return damage{name, func(r *rand.Rand, s sample) sample {
		var out []string
		inHunk := false
		for _, line := range strings.Split(s.text, "\n") {
			switch {
			case strings.HasPrefix(line, "@@ "):
				inHunk = true
			case strings.HasPrefix(line, "diff --git"):
				inHunk = false
			case inHunk:
				changed, drop := f(r, line)
				if drop {
					continue
				}
				line = changed
			}
			out = append(out, line)
		}
		s.text = strings.Join(out, "\n")
		return s
	}}
}

// textDamage returns a damage that changes the diff as a whole.
func textDamage(name string, f func(r *rand.Rand, diff string) string) damage {
	return damage{name, func(r *rand.Rand, s sample) sample { s.text = f(r, s.text); return s }}
}

var (
	header   = regexp.MustCompile(`(?m)^@@ -(\d+)(,\d+)? \+(\d+)(,\d+)? @@.*$`)
	trailing = regexp.MustCompile(`(?m)^[+].*[ \t]$`)
	section  = regexp.MustCompile(`(?m)^diff --git .*\n(?:(?:index|new file|deleted file|similarity).*\n)*`)
)

var wrongCounts = textDamage("counts are wrong", func(r *rand.Rand, d string) string {
	return header.ReplaceAllStringFunc(d, func(h string) string {
		m := header.FindStringSubmatch(h)
		return fmt.Sprintf("@@ -%s,%d +%s,%d @@", m[1], 1+r.IntN(9), m[3], 1+r.IntN(12))
	})
})

var bareBlanks = lineDamage("blank context lost its space", func(_ *rand.Rand, l string) (string, bool) {
	if l == " " {
		return "", false
	}
	return l, false
})

var damages = []damage{
	wrongCounts,
	textDamage("line numbers are wrong", func(r *rand.Rand, d string) string {
		return header.ReplaceAllStringFunc(d, func(h string) string {
			m := header.FindStringSubmatch(h)
			return fmt.Sprintf("@@ -%d%s +%d%s @@", 1+r.IntN(300), m[2], 1+r.IntN(300), m[4])
		})
	}),
	textDamage("numbers and counts are wrong", func(r *rand.Rand, d string) string {
		return header.ReplaceAllStringFunc(d, func(string) string {
			return fmt.Sprintf("@@ -%d,%d +%d,%d @@", 1+r.IntN(300), 1+r.IntN(9), 1+r.IntN(300), 1+r.IntN(12))
		})
	}),
	textDamage("placeholders", func(_ *rand.Rand, d string) string { return header.ReplaceAllString(d, "@@ ... @@") }),
	textDamage("no numbers", func(_ *rand.Rand, d string) string { return header.ReplaceAllString(d, "@@") }),
	textDamage("no diff --git", func(_ *rand.Rand, d string) string { return section.ReplaceAllString(d, "") }),
	textDamage("no index line", func(_ *rand.Rand, d string) string {
		return regexp.MustCompile(`(?m)^index .*\n`).ReplaceAllString(d, "")
	}),
	textDamage("no prefixes", func(_ *rand.Rand, d string) string {
		d = regexp.MustCompile(`(?m)^(---|\+\+\+) [ab]/`).ReplaceAllString(d, "$1 ")
		return regexp.MustCompile(`(?m)^diff --git a/(\S+) b/(\S+)$`).ReplaceAllString(d, "diff --git $1 $2")
	}),
	textDamage("doubled prefixes", func(_ *rand.Rand, d string) string {
		d = regexp.MustCompile(`(?m)^(---|\+\+\+) ([ab])/`).ReplaceAllString(d, "$1 $2/$2/")
		return regexp.MustCompile(`(?m)^diff --git a/(\S+) b/(\S+)$`).ReplaceAllString(d, "diff --git a/a/$1 b/b/$2")
	}),
	bareBlanks,
	{"blank context lost its space, counts are wrong", func(r *rand.Rand, s sample) sample {
		return wrongCounts.do(r, bareBlanks.do(r, s))
	}},
	lineDamage("context lost its leading space", func(_ *rand.Rand, l string) (string, bool) {
		return strings.TrimPrefix(l, " "), false
	}),
	lineDamage("trailing white space lost in context", func(_ *rand.Rand, l string) (string, bool) {
		if strings.HasPrefix(l, " ") {
			return " " + strings.TrimRight(l[1:], " \t"), false
		}
		return l, false
	}),
	{"trailing white space lost everywhere", func(r *rand.Rand, s sample) sample {
		if trailing.MatchString(s.text) {
			// The damage would change the added text beyond recovery.
			return s
		}
		return lineDamage("", func(_ *rand.Rand, l string) (string, bool) { return strings.TrimRight(l, " \t"), false }).do(r, s)
	}},
	lineDamage("tabs became spaces in context", func(_ *rand.Rand, l string) (string, bool) {
		if strings.HasPrefix(l, " ") {
			return strings.ReplaceAll(l, "\t", "    "), false
		}
		return l, false
	}),
	lineDamage("tabs became spaces everywhere", func(_ *rand.Rand, l string) (string, bool) { return strings.ReplaceAll(l, "\t", "    "), false }),
	lineDamage("indented by four more", func(_ *rand.Rand, l string) (string, bool) {
		if len(l) > 1 && strings.ContainsRune(" +-", rune(l[0])) {
			return l[:1] + "    " + l[1:], false
		}
		return l, false
	}),
	lineDamage("quotes became typographic", func(_ *rand.Rand, l string) (string, bool) {
		if strings.HasPrefix(l, " ") {
			return strings.NewReplacer("'", "’", ` "`, " “", `"`, "”").Replace(l), false
		}
		return l, false
	}),
	lineDamage("no-newline marks are lost", func(_ *rand.Rand, l string) (string, bool) { return l, strings.HasPrefix(l, `\ No newline`) }),
	{"files end in CRLF, the diff in LF", func(_ *rand.Rand, s sample) sample {
		if len(s.before) == len(s.after) { // a new file gets the line endings of the diff
			s.before, s.after = s.before.crlf(), s.after.crlf()
		}
		return s
	}},
	textDamage("hunks out of order", func(r *rand.Rand, d string) string {
		return eachFile(d, func(head string, hunks []string) string {
			r.Shuffle(len(hunks), func(i, j int) { hunks[i], hunks[j] = hunks[j], hunks[i] })
			return head + strings.Join(hunks, "")
		})
	}),
	textDamage("no context", func(_ *rand.Rand, d string) string {
		return eachFile(d, func(head string, hunks []string) string {
			return head + regexp.MustCompile(`(?m)^ .*\n`).ReplaceAllString(strings.Join(hunks, ""), "")
		})
	}),
	{"one line of context", func(_ *rand.Rand, s sample) sample { s.text = narrowed(s.text, 1); return s }},
	{"cut off", func(r *rand.Rand, s sample) sample {
		s.text, s.cut = s.text[:len(s.text)/4+r.IntN(len(s.text)*3/4)], true
		return s
	}},
	{"fenced, with prose around it", func(_ *rand.Rand, s sample) sample {
		s.file, s.text = "reply.md", fenced("diff", s.text)
		return s
	}},
	textDamage("header and first line on one line", func(_ *rand.Rand, d string) string {
		return regexp.MustCompile(`(?m)^(@@ -\S+ \+\S+ @@).*\n `).ReplaceAllString(d, "$1 ")
	}),
}

// narrowed keeps at most n lines of context above and below the changes of a hunk.
func narrowed(diff string, n int) string {
	return eachFile(diff, func(head string, hunks []string) string {
		for i, h := range hunks {
			top, body, _ := strings.Cut(h, "\n")
			all := strings.SplitAfter(strings.TrimSuffix(body, "\n"), "\n")
			for len(all) > n && strings.HasPrefix(all[0], " ") && strings.HasPrefix(all[n], " ") {
				all = all[1:]
			}
			for last := len(all) - 1; last >= n && strings.HasPrefix(all[last], " ") && strings.HasPrefix(all[last-n], " "); last-- {
				all = all[:last]
			}
			hunks[i] = top + "\n" + strings.TrimSuffix(strings.Join(all, ""), "\n") + "\n"
		}
		return head + strings.Join(hunks, "")
	})
}

// eachFile replaces the section of each file with the result of f. The parameters of f are the
// header lines and the hunks.
func eachFile(diff string, f func(head string, hunks []string) string) string {
	var b strings.Builder
	for _, file := range splitBefore(diff, "diff --git ") {
		parts := splitBefore(file, "@@ ")
		head := ""
		if !strings.HasPrefix(file, "@@ ") && len(parts) > 0 {
			head, parts = parts[0], parts[1:]
		}
		b.WriteString(f(head, parts))
	}
	return b.String()
}

// splitBefore splits s before each line that begins with `mark`.
func splitBefore(s, mark string) []string {
	var parts []string
	for _, line := range strings.SplitAfter(s, "\n") {
		if len(parts) == 0 || strings.HasPrefix(line, mark) {
			parts = append(parts, "")
		}
		parts[len(parts)-1] += line
	}
	return parts
}

func (t tree) crlf() tree {
	out := make(tree, len(t))
	for path, data := range t {
		out[path] = strings.ReplaceAll(strings.ReplaceAll(data, "\r\n", "\n"), "\n", "\r\n")
	}
	return out
}

// perDiff is the number of ways in which each diff is damaged. All ways take turns.
const perDiff = 6

// damagedSet damages each diff in one way at a time. If there is nothing to damage in this way,
// there is no sample.
func damagedSet(diffs []sample) []set {
	s := set{name: "damaged diffs", peers: true}
	for i, d := range diffs {
		for j := range perDiff {
			way := damages[(perDiff*i+j)%len(damages)]
			h := fnv.New64a()
			h.Write([]byte(d.name))
			spoilt := way.do(rand.New(rand.NewPCG(h.Sum64(), uint64(i))), d)
			if spoilt.text == d.text && spoilt.before.equal(d.before) {
				continue
			}
			spoilt.name = strings.ReplaceAll(way.name, " ", "-") + "/" + d.name
			s.samples = append(s.samples, spoilt)
		}
	}
	return []set{s}
}
