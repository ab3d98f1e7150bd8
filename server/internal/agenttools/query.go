package agenttools

import (
	"context"
	"io"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

const (
	maxWords = 16
	maxQuery = 2_000 // the length limit of a query, and of its docPath pattern, in bytes
)

type query struct {
	patterns []pattern      // a file must match all of them
	under    *regexp.Regexp // matches the docPaths of the files to search
	limit    int
}

func (in searchInput) compile() (query, error) {
	q := query{under: docPaths(in.Under), limit: usualChunks}
	if in.Limit > 0 {
		q.limit = min(int(in.Limit), mostChunks)
	}
	expressions, refusal := in.expressions()
	if refusal != nil {
		return query{}, refusal
	}
	flags := "(?i)"
	if in.Case {
		flags = ""
	}
	for _, e := range expressions {
		p, err := newPattern(flags + e)
		if err != nil {
			return query{}, Refuse("bad-arguments", "\"query\" is not a valid regular expression (RE2): %v", err)
		}
		q.patterns = append(q.patterns, p)
	}
	return q, nil
}

func (in searchInput) expressions() ([]string, *Refusal) {
	switch {
	case strings.TrimSpace(in.Query) == "":
		return nil, Refuse("bad-arguments", "\"query\" is empty; it is the text to search for")
	case len(in.Query) > maxQuery || len(in.Under) > maxQuery:
		return nil, Refuse("bad-arguments", "\"query\" and \"under\" can each have at most %d bytes", maxQuery)
	case in.Mode == byRegexp:
		return []string{in.Query}, nil
	case in.Mode == byLiteral && strings.ContainsAny(in.Query, "\r\n"):
		return nil, Refuse("bad-arguments", "\"query\" contains a line ending, but each line is searched separately; search for one of the lines")
	case in.Mode == byLiteral:
		return []string{regexp.QuoteMeta(in.Query)}, nil
	}
	found := words(in.Query, in.Case)
	if found == nil {
		return nil, Refuse("bad-arguments", "\"query\" contains no word; use the mode literal for other characters")
	}
	return found, nil
}

// words returns the distinct words of a query, in lower case unless case matters. The words contain no operators of
// regular expressions.
func words(query string, caseSensitive bool) []string {
	if !caseSensitive {
		query = strings.ToLower(query)
	}
	all := text.Names(query)
	var found []string
	for _, w := range all {
		if len(found) < maxWords && !slices.Contains(found, w) {
			found = append(found, w)
		}
	}
	return found
}

// docPaths returns an expression that matches all docPaths with the prefix `pattern`. If the pattern has any of the
// wildcards *, ** and ?, the expression matches whole docPaths instead.
func docPaths(pattern string) *regexp.Regexp {
	quoted := regexp.QuoteMeta(strings.ToLower(pattern))
	if !strings.ContainsAny(pattern, "*?") {
		return regexp.MustCompile("^" + quoted)
	}
	wildcards := strings.NewReplacer(`\*\*/`, "(?:.*/)?", `\*\*`, ".*", `\*`, "[^/]*", `\?`, "[^/]")
	return regexp.MustCompile("^" + wildcards.Replace(quoted) + "$")
}

// matches reports for each line whether one of the patterns matches. It returns nil if there is a pattern that
// matches no line, or if `ctx` has ended.
func (q query) matches(ctx context.Context, lines []string) []bool {
	matches := make([]bool, len(lines))
	for _, p := range q.patterns {
		found := false
		for i, line := range lines {
			if p.matches(ctx, text.TrimEOL(line)) {
				matches[i], found = true, true
			}
			if ctx.Err() != nil {
				return nil
			}
		}
		if !found {
			return nil
		}
	}
	return matches
}

// A pattern is a regular expression whose search in a long line can be cancelled. The time of a search is proportional
// to the length of the line times the length of the expression.
type pattern struct {
	*regexp.Regexp
	size int // number of instructions in the compiled expression
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

// atOnce limits the steps of a search that does not check its context. This many steps take a few tenths of a second.
const atOnce = 4 << 20

// matches reports whether a line matches. The result may be wrong if `ctx` has ended.
func (p pattern) matches(ctx context.Context, line string) bool {
	if len(line)*p.size <= atOnce {
		return p.MatchString(line)
	}
	return p.MatchReader(&endingReader{ctx: ctx, each: max(1, atOnce/p.size/16), Reader: strings.NewReader(line)})
}

type endingReader struct {
	ctx        context.Context
	each, read int // `each` is the number of characters between two checks of `ctx`
	*strings.Reader
}

func (r *endingReader) ReadRune() (ch rune, size int, err error) {
	if r.read++; r.read%r.each == 0 && r.ctx.Err() != nil {
		return 0, 0, io.EOF
	}
	return r.Reader.ReadRune()
}
