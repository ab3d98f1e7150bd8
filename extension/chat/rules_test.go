package chat_test

import (
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/extension/chat"
)

func TestLessons(t *testing.T) {
	for format, fence := range map[string]string{"bundle": "```json", "structured": "```json", "git": "```patch", "ap": "```ap", "lines": "```json"} {
		lesson := chat.Lesson(format)
		if !strings.HasPrefix(lesson, "# ") || !strings.Contains(lesson, fence+"\n") {
			t.Errorf("%s: no heading or no example:\n%s", format, lesson)
		}
	}
	if got := chat.Lesson("search-replace"); got != "" {
		t.Errorf("a lesson that nobody wrote: %q", got)
	}
}

func TestAlways(t *testing.T) {
	if got := chat.Always(); !strings.HasPrefix(got, "- ") || strings.Contains(got, "\n#") || strings.Count(got, "\n- ") < 4 {
		t.Errorf("want a list, got:\n%s", got)
	}
}
