package mdblock

import "strings"

// closeAP returns the row that closes the block. If no value is open, the first line that resembles the closing fence
// closes the block. Inside a value, the line is content in two cases:
//
//   - A directive of the same patch follows below. But if the patch's header comes before the directive again, or if
//     the directive is inside another fence with an ap tag or header, the patch was written in two blocks, and the line
//     closes the block.
//   - A tagged fence was opened in the same value, and only the nested reading is consistent: in CommonMark's reading,
//     a fence is open at the end of the reply, or a tagged fence begins inside another.
//
// Otherwise the line closes the block. If, in CommonMark's reading, a tagged fence with text is still open in the
// value, the block is unsure, because the value may be cut off. After END, a tagged fence begins another block.
func (r reader) closeAP() row {
	var p apPatch
	var inner row  // the last line in the value that opened a tagged fence
	directive := 0 // the offset of a directive below the line in doubt
	for {
		w := r.next()
		if !w.ok {
			return w
		}
		line := r.content(w)
		if !w.fence {
			tagged := r.opening(w) != ""
			if tagged && p.ended {
				return leftOpen(w)
			}
			if tagged {
				inner = w
			}
			p.read(line, tagged)
			continue
		}
		if !p.value {
			return w
		}
		if directive < w.start {
			directive = r.directiveBelow(p.id)
		}
		if directive > w.start {
			p.nested, p.below = false, false
			continue
		}
		if !p.nested {
			return w
		}
		if closing := r.closesLater(); closing.ok {
			return closing
		}
		size, _ := r.fenceOf(r.content(inner))
		w.unsure = p.below && size >= r.fence.size
		return w
	}
}

type apPatch struct {
	id     string // the ID of the patch; "" before the first directive
	value  bool   // the last directive has a value, and the lines below it belong to the value
	nested bool   // a tagged fence inside the value is still open
	below  bool   // the fence inside the value has text
	ended  bool
}

func (p *apPatch) read(line string, opening bool) {
	if p.id == "" {
		// ap 3.2 allows a missing header. Without a header, the first FILE has the ID.
		p.id = apID(line, "AP") + apID(line, "FILE")
	}
	keyword, ok := p.directive(line)
	if !ok {
		p.below = p.nested && (p.below || !isBlankLine(line))
		p.nested = p.nested || opening
		return
	}
	p.ended = p.ended || keyword == "END"
	p.nested, p.below = false, false
	switch keyword {
	case "FILE", "RENAME", "snippet", "snippet_tail", "anchor", "content":
		p.value = !p.ended
	default:
		p.value = false
	}
}

func (p *apPatch) directive(line string) (keyword string, ok bool) {
	if p.id == "" || !strings.HasPrefix(line, p.id) {
		return "", false
	}
	rest := line[len(p.id):]
	if rest != "" && !isBlank(rest[0]) {
		return "", false
	}
	keyword, _, _ = strings.Cut(strings.TrimLeft(rest, " \t"), " ")
	return keyword, true
}

// apID returns the eight hexadecimal digits with which a directive begins. If the line is not a directive with the
// given keyword, it returns "".
func apID(line, keyword string) string {
	if len(line) < 9 || line[8] != ' ' || strings.Trim(line[:8], "0123456789abcdefABCDEF") != "" {
		return ""
	}
	if word, _, _ := strings.Cut(line[9:], " "); word != keyword {
		return ""
	}
	return line[:8]
}

// directiveBelow returns the offset of the next directive of the patch with the given ID, or 0. It ignores directives
// in another block.
func (r reader) directiveBelow(id string) int {
	p := apPatch{id: id}
	inAP := false // true while the line is inside another fence with an ap patch
	for w := r.peek(); w.ok; w = r.peek() {
		line := r.content(w)
		if keyword, ok := p.directive(line); ok {
			if keyword == "AP" || inAP {
				return 0
			}
			return w.start
		}
		switch {
		case w.fence:
			inAP = false
		case r.opening(w) == "ap" || apID(line, "AP") != "":
			inAP = true
		}
	}
	return 0
}

// closesLater assumes that the previous row closes a fence inside a value, and returns the row that then closes the
// block. The field ok of the row is false if the assumption does not help. It is also false if the assumption is not
// needed: without it, each fence in the rest of the reply is closed, and no tagged fence begins inside another.
func (r reader) closesLater() row {
	var closing row
	plain, nested := false, false // whether a fence is open, without the assumption and with it
	// whether a tagged fence began inside an open fence, without the assumption and with it
	plainOdd, nestedOdd := false, false
	for w := r.peek(); w.ok && !r.opensFamily(w); w = r.peek() {
		tagged := r.opening(w) != ""
		if !tagged && !w.fence {
			continue
		}
		plainOdd, nestedOdd = plainOdd || plain && tagged, nestedOdd || nested && tagged
		plain = !plain || tagged
		if !nested && !tagged && !closing.ok {
			closing = w
		} else {
			nested = !nested || tagged
		}
	}
	if r.budget < 0 || nested || !plain && (!plainOdd || nestedOdd) {
		return row{}
	}
	return closing
}
