// Package chat reads sessions of VS Code's chat.
package chat

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/protocol"
)

// Answer is a chat participant's answer to one request.
type Answer struct {
	ID    string // the id of the request in the chat
	Text  string // Markdown
	State protocol.ChatState
}

// A session is the part of an exported chat session that this package reads.
type session struct {
	Requests []request `json:"requests"`
}

type request struct {
	ID       string            `json:"requestId"`
	Hidden   json.RawMessage   `json:"shouldBeRemovedOnSend"` // present if the person went back to an earlier request
	Response []json.RawMessage `json:"response"`
	Model    *struct {
		Value int `json:"value"`
	} `json:"modelState"`
	Result *struct {
		Metadata struct {
			Aptix *struct {
				Answer string `json:"answer"`
			} `json:"aptix"`
		} `json:"metadata"`
	} `json:"result"`
	Elapsed  *float64 `json:"elapsedMs"`
	Canceled bool     `json:"isCanceled"`
}

// LastAnswer returns the last answer of an exported session, or nil if there is no answer.
func LastAnswer(exported string) (*Answer, error) {
	return last(exported, func(request) bool { return true })
}

// LastEnded returns the last answer that is complete or was stopped, or nil if there is none. It ignores an answer that
// is still being written.
func LastEnded(exported string) (*Answer, error) {
	return last(exported, func(r request) bool { return r.state() != protocol.ChatStreaming })
}

func last(exported string, meant func(request) bool) (*Answer, error) {
	var s session
	if err := json.Unmarshal([]byte(exported), &s); err != nil {
		return nil, fmt.Errorf("the chat session has an unknown JSON structure: %w", err)
	}
	for _, r := range slices.Backward(s.Requests) {
		if shown := len(r.Hidden) == 0 || string(r.Hidden) == "null"; shown && meant(r) {
			return r.answer()
		}
	}
	return nil, nil
}

func (r request) answer() (*Answer, error) {
	a := &Answer{ID: r.ID, State: r.state()}
	if r.Result != nil && r.Result.Metadata.Aptix != nil {
		// The answer comes from Aptix's own chat participant. The parts that the chat shows also contain text by Aptix,
		// so only this copy is exactly the model's text.
		a.Text = r.Result.Metadata.Aptix.Answer
		return a, nil
	}
	var b strings.Builder
	for _, raw := range r.Response {
		if err := writePart(&b, raw); err != nil {
			return nil, fmt.Errorf("an answer in the chat session has an unknown JSON structure: %w", err)
		}
	}
	a.Text = b.String()
	return a, nil
}

// Values of modelState in the exported session. Older versions of VS Code leave modelState out.
const (
	modelComplete = 1
	modelCanceled = 2
	modelFailed   = 3
)

// state returns the state of an answer. VS Code exports an unfinished answer as cancelled, but without elapsedMs.
func (r request) state() protocol.ChatState {
	ended := r.Result != nil || r.Elapsed != nil
	switch {
	case r.Model == nil && r.Canceled:
		return protocol.ChatStopped
	case r.Model != nil && r.Model.Value == modelComplete, r.Model == nil && ended:
		return protocol.ChatComplete
	case r.Model != nil && ended && (r.Model.Value == modelCanceled || r.Model.Value == modelFailed):
		return protocol.ChatStopped
	}
	return protocol.ChatStreaming
}

// A part is one piece of an answer. A part without a kind is Markdown.
type part struct {
	Kind      string          `json:"kind"`
	Value     json.RawMessage `json:"value"`
	Content   *part           `json:"content"`
	Name      string          `json:"name"`
	Reference json.RawMessage `json:"inlineReference"`
}

// writePart appends the Markdown of a part. A part that is not text, such as a tool call, ends the line before it,
// because the chat shows the text after it separately.
func writePart(b *strings.Builder, raw json.RawMessage) error {
	var p part
	if err := json.Unmarshal(raw, &p); err != nil {
		return err
	}
	switch p.Kind {
	case "":
		b.WriteString(p.text())
	case "markdownVuln":
		if p.Content != nil {
			b.WriteString(p.Content.text())
		}
	case "inlineReference":
		b.WriteString(p.reference())
	case "codeblockUri", "undoStop": // these parts can be inside a line of text, so they do not end the line
	default:
		if s := b.String(); s != "" && !strings.HasSuffix(s, "\n") {
			b.WriteString("\n\n")
		}
	}
	return nil
}

func (p part) text() string {
	var s string
	if json.Unmarshal(p.Value, &s) != nil {
		return ""
	}
	return s
}

// reference returns the name of the file or symbol to which a part links, as the chat shows it.
func (p part) reference() string {
	var to struct {
		Name string `json:"name"` // a symbol in code
		Path string `json:"path"`
		URI  struct {
			Path string `json:"path"`
		} `json:"uri"`
	}
	if p.Name != "" || json.Unmarshal(p.Reference, &to) != nil {
		return p.Name
	}
	if to.Name != "" {
		return to.Name
	}
	name := path.Base(to.URI.Path + to.Path)
	if plain, err := url.PathUnescape(name); err == nil {
		return plain
	}
	return name
}
