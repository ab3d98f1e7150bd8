package wholefile

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

var zero text.Span

// A problem is a reason to refuse an entry, or to ask the person about it.
type problem int

const (
	fine       problem = iota
	unsure             // only the fence's text names a new file in the root
	unlikely           // the name of a new file may be that of a product, or of a part of a program
	unplaced           // a new file in a new folder; the plan decides whether Aptix asks about it
	sample             // the entry may be only a sample
	changes            // the text is a diff
	cut                // a fence inside the text is not closed
	loose              // a fence below the entry has no partner
	doubtful           // the text may end earlier, at a fence inside it
	spoken             // only a sentence names the file, and the file has few of the text's lines
	unlabelled         // only a sentence says that the file is new
	escaped            // the text is a SEARCH/REPLACE block with HTML entities
	several            // the fence has other files, too
	firstLine          // only the first line of the fence names the path
	endless            // the text is outside of fences, and no line marks its end
	placed             // a sentence describes an edit of a part of the file; its step reports doubts
	mentioned          // a line deletes or renames the file, but not in the form of a label
)

func hasMarks(body string) bool {
	for line := range strings.Lines(body) {
		if line = text.TrimEOL(line); mdblock.MarkOf(line) == mdblock.SearchMark || mdblock.BeginsPatch(line) {
			return true
		}
	}
	return false
}

// escapedMark matches the first mark of a SEARCH/REPLACE block with `<` written as `&lt;`.
var escapedMark = lazyregexp.New(`(?m)^(?:&lt;){5,9} ?(?:SEARCH|ORIGINAL)\b`)

var hunkHeader = lazyregexp.New(`^\s*(?:@@ .*@@|--- \S+\s*\n\+\+\+ )`)

// isDiff reports whether a text is a diff: it begins with the header of a hunk, or every line could belong to a hunk
// and at least one line is certainly added.
func isDiff(body string) bool {
	if hunkHeader.MatchString(body) {
		return true
	}
	for line := range strings.Lines(body) {
		if line = text.TrimEOL(line); line != "" && strings.IndexByte(" +-", line[0]) < 0 {
			return false
		}
	}
	return added.MatchString(body)
}

// added matches an added line that is not an item of a Markdown list.
var added = lazyregexp.New(`(?m)^\+[^ \r\n]`)

func isDiffFile(path string) bool {
	return strings.HasSuffix(path, ".diff") || strings.HasSuffix(path, ".patch")
}

// problemOf returns the problem of an entry's text: the text is an edit in another notation, or might not end where
// its fence ends. `below` are the fences below the entry.
func problemOf(e entry, below []*format.Region) problem {
	switch opened, bare := innerFences(e.fence); {
	case !e.fence.IsLong() && isDiff(e.fence.Body) && !isDiffFile(e.path.path):
		return changes
	case escapedMark.MatchString(e.fence.Body):
		return escaped
	case opened:
		return cut
	case leftOver(below):
		return loose
	case bare:
		return doubtful
	}
	return fine
}

// innerFences looks at the lines in a fence that are long enough to close it. `opened` is true if any of them opens
// a fence that is not closed. `bare` is true if any of them may be meant to close the outer fence: it has no tag,
// and is not between a blank line and text.
func innerFences(f *format.Region) (opened, bare bool) {
	size := 0 // the size of the open fence; 0 if none is open
	lines := text.SplitLines(f.Body)
	for i, line := range lines {
		mark, info := mdblock.FenceOf(text.TrimEOL(line))
		switch {
		case f.Mark == "" || !strings.HasPrefix(mark, f.Mark):
		case size == 0:
			opens := (i == 0 || text.IsBlank(lines[i-1])) && i+1 < len(lines) && !text.IsBlank(lines[i+1])
			size, bare = len(mark), bare || info == "" && !opens
		case info == "" && len(mark) >= size:
			size = 0
		}
	}
	return size > 0, bare
}

// leftOver reports whether the last fence is open and has neither a tag nor text. It then closes a text that ended
// too early.
func leftOver(fences []*format.Region) bool {
	if len(fences) == 0 {
		return false
	}
	last := fences[len(fences)-1]
	return !last.Closed && last.Info == "" && strings.TrimSpace(last.Body) == ""
}

