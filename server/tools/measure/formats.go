package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	linediff "znkr.io/diff"
)

// replySets returns the sets from the chat history. They contain single blocks and whole replies,
// written in each format.
func replySets(replies []reply) []set {
	sets := []set{{name: "blocks, structured"}, {name: "blocks, git"}, {name: "replies, structured"}, {name: "replies, ap 3.2"},
		{name: "replies, git"}, {name: "replies, as the model wrote them"}, {name: "replies, whose commits have other lines", unknown: true}}
	for _, r := range replies {
		whole := sample{name: r.commit, file: "reply.md", before: r.before, after: r.after, letter: toTheLetter(r.before, r.blocks)}
		for i, write := range []func([]block) string{asStructured, asAP, asGit} {
			one := whole.withText(write(r.blocks))
			if !r.known {
				one.name += "-" + []string{"structured", "ap", "git"}[i]
				sets[6].samples = append(sets[6].samples, one)
				continue
			}
			one.loose = sets[2+i].name == "replies, ap 3.2"
			sets[2+i].samples = append(sets[2+i].samples, one)
		}
		if !r.known {
			continue
		}
		sets[5].samples = append(sets[5].samples, whole.withText(r.text))
		for i, one := range stepByStep(r) {
			one.file, one.name = "reply.md", fmt.Sprintf("%s-%d", r.commit, i+1)
			b := []block{r.blocks[i]}
			if b[0].search == b[0].replace {
				// A git patch cannot express this reply.
				continue
			}
			sets[0].samples = append(sets[0].samples, one.withText(asStructured(b)))
			sets[1].samples = append(sets[1].samples, one.withText(asGit(b)))
		}
	}
	return sets
}

// toTheLetter returns the tree after each block was applied exactly at its lines, or at lines that
// differ only in white space at their ends. If a block has no such place or several, it returns
// nil.
func toTheLetter(before tree, blocks []block) tree {
	now := before.clone()
	for _, b := range blocks {
		s, known := now[b.path]
		switch {
		case b.search == "" && s == "":
			now[b.path] = b.replace
		case known && strings.Count(s, b.search) == 0:
			after, ok := replaceTrimmed(s, b)
			if !ok {
				return nil
			}
			now[b.path] = after
		case !known || strings.Count(s, b.search) != 1:
			return nil
		default:
			now[b.path] = strings.Replace(s, b.search, b.replace, 1)
		}
	}
	return now
}

// replaceTrimmed applies a block at the only place whose lines differ from it at most in white
// space at their ends. Lines that the block keeps do not change.
func replaceTrimmed(s string, b block) (string, bool) {
	has, old, replaced := lines(s), lines(b.search), lines(b.replace)
	trim := func(all []string) []string {
		out := make([]string, len(all))
		for i, line := range all {
			out[i] = strings.TrimRight(line, " \t\n")
		}
		return out
	}
	at, places := -1, 0
	for i := range len(has) - len(old) + 1 {
		if slices.Equal(trim(has[i:i+len(old)]), trim(old)) {
			at, places = i, places+1
		}
	}
	if places != 1 {
		return "", false
	}
	var kept []string
	i := at
	for _, e := range linediff.Edits(trim(old), trim(replaced)) {
		switch e.Op {
		case linediff.Match:
			kept, replaced, i = append(kept, has[i]), replaced[1:], i+1
		case linediff.Delete:
			i++
		case linediff.Insert:
			kept, replaced = append(kept, replaced[0]), replaced[1:]
		}
	}
	return strings.Join(slices.Concat(has[:at], kept, has[at+len(old):]), ""), true
}

// stepByStep returns each block of a reply as a separate sample, if the correct results of the
// earlier blocks are known. They are known if all blocks together, applied exactly as written, give
// the commit. A reply with a single block needs no such proof.
func stepByStep(r reply) []sample {
	if len(r.blocks) == 1 {
		return []sample{{before: r.before, after: r.after, letter: toTheLetter(r.before, r.blocks)}}
	}
	if !toTheLetter(r.before, r.blocks).equal(r.after) {
		return nil
	}
	var samples []sample
	before := r.before
	for _, b := range r.blocks {
		after := toTheLetter(before, []block{b})
		samples = append(samples, sample{before: before, after: after, letter: after})
		before = after
	}
	return samples
}

