package agenttools

import (
	"cmp"
	"math"
	"math/bits"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/aptix-dev/aptix/server/internal/text"
)

const (
	around     = 3       // lines that are shown before and after one that fits
	chunkLines = 60      // of one chunk
	chunkBytes = 8 << 10 // of one chunk
	smallFile  = 40      // lines of a file that is shown whole
	maxWords   = 16      // of a query
	maxQuery   = 2_000   // bytes
)

// A query is what is looked for, and what was found so far.
type query struct {
	patterns []*regexp.Regexp // a line is told by which of them it has
	ranked   bool             // by how rare the patterns are
	byLine   bool             // the patterns may tell the ends of lines
	under    *regexp.Regexp   // docPaths in which is searched
	limit    int

	files      int   // looked into so far
	filesWith  []int // each pattern
	candidates []candidate
}

// A candidate is a chunk and which patterns it has, as bits.
type candidate struct {
	chunk
	has uint
}

func (in searchInput) compile() (*query, error) {
	q := &query{under: within(in.Under), ranked: in.Mode == "" || in.Mode == byWords, byLine: in.Mode == byRegexp, limit: usualChunks}
	if in.Limit > 0 {
		q.limit = min(int(in.Limit), mostChunks)
	}
	expressions, refusal := in.expressions()
	if refusal != nil {
		return nil, refusal
	}
	flags := "(?i)"
	if in.Case {
		flags = ""
	}
	for _, e := range expressions {
		compiled, err := regexp.Compile(flags + e)
		if err != nil {
			return nil, Refuse("bad-arguments", "\"query\" is no regular expression (RE2): %v", err)
		}
		q.patterns = append(q.patterns, compiled)
	}
	q.filesWith = make([]int, len(q.patterns))
	return q, nil
}

// expressions is a query as regular expressions.
func (in searchInput) expressions() ([]string, *Refusal) {
	switch {
	case strings.TrimSpace(in.Query) == "":
		return nil, Refuse("bad-arguments", "\"query\" is empty; say what to look for")
	case len(in.Query) > maxQuery || len(in.Under) > maxQuery:
		return nil, Refuse("bad-arguments", "\"query\" and \"under\" may have %d bytes; look for less", maxQuery)
	case in.Mode == byRegexp:
		return []string{in.Query}, nil
	case in.Mode == byLiteral && strings.ContainsAny(in.Query, "\r\n"):
		return nil, Refuse("bad-arguments", "\"query\" has a line ending, and lines are looked at one by one; look for one of the lines")
	case in.Mode == byLiteral:
		return []string{regexp.QuoteMeta(in.Query)}, nil
	}
	found := words(in.Query)
	if found == nil {
		return nil, Refuse("bad-arguments", "\"query\" has no word in it; use the mode literal for other characters")
	}
	return found, nil
}

// within is what docPaths begin with; or, where there are the operators *, ** and ?,
// what they are as a whole.
func within(pattern string) *regexp.Regexp {
	quoted := regexp.QuoteMeta(strings.ToLower(pattern))
	if !strings.ContainsAny(pattern, "*?") {
		return regexp.MustCompile("^" + quoted)
	}
	operators := strings.NewReplacer(`\*\*/`, "(?:.*/)?", `\*\*`, ".*", `\*`, "[^/]*", `\?`, "[^/]")
	return regexp.MustCompile("^" + operators.Replace(quoted) + "$")
}

