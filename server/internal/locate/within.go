package locate

// maxWithin bounds the work of finding a part of a line in another line.
const maxWithin = 1 << 18

// within returns the part of line that is most similar to part. The result may begin after the
// start of line only if freeHead is true, and may end before its end only if freeTail is true. ok
// is false if the two are too long to compare.
func within(part, line string, freeHead, freeTail bool) (start, end int, ok bool) {
	if len(part)*len(line) > maxWithin {
		return 0, len(line), false
	}
	// Each entry of the column is the best way to match a prefix of part with line[start:j].
	type way struct{ score, start int }
	column := make([]way, len(part)+1)
	for i := range column {
		column[i] = way{score: -i}
	}
	best, end := column[len(part)], 0
	for j := 1; j <= len(line); j++ {
		diagonal := column[0]
		if freeHead {
			column[0] = way{start: j}
		} else {
			column[0].score--
		}
		for i := 1; i <= len(part); i++ {
			next := column[i-1] // without part[i-1], which line lacks
			if column[i].score > next.score {
				next = column[i] // without line[j-1], which part lacks
			}
			next.score--
			if part[i-1] == line[j-1] && diagonal.score+2 >= next.score {
				next = way{diagonal.score + 2, diagonal.start}
			}
			diagonal, column[i] = column[i], next
		}
		if last := column[len(part)]; last.score > best.score || !freeTail && j == len(line) {
			best, end = last, j
		}
	}
	if !freeTail {
		end = len(line)
	}
	return best.start, end, true
}
