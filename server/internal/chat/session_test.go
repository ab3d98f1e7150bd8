package chat_test

import (
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/chat"
)

// requests returns a session as VS Code 1.139 exports it, reduced to the members that this
// package reads.
func requests(all ...string) string { return `{"requests": [` + strings.Join(all, ",") + `]}` }

func complete(id string, parts ...string) string {
	return `{"requestId": "` + id + `", "response": [` + strings.Join(parts, ",") + `], "result": {}, "modelState": {"value": 1, "completedAt": 9}, "elapsedMs": 3}`
}

func TestLastAnswerText(t *testing.T) {
	for name, test := range map[string]struct{ session, want string }{
		"last of two":      {requests(complete("a", `{"value": "first"}`), complete("b", `{"value": "second"}`)), "second"},
		"parts of a text":  {requests(complete("a", `{"value": "one\ntw"}`, `{"value": "o\n"}`)), "one\ntwo\n"},
		"tool in between":  {requests(complete("a", `{"value": "I look."}`, `{"kind": "toolInvocationSerialized"}`, "{\"value\": \"```json\\n{}\\n```\"}")), "I look.\n\n```json\n{}\n```"},
		"thought is none":  {requests(complete("a", `{"kind": "thinking", "value": "hm"}`, `{"value": "so"}`)), "so"},
		"list as a value":  {requests(complete("a", `{"kind": "thinking", "value": ["hm"]}`, `{"value": ["x"]}`, `{"value": "so"}`)), "so"},
		"link to a file":   {requests(complete("a", `{"value": "In "}`, `{"kind": "inlineReference", "inlineReference": {"scheme": "file", "path": "/w/a%20b.py"}}`, `{"value": ":\n"}`)), "In a b.py:\n"},
		"link to a range":  {requests(complete("a", `{"kind": "inlineReference", "inlineReference": {"uri": {"path": "/w/c.py"}, "range": {}}}`)), "c.py"},
		"link with a name": {requests(complete("a", `{"kind": "inlineReference", "name": "d", "inlineReference": {"path": "/w/c.py"}}`)), "d"},
		"link to a symbol": {requests(complete("a", `{"kind": "inlineReference", "inlineReference": {"name": "greet", "location": {}}}`)), "greet"},
		"vulnerable code":  {requests(complete("a", "{\"value\": \"```\\n\"}", `{"kind": "markdownVuln", "content": {"value": "eval(x)\n"}}`, "{\"value\": \"```\"}")), "```\neval(x)\n```"},
		"address of code":  {requests(complete("a", "{\"value\": \"```\\nx\"}", `{"kind": "codeblockUri"}`, `{"value": "y"}`)), "```\nxy"},
		"undone request":   {requests(complete("a", `{"value": "kept"}`), `{"requestId": "b", "shouldBeRemovedOnSend": {"requestId": "b"}, "response": [{"value": "gone"}], "result": {}}`), "kept"},
		"repaired by us":   {requests(`{"response": [{"value": "broken"}], "modelState": {"value": 1}, "result": {"metadata": {"aptix": {"answer": "good"}}}}`), "good"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := chat.LastAnswer(test.session)
			if err != nil || got == nil || got.Text != test.want {
				t.Errorf("got %+v, %v; want %q", got, err, test.want)
			}
		})
	}
}

func TestLastEnded(t *testing.T) {
	running := `{"requestId": "b", "response": [{"value": "I am wri"}], "modelState": {"value": 0}}`
	got, err := chat.LastEnded(requests(complete("a", `{"value": "first"}`), running))
	if err != nil || got == nil || got.Text != "first" {
		t.Errorf("got %+v, %v", got, err)
	}
	if got, err := chat.LastEnded(requests(running)); err != nil || got != nil {
		t.Errorf("got %+v, %v; want none", got, err)
	}
}

func TestLastAnswerState(t *testing.T) {
	for session, want := range map[string]protocol.ChatState{
		`"result": {}, "modelState": {"value": 1, "completedAt": 9}`: protocol.ChatComplete,
		`"result": {}`: protocol.ChatComplete,
		`"modelState": {"value": 2, "completedAt": 9}`:                 protocol.ChatStreaming,
		`"modelState": {"value": 0}`:                                   protocol.ChatStreaming,
		`"modelState": {"value": 4}`:                                   protocol.ChatStreaming,
		`"response": null`:                                             protocol.ChatStreaming,
		`"modelState": {"value": 2, "completedAt": 9}, "elapsedMs": 0`: protocol.ChatStopped,
		`"modelState": {"value": 3}, "result": {"errorDetails": {}}`:   protocol.ChatStopped,
		`"isCanceled": true, "result": {}`:                             protocol.ChatStopped,
		`"modelState": {"value": 7}, "result": {}, "elapsedMs": 1`:     protocol.ChatStreaming,
	} {
		got, err := chat.LastAnswer(requests("{" + session + "}"))
		if err != nil || got == nil || got.State != want {
			t.Errorf("%s: got %+v, %v; want %s", session, got, err, want)
		}
	}
}

func TestNoAnswer(t *testing.T) {
	for _, session := range []string{`{}`, requests()} {
		if got, err := chat.LastAnswer(session); got != nil || err != nil {
			t.Errorf("%s: got %+v, %v", session, got, err)
		}
	}
	for _, session := range []string{``, `[]`, `{"requests": "none"}`, requests(complete("a", `"text"`))} {
		if got, err := chat.LastAnswer(session); err == nil {
			t.Errorf("%s: got %+v and no error", session, got)
		}
	}
}
