package mdblock

import (
	"strings"
	"testing"
)

func TestReadThoughts(t *testing.T) {
	for _, tt := range []struct{ doc, want string }{
		{"a <think> b </think>", "a <think> b </think>"},
		{"<think>\na\n</think>\nb", "b"},
		{" \n<thinking>a</thinking> b", "b"},
		{"<reasoning>\na </think>\n</reasoning>\nb", "b"},
		{"<thinking-content-7b8>\na </thinking>\n</thinking-content-7b8>\nb", "b"},
		{"<think>\na\n```\nb", ""},
		{"a\n</think>\n\nb", "b"},
		{"a\n```\n</think>\n```\n", "a\n```\n</think>\n```"},
		{"say <think>\n</think>\nb", "say <think>\n</think>\nb"},
		{"<thinker>\n</thinker>", "<thinker>\n</thinker>"},
	} {
		got := Read(tt.doc).Text
		if len(got) != len(tt.doc) || strings.Count(got, "\n") != strings.Count(tt.doc, "\n") {
			t.Errorf("the text of %q = %q, in which offsets moved", tt.doc, got)
		}
		if strings.TrimSpace(got) != tt.want {
			t.Errorf("the text of %q leaves %q, want %q", tt.doc, strings.TrimSpace(got), tt.want)
		}
	}
}
