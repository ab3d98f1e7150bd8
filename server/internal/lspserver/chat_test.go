package lspserver_test

import (
	"encoding/json"
	"slices"
	"testing"

	lsp "go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/protocol"
)

// session is an exported chat with one answer.
func session(t *testing.T, answer, state string) protocol.ChatSession {
	t.Helper()
	text, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	return protocol.ChatSession{JSON: `{"requests": [{"requestId": "r", "response": [{"value": ` + string(text) + `}], ` + state + `}]}`}
}

const completeState = `"modelState": {"value": 1}`

func TestChatAnswer(t *testing.T) {
	c := serve(t, tree, nil)
	for name, test := range map[string]struct {
		session protocol.ChatSession
		want    protocol.ChatAnswer
	}{
		"good":      {session(t, reply, completeState), protocol.ChatAnswer{ID: "r", State: "complete", Text: reply, Blocks: 1}},
		"streaming": {session(t, reply[:60], `"modelState": {"value": 0}`), protocol.ChatAnswer{ID: "r", State: "streaming", Message: "The last answer is not complete yet.", Blocks: 1}},
		"stopped":   {session(t, reply, `"modelState": {"value": 2}, "elapsedMs": 1`), protocol.ChatAnswer{ID: "r", State: "stopped", Text: reply, Message: "The last answer was stopped before its end. It may lack edits.", Blocks: 1}},
		"no block":  {session(t, "You are welcome.", completeState), protocol.ChatAnswer{ID: "r", State: "complete", Message: "The last answer has no Aptix block."}},
		"declined":  {session(t, "Unable to generate a safe Git patch.", completeState), protocol.ChatAnswer{ID: "r", State: "complete", Text: "Unable to generate a safe Git patch."}},
		"empty":     {protocol.ChatSession{JSON: `{"requests": []}`}, protocol.ChatAnswer{State: "complete", Message: "This chat has no answer yet."}},
	} {
		t.Run(name, func(t *testing.T) {
			var got protocol.ChatAnswer
			c.MustCall(protocol.MethodChatAnswer, test.session, &got)
			if got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
	var got protocol.ChatAnswer
	if err := c.Call(protocol.MethodChatAnswer, protocol.ChatSession{JSON: "no"}, &got); err == nil {
		t.Error("what is no session has no error")
	}
}

func TestLensesOfAnswer(t *testing.T) {
	c := serve(t, tree, nil)
	const answer = "aptix-chat:/1/Chat%20answer"
	c.Editor.OpenText(answer, "markdown", bundle(create("../x", "")))
	var lenses []lsp.CodeLens
	c.MustCall(lsp.MethodTextDocumentCodeLens, &lsp.CodeLensParams{TextDocument: lsp.TextDocumentIdentifier{URI: answer}}, &lenses)
	for title, command := range map[string]string{"Send to chat": protocol.CommandSendToChat, "Fix…": protocol.CommandFixChat} {
		if !slices.ContainsFunc(lenses, func(l lsp.CodeLens) bool { return l.Command.Title == title && l.Command.Command == command }) {
			t.Errorf("no lens %s: %+v", title, lenses)
		}
	}
}
