package plan

import (
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/text"
)

func TestRoom(t *testing.T) {
	r := room{held: 100, most: 200}
	s := locate.NewText(strings.Repeat("a", 50))
	edit := func(n int) []text.Edit {
		return []text.Edit{{Span: text.Span{Start: 0, End: 10}, New: strings.Repeat("b", n)}}
	}
	if d := r.grow(s, edit(60)); d != nil {
		t.Errorf("an edit that fits: %v", d)
	}
	if d := r.grow(s, edit(60)); d != nil {
		t.Errorf("another one that fits: %v", d)
	}
	if d := r.grow(s, edit(5)); d != nil {
		t.Errorf("an edit that takes away: %v", d)
	}
	if d := r.grow(s, edit(12)); d == nil || d.Code != diag.ReplyTooLarge {
		t.Errorf("an edit that does not fit: %v", d)
	}
	huge := make([]text.Edit, 3)
	for i := range huge {
		huge[i] = text.Edit{Span: text.Span{Start: i, End: i + 1}, New: strings.Repeat("c", MaxFile/2)}
	}
	r = room{}
	if d := r.grow(s, huge); d == nil || d.Code != diag.ReplyTooLarge {
		t.Errorf("a file that is too large: %v", d)
	}
}