const longer = "use a longer fence around the text, to show where it ends"

// A report is the diagnostic of a problem. {path} is the path of the entry.
type report struct {
	code    diag.Code
	message string
	stops   bool // the entry must not become a change
}

var reports = map[problem]report{
	unsure:     {diag.WholeUnsure, "{path} does not exist, and only the text of the block names it; write `New file:` and the path on the line above the block", false},
	unlikely:   {diag.WholeUnsure, "{path} does not exist, and perhaps its name is not that of a file; if it is, write `New file:` and the path on a line above", false},
	unlabelled: {diag.WholeUnsure, "only a sentence, or a heading further up, names the new file {path}; write `New file:` and the path on a line of its own above the text", false},
	spoken:     {diag.WholeSample, "only a sentence says that this text is for {path}; write the path on a line of its own, above the fence", false},
	changes:    {diag.WholeNotText, "the text of {path} is a diff, not the text of the file; send it in a `diff` fence, with the lines `---` and `+++` first", true},
	escaped:    {diag.WholeNotText, "the text of {path} is a SEARCH/REPLACE block that has `&lt;` in place of `<`; send it with `<`", true},
	cut:        {diag.WholeFences, "a fence in the text of {path} is not closed, so the text may be cut off; " + longer, true},
	loose:      {diag.WholeFences, "the fences of the reply are not paired, so the text of {path} may be cut off; " + longer, true},
	endless:    {diag.WholeFences, "nothing shows where the text of {path} ends; put the text between two lines of three backticks", true},
	sample:     {diag.WholeSample, "the text of {path} may be a sample: the reply has other fences without a path, and nothing shows that this text is meant for the file; if it is, write `New file:` or `Updated file:` before the path", false},
	several:    {diag.WholeFences, "the fence has several files, of which {path} is one: Aptix assumes that each file begins below the line with its path, and ends above the next path", false},
	mentioned:  {diag.WholeSample, "Aptix reads the line as a request to change {path} itself, but the line may be about something else; check whether it is", false},
	firstLine:  {diag.WholeSample, "the first line of the fence is read as the path of the file, {path}, and is not part of its text", false},
	doubtful:   {diag.WholeFences, "the text of {path} has a fence that may be its end; " + longer, false},
}

// broken reports an entry's problem. It returns true if the entry must not become a change.
func (r *reader) broken(e entry) bool {
	if e.under != "" && e.other == e.under {
		r.parsed.Report(diag.SearchPaths, e.name(), "the sentence above the fence names "+e.path.path+", but the heading names "+e.other+", and both files have much of the text; write only the path of the file on the line above the fence")
		return true
	}
	if e.other != "" {
		r.parsed.Report(diag.SearchPaths, e.name(), "the fence names "+e.path.path+", but the line above says "+e.other+"; remove one of the two paths")
		return true
	}
	p, is := reports[e.problem]
	if !is {
		return false
	}
	d := diag.New(p.code, e.name(), strings.ReplaceAll(p.message, "{path}", e.path.path))
	switch {
	case p.code == diag.WholeUnsure:
		d.Fixes = e.asNew(r.body)
	case p.code == diag.WholeFences && !p.stops:
		d = d.As(diag.Warning)
	}
	r.parsed.Diagnostics = append(r.parsed.Diagnostics, d)
	return p.stops
}

func (e entry) name() text.Span {
	if e.path.span != zero {
		return e.path.span
	}
	return e.at
}

// asNew returns the fix that labels the file as new, or nil for a region that is only the fence, because the path is
// outside of it.
func (e entry) asNew(body string) []diag.Fix {
	edit := text.Edit{Span: e.line, New: "### New file: `" + e.path.path + "`"}
	if e.line == zero {
		if e.content.Start == 0 {
			return nil
		}
		edit.Span, edit.New = text.Span{Start: e.at.Start, End: e.at.Start}, edit.New+text.FirstEOL(body)+text.FirstEOL(body)
	}
	return []diag.Fix{{Title: "Write `New file:`", Edits: []text.Edit{edit}}}
}
