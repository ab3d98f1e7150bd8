package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A tree maps the slash-separated paths of files in a folder to their contents.
type tree map[string]string

// An input is a tree, a reply, and the tree that the reply asks for. If the reply is only checked,
// both trees are equal.
type input struct {
	before, after tree
	name, reply   string // the text of the reply, and the name of its file, whose extension determines how it is read
	entries       int    // number of entries in the history before the run
}

// An edit replaces some lines of one file with other lines.
type edit struct {
	path    string
	lines   []string // the lines without their endings, which are LF
	changes []change // in the order of the lines, which are at least 7 lines apart
}

type change struct {
	line int // index of the line, from 0
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

// edited returns an input that has some edits, and the reply that the function render writes for
// them.
func edited(edits []edit, name string, render func([]edit) string) input {
	in := input{before: tree{}, after: tree{}, name: name, reply: render(edits)}
	for _, e := range edits {
		in.before[e.path], in.after[e.path] = e.before(), e.after()
	}
	return in
}

var words = strings.Fields("count value result index buffer reader node token offset parent length handler config request response cache state entry field record")

// program returns the lines of a source file, which depend only on the seed and the number of
// lines. In each group of four lines, the second line occurs nowhere else in the file, and the last
// line is the same in all groups, like a brace.
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

// programEdit changes lines at equal distances. Each of these lines occurs once in the file.
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

// programEdits returns many files in 20 folders, with some changes in each.
func programEdits(files, lines, places int) []edit {
	edits := make([]edit, files)
	for i := range edits {
		edits[i] = programEdit(fmt.Sprintf("dir%02d/file%04d.txt", i%20, i), uint64(i), lines, places)
	}
	return edits
}

// inFolder moves edits into a folder, whose name ends in a slash.
func inFolder(dir string, edits []edit) []edit {
	for i := range edits {
		edits[i].path = dir + edits[i].path
	}
	return edits
}

// newFiles returns an input whose reply is a bundle that creates files, each with the given number of lines.
func newFiles(files, lines int) input {
	in := input{before: tree{}, after: tree{}, name: "reply.md"}
	for i := range files {
		in.after[fmt.Sprintf("dir%02d/file%04d.txt", i%20, i)] = joined(program(uint64(i), lines))
	}
	in.reply = bundle(in.after)
	return in
}

// keyLines returns an edit that changes each line of a file. Each line has 10 bytes with its
// ending.
func keyLines(lines int) edit {
	e := edit{path: "table.txt"}
	for i := range lines {
		e.lines = append(e.lines, fmt.Sprintf("k%05d=%02d", i, i%100))
		e.changes = append(e.changes, change{i, []string{fmt.Sprintf("v%05d=%02d", i, i%100)}})
	}
	return e
}

// missing returns an input whose finds do not occur in the file.
func missing(lines, finds int) input {
	before := tree{"table.txt": keyLines(lines).before()}
	absent := edit{path: "table.txt"}
	for i := range finds {
		absent.lines = append(absent.lines, fmt.Sprintf("lost%06d", i))
		absent.changes = append(absent.changes, change{i, []string{fmt.Sprintf("found%06d", i)}})
	}
	return input{before: before, after: before, name: "reply.md", reply: structured([]edit{absent})}
}

// nearlyThere returns an input whose finds differ from the file by one word.
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

// alike returns an edit of a file whose lines are all equal. It replaces each of them with
// another line.
func alike(lines int) edit {
	e := edit{path: "alike.txt", lines: slices.Repeat([]string{"return x"}, lines)}
	for i := range lines {
		e.changes = append(e.changes, change{i, []string{fmt.Sprintf("return y%d", i)}})
	}
	return e
}
