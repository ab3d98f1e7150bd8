package chat_test

import (
	"testing"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/chat"
)

// Whatever the session, its last answer has a state, and an answer that is still being
// written does not count as ended.
func FuzzLastAnswer(f *testing.F) {
	f.Add(requests(complete("a", `{"value": "text"}`, `{"kind": "toolInvocationSerialized"}`, `{"kind": "markdownVuln", "content": {"value": "x"}}`)))
	f.Add(requests(complete("a", `{"kind": "inlineReference", "inlineReference": {"uri": {"path": "/w/a%20b.py"}}}`), `{"modelState": {"value": 0}}`))
	f.Add(requests(`{"response": [1, null, "x"], "result": {"metadata": {"aptix": {"answer": "good"}}}, "isCanceled": true}`))
	f.Fuzz(func(t *testing.T, exported string) {
		last, err := chat.LastAnswer(exported)
		if err == nil && last != nil && last.State == "" {
			t.Errorf("%+v has no state", last)
		}
		ended, err := chat.LastEnded(exported)
		if err == nil && ended != nil && ended.State == protocol.ChatStreaming {
			t.Errorf("%+v has not ended", ended)
		}
	})
}
