package check

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Limits of the feedback for the model, in bytes. In a longer text, the model could overlook parts.
const (
	enoughFeedback = 1600 // above this size, further problems are described without lines of the file
	mostFeedback   = 5200 // above this size, further problems are only counted
)

// Request is a text that asks a model to send its change in a format that can always be applied.
const Request = `Please send the change as an Aptix file bundle instead: one fenced json block that holds
{"root": ".", "files": [{"path": "...", "operation": "create | replace | delete", "content": "..."}]}
with the whole content of every file that changes, as one JSON string each (newlines as \n, quotes as \").
`

// Feedback describes the problems of a reply in a text of at most 6,000 bytes for the model that wrote the reply. It
// returns "" if a model can correct none of them.
func (r *Result) Feedback(ctx context.Context) string {
	if r.Declined {
		return Request
	}
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

type feedback struct {
	ctx   context.Context
	r     *Result
	lines []*text.Lines
	out   strings.Builder
	left  int // the number of problems that are only counted, because the text is long enough
}

func (f *feedback) block(b *Block) {
	groups := group(b.Diagnostics)
	if b.State == Incomplete {
		f.write(f.head(b)+"\n- The block is not closed: the reply was cut off. Send the block again from its first line.\n", 1)
		return
	}
	for i, g := range groups {
		if f.left > 0 {
			f.left += len(g)
			continue
		}
		s := f.problem(b, g)
		if i == 0 {
			s = f.head(b) + s
		}
		f.write(s, len(g))
	}
}

func (f *feedback) unread() {
	said := false
	for _, u := range f.r.Unread {
		if !u.Sure {
			continue
		}
		s := fmt.Sprintf("- line %d of the reply: %s\n", u.Line, text.Cut(u.What, 300))
		if !said {
			s, said = "\nAptix cannot read these parts, so they change no file. Send them as edits in the format of the blocks, or leave them out:\n"+s, true
		}
		f.write(s, 1)
	}
}

// write appends s, a text about some problems, to the feedback. If the feedback would become too long, it drops s and
// adds `problems` to f.left.
func (f *feedback) write(s string, problems int) {
	if f.out.Len()+len(s) > mostFeedback {
		f.left += problems
		return
	}
	f.out.WriteString(s)
}

func (f *feedback) head(b *Block) string {
	line := f.lines[b.Document].Position(b.Open.Start).Line + 1
	return fmt.Sprintf("\nBlock %d (%s, line %d of the reply):\n", b.Index, b.Format.Name, line)
}

func (f *feedback) problem(b *Block, g repeated) string {
	d := g[0]
	path := cmp.Or(d.Path, b.pathAt(d.Span))
	var s strings.Builder
	s.WriteString("\n- ")
	if path != "" && (d.Passage != "" || !strings.Contains(d.Message, escape.Line(path))) {
		s.WriteString(escape.Line(path) + ": ")
	}
	detailed := f.out.Len() < enoughFeedback
	if d.Passage != "" {
		f.missing(&s, b, d, detailed)
	} else {
		s.WriteString(text.Cut(lineList.ReplaceAllString(d.Message, ""), 500) + "\n")
		// A text without a space is not quoted, because it is only a name.
		if at := d.Span.In(f.r.Documents[b.Document].Text); detailed && len(d.Fixes) == 0 && strings.Contains(at, " ") {
			quoted(&s, "The block has:", at)
		}
	}
	switch n := len(g) - 1; n {
	case 0:
	case 1:
		s.WriteString("  The same problem is in one more place of this block.\n")
	default:
		fmt.Fprintf(&s, "  The same problem is in %d more places of this block.\n", n)
	}
	f.repair(&s, b, g, detailed)
	return s.String()
}

func (f *feedback) rest() string {
	s := ""
	if f.r.meter.Spent() {
		s = "\nThe search for similar text was stopped, because this reply took too much work, so some places are not named.\n"
	}
	switch f.left {
	case 0:
		return s
	case 1:
		return s + "\nOne more problem is not listed.\n"
	}
	return s + fmt.Sprintf("\n%d more problems are not listed.\n", f.left)
}

// sendAgain says which blocks to send. Because a reply is applied completely or not at all, the model must also repeat
// the blocks without problems. Blocks whose changes are already in the files need not be sent.
func (r *Result) sendAgain() string {
	isDone := func(b Block) bool { return b.State == Done }
	done := text.Each(text.Only(r.Blocks, isDone), func(b Block) string { return fmt.Sprint(b.Index) })
	switch {
	case len(r.Blocks) == 1:
		return "Send the whole block again, corrected."
	case len(done) > 0:
		return "Send the blocks of the reply again, corrected. These blocks are already applied, so leave them out: " + text.Cut(strings.Join(done, ", "), 200) + "."
	}
	return "Send all blocks of the reply again, corrected: they are applied together."
}

// pathAt returns the path of the entry that contains a span of the document, or "".
func (b *Block) pathAt(span text.Span) string {
	for _, c := range b.Set.Changes {
		if b.HostSpan(c.At).Contains(span) {
			return c.Path
		}
	}
	return ""
}

// A repeated is a group of similar problems of a block, which get one description.
type repeated []diag.Diagnostic

// particular matches the parts of a message that differ between messages about the same problem: names and numbers.
var particular = lazyregexp.New("`[^`]*`|\"(?:[^\"\\\\]|\\\\.)*\"|[0-9]+")

// lineList matches a list of line numbers. Feedback leaves out these lists, because a model does not see line numbers.
var lineList = lazyregexp.New(`,? (?:on|at) lines \d+(?:, \d+)+(?:,? (?:and )?(?:\d+|…|more))?`)

// beyondModel lists problems that a better reply could not avoid, because they come from a person's files and settings.
var beyondModel = []diag.Code{diag.PathProtected, diag.UnsavedText, diag.NotebookOpen, diag.MixedEndings, diag.NoWorkspace}

// ForModel reports whether the model that wrote a reply could correct a problem of the reply.
func ForModel(d diag.Diagnostic) bool {
	return (d.Severity <= diag.Warning || d.Code == diag.BlockIncomplete) && !slices.Contains(beyondModel, d.Code)
}

// group combines problems that differ only in names and numbers, most severe first. Missing passages stay separate.
func group(ds []diag.Diagnostic) []repeated {
	var groups []repeated
	index := map[string]int{}
	for _, d := range ds {
		if !ForModel(d) {
			continue
		}
		key := string(d.Code) + particular.ReplaceAllString(d.Message, "") + d.Passage
		i, again := index[key]
		if !again {
			i = len(groups)
			index[key] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], d)
	}
	slices.SortStableFunc(groups, func(a, b repeated) int { return int(a[0].Severity) - int(b[0].Severity) })
	return groups
}
