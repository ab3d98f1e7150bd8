package rpc

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"go.uber.org/zap"
)

// memory is a connection that reads from a given input and keeps its output.
type memory struct {
	io.Reader
	bytes.Buffer
}

func (m *memory) Read(p []byte) (int, error) { return m.Reader.Read(p) }
func (m *memory) Close() error               { return nil }

// Whatever the input, the stream returns messages or ends. It answers each dropped message once. Unless the message is
// a call, it also reports it once.
func FuzzStream(f *testing.F) {
	for _, body := range []string{`{"jsonrpc":"2.0","id":1,"method":"a"}`, `{"jsonrpc":"2.0","method":"a"}`, `[]`, `{`, "\xff"} {
		f.Add(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n%s", len(body), body))
	}
	f.Add([]byte("content-length:2\n\n{}Content-Length: 99999999999999999999\r\n\r\n"))
	f.Add([]byte("Content-Length: -1\r\n\r\n"))
	f.Add([]byte("Content-Length: 70000000\r\n\r\n{\"id\":1,\"method\":\"x\""))
	f.Fuzz(func(t *testing.T, input []byte) {
		m := &memory{Reader: bytes.NewReader(input)}
		ended, lost := false, 0
		s := New(m)
		s.Log, s.Lost, s.Ended = zap.NewNop(), func(string) { lost++ }, func() { ended = true }
		for {
			msg, _, err := s.Read(context.Background())
			if err != nil {
				break
			}
			if msg == nil {
				t.Fatal("no message and no error")
			}
		}
		if answers := bytes.Count(m.Bytes(), []byte("Content-Length: ")); !ended || answers < lost {
			t.Errorf("ended %v, %d messages lost, %d answers", ended, lost, answers)
		}
	})
}

// A header that never ends is not kept in memory: the stream ends the connection.
func TestHeaderIsBounded(t *testing.T) {
	for name, c := range map[string]struct {
		header string
		broken bool
	}{
		"one long line":   {"X: " + strings.Repeat("a", maxHeader) + "\r\n", true},
		"no line at all":  {strings.Repeat("a", 1<<20), true},
		"very many lines": {strings.Repeat("X: a\r\n", maxHeader), true},
		"as long as may":  {"X: " + strings.Repeat("a", maxHeader-100) + "\r\n", false},
	} {
		body := `{"jsonrpc":"2.0","method":"a"}`
		in := strings.NewReader(fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", c.header, len(body), body))
		s := New(&memory{Reader: in})
		ended := false
		s.Log, s.Ended = zap.NewNop(), func() { ended = true }
		if msg, _, err := s.Read(context.Background()); (err != nil) != c.broken || ended != c.broken || (msg == nil) != c.broken {
			t.Errorf("%s: read %v, error %v, ended %v", name, msg, err, ended)
		}
		if left := in.Len(); name == "no line at all" && left < 1<<19 {
			t.Errorf("%s: read all but %d bytes", name, left)
		}
	}
}

func TestCallID(t *testing.T) {
	for _, c := range []struct {
		head string
		id   string // as fmt prints a jsonrpc2.ID; "" if the message is not a call
	}{
		{`{"jsonrpc":"2.0","id":7,"method":"x","params":{"a`, "#7"},
		{`{"method":"x","id":"s\u00e4","params":[`, `"sä"`},
		{`{"method":"x","params":{"id":7}`, ""},
		{`{"meta":{"id":7},"method":"x","params":{`, ""},
		{`{"id":7,"result":"`, ""},
		{`{"id":7.5,"method":"x","params":{`, ""},
		{`{"id":null,"method":"x","params":{`, ""},
		{`[{"id":7,"method":"x"`, ""},
		{``, ""},
	} {
		id, isCall := callID([]byte(c.head))
		got := ""
		if isCall {
			got = fmt.Sprintf("%q", id)
		}
		if got != c.id {
			t.Errorf("%s: %s, want %s", c.head, got, c.id)
		}
	}
}