func (t tree) clone() tree {
	c := make(tree, len(t))
	for path, data := range t {
		c[path] = data
	}
	return c
}

func (t tree) equal(other tree) bool {
	if t == nil || len(t) != len(other) {
		return false
	}
	for path, data := range t {
		if is, ok := other[path]; !ok || is != data {
			return false
		}
	}
	return true
}

func fenced(tag, body string) string {
	marks := "```"
	for strings.Contains(body, marks) {
		marks += "`"
	}
	return "Here is the change.\n\n" + marks + tag + "\n" + body + marks + "\n"
}

// asStructured writes blocks as a structured patch of Aptix. A block that creates a file becomes a
// bundle, which must be a separate object.
func asStructured(blocks []block) string {
	type replacement struct {
		Find    string `json:"find"`
		Replace string `json:"replace"`
	}
	type patch struct {
		Path         string        `json:"path"`
		Replacements []replacement `json:"replacements"`
	}
	type file struct {
		Path      string `json:"path"`
		Operation string `json:"operation"`
		Content   string `json:"content"`
	}
	var patches []patch
	var files []file
	for _, b := range blocks {
		if b.search == "" {
			files = append(files, file{b.path, "create", b.replace})
			continue
		}
		if n := len(patches); n == 0 || patches[n-1].Path != b.path {
			patches = append(patches, patch{Path: b.path})
		}
		last := &patches[len(patches)-1]
		last.Replacements = append(last.Replacements, replacement{b.search, b.replace})
	}
	reply := ""
	if files != nil {
		reply += fenced("json", object("files", files))
	}
	if patches != nil {
		reply += fenced("json", object("patches", patches))
	}
	return reply
}

func object(member string, value any) string {
	data, err := json.MarshalIndent(map[string]any{"root": ".", member: value}, "", "  ")
	if err != nil {
		panic(err) // never happens, because strings and slices of strings can always be marshaled
	}
	return string(data) + "\n"
}

// asAP writes blocks as an ap patch of version 3.2.
func asAP(blocks []block) string {
	const id = "7d3f91ce"
	var b strings.Builder
	directive := func(key, value string) { fmt.Fprintf(&b, "%s %s\n%s", id, key, value) }
	directive("AP 3.2", "")
	for _, block := range blocks {
		directive("FILE", block.path+"\n\n")
		switch {
		case block.search == "":
			directive("CREATE", "")
		case block.replace == "":
			directive("DELETE", "")
		default:
			directive("REPLACE", "")
		}
		if block.search != "" {
			directive("snippet", block.search)
		}
		if block.replace != "" {
			directive("content", block.replace)
		}
		b.WriteString("\n")
	}
	directive("END", "")
	return fenced("ap", b.String())
}

// asGit writes blocks as a unified diff without line numbers, which is how models write it.
func asGit(blocks []block) string {
	var b strings.Builder
	last := ""
	for _, block := range blocks {
		if block.search == "" {
			fmt.Fprintf(&b, "diff --git a/%[1]s b/%[1]s\nnew file mode 100644\n--- /dev/null\n+++ b/%[1]s\n", block.path)
			fmt.Fprintf(&b, "@@ -0,0 +1,%d @@\n", len(lines(block.replace)))
			last = ""
		} else {
			if block.path != last {
				fmt.Fprintf(&b, "diff --git a/%[1]s b/%[1]s\n--- a/%[1]s\n+++ b/%[1]s\n", block.path)
			}
			last = block.path
			b.WriteString("@@ ... @@\n")
		}
		for _, e := range linediff.Edits(lines(block.search), lines(block.replace)) {
			switch e.Op {
			case linediff.Match:
				b.WriteString(" " + e.X)
			case linediff.Delete:
				b.WriteString("-" + e.X)
			case linediff.Insert:
				b.WriteString("+" + e.Y)
			}
		}
	}
	return fenced("patch", b.String())
}

// lines returns the lines of s, each with its newline.
func lines(s string) []string {
	all := strings.SplitAfter(s, "\n")
	if last := len(all) - 1; all[last] == "" {
		all = all[:last]
	}
	return all
}
