package prompt_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/prompt"
)

func user(s string) protocol.ChatMessage {
	return protocol.ChatMessage{Role: protocol.ChatUser, Text: s}
}

func assistant(s string) protocol.ChatMessage {
	return protocol.ChatMessage{Role: protocol.ChatAssistant, Text: s}
}

func TestMessages(t *testing.T) {
	ask := prompt.Ask{
		Format: "ap", Prompt: "Rename it.", Budget: 100_000,
		History: []protocol.ChatMessage{user("Hello."), assistant("Hello!")},
		Files:   []prompt.File{{Path: "a.md", SHA256: "abc", Text: "```\nx\n```"}},
	}
	messages, left, err := ask.Messages()
	if err != nil || len(left) > 0 || len(messages) != 4 {
		t.Fatalf("%d messages, %d left, %v", len(messages), len(left), err)
	}
	for _, want := range []string{"# ap patch", "- Copy the text to find", "\na.md, SHA-256 abc, without a newline at its end:\n\n````\n```\nx\n```\n````\n"} {
		if !strings.Contains(messages[0].Text, want) {
			t.Errorf("no %q in\n%s", want, messages[0].Text)
		}
	}
	if want := []protocol.ChatMessage{user("Hello."), assistant("Hello!"), user("Rename it.")}; !slices.Equal(messages[1:], want) {
		t.Errorf("got %+v, want %+v", messages[1:], want)
	}
}

func TestAnswerIsNotLeftOut(t *testing.T) {
	ask := prompt.Ask{Prompt: "Correct it.", Answer: strings.Repeat("x", 5000), Budget: 5000}
	if _, _, err := ask.Messages(); !errors.Is(err, prompt.ErrTooLarge) {
		t.Errorf("got %v", err)
	}
	ask.Budget = 20_000
	messages, _, err := ask.Messages()
	if want := []protocol.ChatMessage{assistant(ask.Answer), user("Correct it.")}; err != nil || !slices.Equal(messages[1:], want) {
		t.Errorf("got %+v, %v", messages, err)
	}
}

// Whatever the request, the messages keep to the budget, no file is shortened, and none is
// dropped silently.
func TestBudget(t *testing.T) {
	sent, dropped := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.SampledFrom([]string{"", "x", strings.Repeat("line\n", 500), strings.Repeat("````", 2000)}), 0, 8)
		ask := prompt.Ask{Format: "bundle", Prompt: "Do it.", Budget: rapid.IntRange(4000, 40_000).Draw(t, "budget")}
		for i, s := range texts.Draw(t, "files") {
			ask.Files = append(ask.Files, prompt.File{Path: string(rune('a' + i)), Text: s})
		}
		for i, s := range texts.Draw(t, "history") {
			ask.History = append(ask.History, []protocol.ChatMessage{user(s), assistant(s)}[i%2])
		}
		messages, left, err := ask.Messages()
		if err != nil {
			t.Fatal(err)
		}
		size := 0
		for _, m := range messages {
			size += len(m.Text)
		}
		if size > ask.Budget {
			t.Errorf("%d bytes for a budget of %d", size, ask.Budget)
		}
		if messages[0].Role != protocol.ChatUser || messages[1].Role != protocol.ChatUser {
			t.Errorf("an answer comes first: %+v", messages)
		}
		for _, f := range ask.Files {
			if strings.Contains(messages[0].Text, f.String()) == slices.Contains(left, f) {
				t.Errorf("%s: sent or left, and not both", f.Path)
			}
		}
		sent, dropped = sent+len(ask.Files)-len(left), dropped+len(left)
	})
	if sent < 100 || dropped < 20 {
		t.Errorf("only %d files were sent, and %d were not", sent, dropped)
	}
}
