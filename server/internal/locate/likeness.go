package locate

import "github.com/aptix-dev/aptix/server/internal/text"

// Kept returns the share of a text that another text also has, from 0 to 1. It compares line by
// line, in order, and without the white space around lines. For very long texts it returns 0.
func Kept(s, other string) float64 {
	want, there := rows(s, text.Span{End: len(s)}), rows(other, text.Span{End: len(other)})
	if len(want) == 1 && len(there) == 1 {
		return float64(newComparer(want[0].text).common(there[0].text)) / float64(len(want[0].text))
	}
	if len(want) > maxRows || len(there) > maxRows {
		return 0
	}
	common, all := 0, 0
	for _, p := range align(nil, want, there) {
		common += p.common
	}
	for _, r := range want {
		all += len(r.text)
	}
	return float64(common) / float64(max(all, 1))
}
