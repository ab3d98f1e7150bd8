package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A tree is the files of a folder: their contents by slash-separated path.
type tree map[string]string

// An input is what one work is made of: the tree, a reply, and the tree that the reply
// asks for. Both trees are equal where the reply is only checked.
type input struct {
	before, after tree
	name, reply   string // the reply's file name, whose extension decides how it is read, and its text
	entries       int    // that the history has before
}

// An edit is one file and what changes in it: some of its lines, each of them replaced
// by others.
type edit struct {
	path    string
	lines   []string // without their ends, which are LF
	changes []change // ordered by line, no two of them within 7 lines of each other
}

type change struct {
	line int // counted from 0
	new  []string
}

func (e edit) before() string { return joined(e.lines) }

func (e edit) after() string {
	var after []string
	next := 0
	for _, c := range e.changes {
		after = append(append(after, e.lines[next:c.line]...), c.new...)
		next = c.line + 1
	}
	return joined(append(after, e.lines[next:]...))
}

func joined(lines []string) string { return strings.Join(lines, "\n") + "\n" }

// edited is an input of edits, with the reply that render makes of them.
func edited(edits []edit, name string, render func([]edit) string) input {
	in := input{before: tree{}, after: tree{}, name: name, reply: render(edits)}
	for _, e := range edits {
		in.before[e.path], in.after[e.path] = e.before(), e.after()
	}
	return in
}

var words = strings.Fields("count value result index buffer reader node token offset parent length handler config request response cache state entry field record")

// program is the lines of a source file, always the same for a seed. The second line of
// every four is there once, the last one is the same everywhere, as a brace is.
func program(seed uint64, lines int) []string {
	random := rand.New(rand.NewPCG(seed, 0))
	word := func() string { return words[random.IntN(len(words))] }
	text := make([]string, lines)
	for i := range text {
		switch i % 4 {
		case 0:
			text[i] = fmt.Sprintf("    if %s%d := %s.%s; %s > %d {", word(), i, word(), word(), word(), random.IntN(100))
		case 1:
			text[i] = fmt.Sprintf("        %s%d := compute(%s, %s.%s, %d)", word(), i, word(), word(), word(), random.IntN(1000))
		case 2:
			text[i] = fmt.Sprintf("        return %s%d, %s(%s, %s)", word(), i, word(), word(), word())
		case 3:
			text[i] = "    }"
		}
	}
	return text
}

// programEdit changes lines at equal distances, each of which is in the file once.
func programEdit(path string, seed uint64, lines, places int) edit {
	e := edit{path: path, lines: program(seed, lines)}
	for k := range places {
		at := (k*lines/places+lines/places/2)/4*4 + 1
		e.changes = append(e.changes, change{at, []string{
			fmt.Sprintf("        changed%d := measure(%d)", at, seed),
			fmt.Sprintf("        use(changed%d)", at),
		}})
	}
	return e
}

// programEdits is many files in 20 folders, with some changes in each.
func programEdits(files, lines, places int) []edit {
	edits := make([]edit, files)
	for i := range edits {
		edits[i] = programEdit(fmt.Sprintf("dir%02d/file%04d.txt", i%20, i), uint64(i), lines, places)
	}
	return edits
}

// below moves edits into a directory, which ends in a slash.
func below(dir string, edits []edit) []edit {
	for i := range edits {
		edits[i].path = dir + edits[i].path
	}
	return edits
}

// newFiles is an input that creates files, with a reply that render makes of them.
func newFiles(files, lines int) input {
	in := input{before: tree{}, after: tree{}, name: "reply.md"}
	for i := range files {
		in.after[fmt.Sprintf("dir%02d/file%04d.txt", i%20, i)] = joined(program(uint64(i), lines))
	}
	in.reply = bundle(in.after)
	return in
}

// keyLines is an edit of a file of short lines, 10 bytes with their end, that changes each.
func keyLines(lines int) edit {
	e := edit{path: "table.txt"}
	for i := range lines {
		e.lines = append(e.lines, fmt.Sprintf("k%05d=%02d", i, i%100))
		e.changes = append(e.changes, change{i, []string{fmt.Sprintf("v%05d=%02d", i, i%100)}})
	}
	return e
}

// missing is an input whose finds are not in the file.
func missing(lines, finds int) input {
	before := tree{"table.txt": keyLines(lines).before()}
	absent := edit{path: "table.txt"}
	for i := range finds {
		absent.lines = append(absent.lines, fmt.Sprintf("lost%06d", i))
		absent.changes = append(absent.changes, change{i, []string{fmt.Sprintf("found%06d", i)}})
	}
	return input{before: before, after: before, name: "reply.md", reply: structured([]edit{absent})}
}

// nearlyThere is an input whose finds are in the file but for one word.
func nearlyThere(e edit) input {
	in := input{before: tree{e.path: e.before()}, name: "reply.md"}
	in.after = in.before
	e.lines = slices.Clone(e.lines)
	for _, c := range e.changes {
		e.lines[c.line] = strings.Replace(e.lines[c.line], "compute", "computed", 1)
	}
	in.reply = structured([]edit{e})
	return in
}

// alike is an edit of a file whose lines are all the same, each replaced by another one.
func alike(lines int) edit {
	e := edit{path: "alike.txt", lines: slices.Repeat([]string{"return x"}, lines)}
	for i := range lines {
		e.changes = append(e.changes, change{i, []string{fmt.Sprintf("return y%d", i)}})
	}
	return e
}