// words are those of a query, each once.
func words(query string) []string {
	all := strings.FieldsFunc(strings.ToLower(query), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
	var found []string
	for _, w := range all {
		if len(found) < maxWords && !slices.Contains(found, w) {
			found = append(found, w)
		}
	}
	return found
}

// look looks for the patterns in a file. Words count in its name, too; not in those of
// its folders, nor in the extension, which many files have in common.
func (q *query) look(key, s string) {
	q.files++
	named := uint(0)
	if q.ranked {
		named = q.in(strings.TrimSuffix(path.Base(key), path.Ext(key)))
	}
	if named == 0 && !q.byLine && q.in(s) == 0 {
		return
	}
	lines := text.SplitLines(s)
	has := make([]uint, len(lines))
	all := named
	for i, line := range lines {
		has[i] = q.in(text.TrimEOL(line))
		all |= has[i]
	}
	for i := range q.patterns {
		q.filesWith[i] += int(all >> i & 1)
	}
	q.cut(key, lines, has, named, all)
}

// in is which of the patterns a text has, as bits.
func (q *query) in(s string) (has uint) {
	for i, p := range q.patterns {
		if p.MatchString(s) {
			has |= 1 << i
		}
	}
	return has
}

// cut makes chunks of a file: of all of it where it is small, else of the lines that
// fit and those around them.
func (q *query) cut(key string, lines []string, has []uint, named, all uint) {
	if all == 0 || len(lines) == 0 {
		return
	}
	if len(lines) <= smallFile {
		if content := strings.Join(lines, ""); len(content) <= chunkBytes {
			q.candidates = append(q.candidates, candidate{chunk{DocPath: key, Source: "rag-full", IsFullFile: true, StartLine: 1, EndLine: len(lines), Content: content}, all})
			return
		}
	}
	if all == named && !slices.ContainsFunc(has, func(h uint) bool { return h != 0 }) {
		has[0] = named // only its name fits: it is shown by how it begins
	}
	done := 0
	for i := 0; i < len(lines); i++ {
		if has[i] != 0 && len(q.candidates) < maxCandidates {
			done = q.cutAt(key, lines, has, named, i, done)
			i = done - 1
		}
	}
}

// cutAt makes the chunk whose first fitting line is i, of lines from least on, and
// answers with the line behind it.
func (q *query) cutAt(key string, lines []string, has []uint, named uint, i, least int) int {
	start, size := before(lines, i, least)
	end, found := i+1, named
	for j := i; j < len(lines) && j < end+2*around && j-start < chunkLines; j++ {
		if has[j] != 0 {
			found |= has[j]
			end = j + 1
		}
	}
	end = min(len(lines), end+around)
	for j := i + 1; j < end; j++ {
		if size += len(lines[j]); size > chunkBytes {
			end = j
		}
	}
	content := strings.Join(lines[start:end], "")
	if len(content) > 2*chunkBytes {
		return end // a line that nobody reads, such as a minified program
	}
	q.candidates = append(q.candidates, candidate{chunk{DocPath: key, Source: "rag-snippet", StartLine: start + 1, EndLine: end, Content: content}, found})
	return end
}

// before is where a chunk begins whose first fitting line is i, and the size of it up to
// that line. A long line in front is left out: it must not take the fitting one along.
func before(lines []string, i, least int) (start, size int) {
	start, size = i, len(lines[i])
	for start > max(least, i-around) && size+len(lines[start-1]) <= chunkBytes {
		start--
		size += len(lines[start])
	}
	return start, size
}

// best are the chunks that fit best, as many as are asked for; more tells whether
// some are left out.
func (q *query) best() (best []chunk, more bool) {
	best = []chunk{}
	if q.ranked {
		for i := range q.candidates {
			q.candidates[i].Score = q.score(q.candidates[i].has)
		}
	}
	slices.SortStableFunc(q.candidates, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.DocPath, b.DocPath), cmp.Compare(a.StartLine, b.StartLine))
	})
	size := 0
	for _, c := range q.candidates {
		if size += len(c.Content); len(best) == q.limit || size > maxFound {
			return best, true
		}
		best = append(best, c.chunk)
	}
	return best, false
}

// score adds up how rare each of the words is that a chunk has: one in every file
// counts least.
func (q *query) score(has uint) (sum float64) {
	for ; has != 0; has &= has - 1 {
		i := bits.TrailingZeros(has)
		sum += math.Log2(1 + float64(q.files)/float64(max(1, q.filesWith[i])))
	}
	return math.Round(sum*100) / 100
}
