package main

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

// A help is the kind of help that a model gets about a passage that is not in the file.
type help int

const (
	shown     help = iota // the text has numbered lines of the file
	corrected             // the text has the corrected block
	nothing               // the text says that the file has nothing similar, or which file has the passage
	neither
	shows
)

var (
	offered  = regexp.MustCompile(`(?m)^  (?:Write it like this|Use|Write|The one on|Replace|Remove|Make).*[:.]$`)
	numbered = regexp.MustCompile(`(?m)^ *\d+\| `)
	missing  = regexp.MustCompile(`the file has nothing like it| has this text: if the change is for that file`)
)

// helpCounts counts the kinds of help that models get about the refusals of a set.
type helpCounts struct {
	name   string
	counts [shows]int
	bytes  []int
}

// tell finds out which text a model gets about a refused sample. The tree must be unchanged.
func (b *bench) tell(t *helpCounts, p program, s sample) {
	root, err := b.lay(b.tree(), s)
	if err != nil {
		panic(err) // the temporary folder could not be made
	}
	args := p.args(root, b.reply(s))
	args = slices.DeleteFunc(args, func(arg string) bool { return arg == "--yes" })
	args[1] = "check"
	args = slices.Insert(args, 2, "--feedback")
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	var out bytes.Buffer
	cmd.Env, cmd.Stdout = b.env(), &out
	_ = cmd.Run() // an error is expected, because the command fails if it reports problems
	text := out.String()
	if text == "" {
		// The text has no block.
		return
	}
	kind := neither
	switch {
	case numbered.MatchString(text):
		kind = shown
	case offered.MatchString(text):
		kind = corrected
	case missing.MatchString(text):
		kind = nothing
	}
	t.counts[kind]++
	t.bytes = append(t.bytes, len(text))
	b.keepText(t.name, kind, s, text)
}

func renderTold(all []helpCounts) string {
	var b strings.Builder
	b.WriteString("\n| Set | Refusals | Show lines of the file | Show what to write | Say that nothing is like it | None of these | Median, bytes | Longest, bytes |\n| --- |" +
		strings.Repeat(" ---: |", int(shows)+3) + "\n")
	for _, t := range all {
		if len(t.bytes) == 0 {
			continue
		}
		slices.Sort(t.bytes)
		fmt.Fprintf(&b, "| %s | %d |", t.name, len(t.bytes))
		for _, n := range t.counts {
			fmt.Fprintf(&b, " %.0f %% |", 100*float64(n)/float64(len(t.bytes)))
		}
		fmt.Fprintf(&b, " %d | %d |\n", t.bytes[len(t.bytes)/2], t.bytes[len(t.bytes)-1])
	}
	return b.String()
}
