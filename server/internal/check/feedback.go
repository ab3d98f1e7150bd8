package check

import (
	"context"
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Bounds of a text for the model, in bytes. A model reads what is in front of it: a long
// text hides what it has to change.
const (
	enoughFeedback = 1600 // after that, problems are named without lines of the file
	mostFeedback   = 5200 // after that, they are counted
)

// request asks for what can always be applied.
const request = `Please send the change as an Aptix file bundle instead: one fenced json block that holds
{"root": ".", "files": [{"path": "...", "operation": "create | replace | delete", "content": "..."}]}
with the whole content of every file that changes, as one JSON string each (newlines as \n, quotes as \").
`

// Feedback is the problems of a reply as a text for the model that wrote it: block,
// file, what was looked for, what the file has there, and what to send again. It is
// empty where there is nothing that a model can mend, and has 6,000 bytes at most.
func (r *Result) Feedback(ctx context.Context) string {
	if r.Declined {
		return request
	}
	ctx, cancel := context.WithTimeout(ctx, suggestTime)
	defer cancel()
	f := feedback{ctx: ctx, r: r, lines: r.lines()}
	for i := range r.Blocks {
		f.block(&r.Blocks[i])
	}
	f.unread()
	if f.out.Len() == 0 {
		return ""
	}
	return escape.Text("Your last reply needs corrections:\n" + f.out.String() + f.rest() + "\n" + r.sendAgain() + "\n")
}

// A feedback is such a text while it is written.
type feedback struct {
	ctx   context.Context
	r     *Result
	lines []*text.Lines // of each document
	out   strings.Builder
	left  int // problems that are only counted
}

func (f *feedback) block(b *Block) {
	groups := group(b.Diagnostics)
	if b.State == Incomplete {
		f.write(f.head(b) + "\n- The block is not closed: the reply was cut off. Send the block again from its first line.\n")
		return
	}
	for i, g := range groups {
		s := f.problem(b, g)
		if i == 0 {
			s = f.head(b) + s
		}
		if f.out.Len()+len(s) > mostFeedback {
			f.left += len(g.all)
			continue
		}
		f.out.WriteString(s)
	}
}

// unread names what else the reply asks for, so that the model sends it as an edit.
func (f *feedback) unread() {
	said := false
	for _, u := range f.r.Unread {
		if !u.Sure {
			continue
		}
		s := fmt.Sprintf("- line %d of the reply: %s\n", u.Line, clip(u.What, 300))
		if !said {
			s, said = "\nThese parts are not read, and change no file. Send them as edits too, in the format of the blocks, or leave them out:\n"+s, true
		}
		f.write(s)
	}
}

func (f *feedback) write(s string) {
	if f.out.Len()+len(s) > mostFeedback {
		f.left++
		return
	}
	f.out.WriteString(s)
}

// head names a block and where it is.
func (f *feedback) head(b *Block) string {
	line := f.lines[b.Document].Position(b.Open.Start).Line + 1
	return fmt.Sprintf("\nBlock %d (%s, line %d of the reply):\n", b.Index, b.Format.Name, line)
}

// problem is one problem, and that it is there again.
func (f *feedback) problem(b *Block, g repeated) string {
	d := g.all[0]
	path := d.Path
	if path == "" {
		path = b.pathAt(d.Span)
	}
	var s strings.Builder
	s.WriteString("\n- ")
	if path != "" && (d.Passage != "" || !strings.Contains(d.Message, escape.Line(path))) {
		s.WriteString(escape.Line(path) + ": ")
	}
	detailed := f.out.Len() < enoughFeedback
	switch {
	case d.Passage != "":
		f.missing(&s, b, d, detailed)
	default:
		s.WriteString(clip(lineList.ReplaceAllString(d.Message, ""), 500) + "\n")
		if detailed && !hasFix(d) {
			quoted(&s, "The block has:", f.quote(b, d))
		}
	}
	switch n := len(g.all) - 1; n {
	case 0:
	case 1:
		s.WriteString("  The same problem is in one more place of this block.\n")
	default:
		fmt.Fprintf(&s, "  The same problem is in %d more places of this block.\n", n)
	}
	f.repair(&s, b, g, detailed)
	return s.String()
}

// quote is the line of the block that a problem is in, where more of it than a name is
// meant.
func (f *feedback) quote(b *Block, d diag.Diagnostic) string {
	s := d.Span.In(f.r.Documents[b.Document].Text)
	if !strings.Contains(s, " ") {
		return ""
	}
	return s
}

// rest says how much is left out.
func (f *feedback) rest() string {
	s := ""
	if f.ctx.Err() != nil {
		s = "\nThe search for similar text took its whole time: some places are not named.\n"
	}
	switch f.left {
	case 0:
		return s
	case 1:
		return s + "\nOne more problem is not listed.\n"
	}
	return s + fmt.Sprintf("\n%d more problems are not listed.\n", f.left)
}

// sendAgain says which blocks to send. A reply is applied whole or not at all, so that
// those without a problem are sent again too, unless the files have what they ask for.
func (r *Result) sendAgain() string {
	var done []string
	for _, b := range r.Blocks {
		if b.State == Done {
			done = append(done, fmt.Sprint(b.Index))
		}
	}
	switch {
	case len(r.Blocks) == 1:
		return "Send the whole block again, corrected."
	case len(done) > 0:
		return "Send the blocks of the reply again, corrected. The files already have what these ask for, so leave them out: " + clip(strings.Join(done, ", "), 200) + "."
	}
	return "Send all blocks of the reply again, corrected: they are applied together."
}

// pathAt is the path of the entry that a span of the document is in; "" where it is in
// none.
func (b *Block) pathAt(span text.Span) string {
	for _, c := range b.Set.Changes {
		if b.HostSpan(c.At).Contains(span) {
			return c.Path
		}
	}
	return ""
}

func hasFix(d diag.Diagnostic) bool { return len(d.Fixes) > 0 }
