package agenttools

import (
	"context"
	"io"
	"regexp"
	"regexp/syntax"
	"strings"
)

// A pattern is a regular expression whose search in a long line can be cancelled. The search
// time is proportional to the length of the line times the length of the expression.
type pattern struct {
	*regexp.Regexp
	size int // instructions of the compiled expression
}

func newPattern(expression string) (pattern, error) {
	compiled, err := regexp.Compile(expression)
	if err != nil {
		return pattern{}, err
	}
	parsed, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return pattern{}, err
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return pattern{}, err
	}
	return pattern{compiled, len(program.Inst)}, nil
}

// atOnce is the number of steps for which a search may run without checking its context: a
// few tenths of a second.
const atOnce = 4 << 20

// matches reports whether a line matches. Its result may be wrong if ctx has ended.
func (p pattern) matches(ctx context.Context, line string) bool {
	if len(line)*p.size <= atOnce {
		return p.MatchString(line)
	}
	return p.MatchReader(&endingReader{ctx: ctx, each: max(1, atOnce/p.size/16), Reader: strings.NewReader(line)})
}

// An endingReader reports the end of its text when its context ends.
type endingReader struct {
	ctx        context.Context
	each, read int // characters between two checks of ctx
	*strings.Reader
}

func (r *endingReader) ReadRune() (ch rune, size int, err error) {
	if r.read++; r.read%r.each == 0 && r.ctx.Err() != nil {
		return 0, 0, io.EOF
	}
	return r.Reader.ReadRune()
}
