package doubt

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// unended finds a block that loses the word at its end, such as `end` or `fi`, or such a word that ends no block. The
// evidence is the number of these words and the indentation, and the file must be right in both before the change.
func (c *Change) unended() *Doubt {
	more := 0 // the number of blocks that the runs begin and do not end
	for _, r := range c.Runs {
		more += text.Count(r.New, mayBegin.MatchString) - text.Count(r.Old, mayBegin.MatchString) - text.Count(r.New, endWord.MatchString) + text.Count(r.Old, endWord.MatchString)
	}
	if more == 0 || c.isDocument() || c.adds(hereDocument.MatchString) || !c.Meter.Pay(len(c.Before())/eachNamed) {
		return nil
	}
	if was := endsOf(c.oldLines()); was.closed == 0 || was.open != "" || was.stray != "" {
		return nil
	}
	switch is := endsOf(c.after()); {
	case more > 0 && is.open != "":
		return warn(c.At, diag.InvalidSyntax, "%s would no longer be valid: no line ends the block of %q; write its end again", c.Path, text.Cut(is.open, 60))
	case more < 0 && is.stray != "":
		return warn(c.At, diag.InvalidSyntax, "%s would no longer be valid: a line %q ends no block; leave it out, or write the line that begins the block", c.Path, is.stray)
	}
	return nil
}

var (
	// endWord matches a line that ends a block, and middleWord a line that begins another part of it.
	endWord    = lazyregexp.New(`^\s*(?:end|fi|done|esac|endif|endforeach|endfunction|endmacro|endwhile)(?:\s*$|\s*[;)\]},|.&<(]|\s+\w)`)
	middleWord = lazyregexp.New(`^\s*(?:else|elsif|elseif|elif|rescue|ensure|when|in|then|do|catch|after)\b`)
	// beginsBlock matches a line that certainly begins a block, if lines below are indented more, and mayBegin a line that may
	// begin one anywhere.
	beginsBlock = lazyregexp.New(`^\s*(?:local )?(?:def|class|module|if|unless|while|until|for|case|begin|function|defmodule|defp|foreach|macro)\b|\bdo(?: \|[^|]*\|)?$`)
	mayBegin    = lazyregexp.New(`\b(?:def\w*|class|module|function|fn|do|begin|case|try|quote|let|struct|macro|foreach|select)\b|(?:^\s*|[=(,&|] ?|\breturn )(?:if|unless|while|until|for)\b`)
)

var hereDocument = lazyregexp.New(`<<[-~]?["']?[A-Z_]|^=begin`)

// blockEnds says how the blocks of a file end. A block consists of a line that begins it, and of lines below that are indented
// more.
type blockEnds struct {
	closed int    // the number of blocks that a word ends
	open   string // a line that begins a block without an end, or ""
	stray  string // an end without a block, or ""
}

func endsOf(lines []string) (found blockEnds) {
	type level struct {
		depth  int
		begins string // the line that begins a block, or ""
		inner  bool   // a line below is indented more
	}
	var around []level
	leave := func(depth int) (last level) {
		for n := len(around) - 1; n >= 0 && around[n].depth >= depth; n-- {
			if last = around[n]; last.depth > depth && last.begins != "" && last.inner {
				found.open = last.begins
			}
			around = around[:n]
		}
		return last
	}
	for _, line := range lines {
		if text.IsBlank(line) || isRemark(line) {
			continue
		}
		depth := len(text.Indentation(line))
		if n := len(around) - 1; n >= 0 && around[n].depth < depth {
			around[n].inner = true
		}
		own := leave(depth)
		if own.depth != depth {
			own = level{depth: depth}
		}
		switch {
		case endWord.MatchString(line):
			if found.closed++; own.begins == "" {
				found.stray = strings.TrimSpace(line)
			}
			own = level{depth: depth}
		case middleWord.MatchString(line):
		default:
			if own.begins != "" && own.inner && strings.IndexByte(")]}", line[depth]) < 0 {
				found.open = own.begins
			}
			own = level{depth: depth}
			if beginsBlock.MatchString(line) {
				own.begins = strings.TrimSpace(line)
			}
		}
		around = append(around, own)
	}
	leave(-1)
	return found
}
