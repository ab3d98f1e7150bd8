package main

import (
	"iter"
	"regexp"
	"strings"
)

// A block is one SEARCH/REPLACE block of a reply. Its two texts end with a newline, or are empty.
type block struct{ path, search, replace string }

// A reply is a model's answer whose edits became a commit.
type reply struct {
	commit string
	text   string
	blocks []block
	before tree // the contents of the files that the commit changes, and of the files that the blocks name
	after  tree
	known  bool // the commit has the lines of the reply; otherwise the correct result is unknown
}

var commitLine = regexp.MustCompile(`^> Commit ([0-9a-f]{7}) (.*)`)

// readChat returns the replies of the chat history whose commits are in the repository.
func readChat(repo repository) ([]reply, error) {
	history, err := repo.git("cat-file", "blob", "HEAD:tests/fixtures/chat-history.md")
	if err != nil {
		return nil, err
	}
	var replies []reply
	for turn := range turns(string(history)) {
		if r, ok := joined(repo, turn); ok {
			replies = append(replies, r)
		}
	}
	return replies, nil
}

// A turn is the answer of a model in a chat history that became a commit.
type turn struct {
	lines  []string
	commit string
}

// turns yields the turns of a chat history. In the history, lines of a person begin with "#### ", and lines of the
// program with "> ". A commit by a linter is not a turn.
func turns(history string) iter.Seq[turn] {
	return func(yield func(turn) bool) {
		var now turn
		closed := true // true if the current turn has ended
		for line := range strings.SplitSeq(history, "\n") {
			switch m := commitLine.FindStringSubmatch(line); {
			case m != nil:
				if now.commit = m[1]; !strings.HasPrefix(m[2], "style:") && !yield(now) {
					return
				}
				now = turn{}
			case strings.HasPrefix(line, "####"):
				now = turn{}
			case strings.HasPrefix(line, ">") && !strings.HasPrefix(line, ">>>>>>>"):
				closed = true
			default:
				if closed && strings.TrimSpace(line) != "" {
					now, closed = turn{}, false
				}
				now.lines = append(now.lines, line)
			}
		}
	}
}

// joined makes a reply from a turn and the commit that it became.
func joined(repo repository, t turn) (reply, bool) {
	commit, blocks := t.commit, readBlocks(t.lines)
	if len(blocks) == 0 {
		return reply{}, false
	}
	before, after, err := repo.changed(commit+"^", commit)
	if err != nil || len(after) == 0 {
		return reply{}, false
	}
	for _, b := range blocks {
		if _, known := before[b.path]; !known {
			repo.add(before, commit+"^", b.path)
			repo.add(after, commit, b.path)
		}
	}
	return reply{commit: commit, text: strings.Join(t.lines, "\n") + "\n", blocks: blocks, before: before, after: after, known: hasLines(after, blocks)}, true
}

// hasLines reports whether a commit contains at least half of the new lines in blocks. White space
// does not count. A commit that contains fewer of them belongs to another turn.
func hasLines(after tree, blocks []block) bool {
	var added []string
	for _, b := range blocks {
		old := linesOf(tree{b.path: b.search})
		for line := range eachTrimmed(b.replace) {
			if !old[line] {
				added = append(added, line)
			}
		}
	}
	return hasShare(linesOf(after), added, 50)
}

// readBlocks reads SEARCH/REPLACE blocks as the history contains them. The path is on the line
// above the fence or above the marks.
func readBlocks(lines []string) []block {
	var blocks []block
	path := ""
	for i := 0; i < len(lines); i++ {
		if !strings.HasPrefix(lines[i], "<<<<<<< SEARCH") {
			continue
		}
		if p := pathAbove(lines[:i]); p != "" {
			path = p
		}
		search, next := joinUpTo(lines, i+1, "=======")
		replace, end := joinUpTo(lines, next+1, ">>>>>>> REPLACE")
		if end >= len(lines) {
			break
		}
		blocks = append(blocks, block{path, search, replace})
		i = end
	}
	return blocks
}

// tagFence matches the tag that opens a code block whose text has backticks.
var tagFence = regexp.MustCompile(`^<(source|code|pre|codeblock|sourcecode)>`)

func pathAbove(lines []string) string {
	for i := len(lines) - 1; i >= 0 && i >= len(lines)-3; i-- {
		line := strings.Trim(strings.TrimSpace(lines[i]), "`*:#")
		if line == "" || strings.HasPrefix(lines[i], "```") || tagFence.MatchString(lines[i]) {
			continue
		}
		if !strings.ContainsAny(line, " <>") && strings.ContainsAny(line, "./") {
			return line
		}
		return ""
	}
	return ""
}

// joinUpTo joins the lines from index i up to the line with the mark, and returns the index of that
// line.
func joinUpTo(lines []string, i int, mark string) (string, int) {
	var b strings.Builder
	for ; i < len(lines) && !strings.HasPrefix(lines[i], mark); i++ {
		b.WriteString(lines[i] + "\n")
	}
	return b.String(), i
}
