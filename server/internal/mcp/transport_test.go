package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"
)

// A line that is not a message gets an answer, and the server keeps reading.
func TestLines(t *testing.T) {
	long := strings.Repeat("x", 5000)
	for line, want := range map[string]struct {
		code    int
		message string
		id      any
	}{
		"not JSON":                      {-32700, "not valid JSON", nil},
		`{"jsonrpc": "2.0",`:            {-32700, "not valid JSON", nil},
		"\xff\xfe":                      {-32700, "not valid JSON", nil},
		strings.Repeat("[", 100_000):    {-32700, "not valid JSON", nil},
		`{"jsonrpc": "2.0"} {}`:         {-32700, "on a line of its own", nil},
		`"text"`:                        {-32600, "not a message", nil},
		`{"id": 1, "method": "ping"}`:   {-32600, "not a message", nil},
		`[]`:                            {-32600, "empty", nil},
		strings.Repeat("x", maxFrame+1): {-32600, "too long", nil},
		`[{"jsonrpc": "2.0", "id": 5, "method": "ping"}]`:                                         {0, "", 5.0},
		`{"jsonrpc": "2.0", "id": 6, "method": "` + long + `"}`:                                   {-32601, "method not found", 6.0},
		`{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "` + long + `"}}`: {-32602, "unknown tool", 7.0},
		`{"jsonrpc": "2.0", "id": 8, "method": "tools/call", "params": "` + long + `"}`:           {-32602, "invalid params", 8.0},
		"\t\r": {0, "", 9.0}, // A blank line means nothing; the ping below it is answered.
	} {
		toServer, in := io.Pipe()
		out, fromServer := io.Pipe()
		ended := make(chan error, 1)
		config := newConfig(t)
		go func() { ended <- Serve(context.Background(), Lines{toServer, fromServer}, config) }()
		answers := bufio.NewReader(out)
		next := func() (got struct {
			ID    any
			Error struct {
				Code    int
				Message string
				Data    any
			}
		}) {
			line, err := answers.ReadString('\n')
			if err == nil {
				err = json.Unmarshal([]byte(line), &got)
			}
			if err != nil {
				t.Fatal(err)
			}
			return got
		}
		send := func(line string) {
			if _, err := io.WriteString(in, line+"\n"); err != nil {
				t.Error(err)
			}
		}
		send(`{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}}`)
		next()
		send(`{"jsonrpc": "2.0", "method": "notifications/initialized"}`)
		go func() {
			send(line)
			send(`{"jsonrpc": "2.0", "id": 9, "method": "ping"}`)
		}()
		got, ping := next(), 9.0
		if want.id != ping {
			if other := next(); got.ID == ping { // The two answers may come in either order.
				got = other
			} else if other.ID != ping || other.Error.Code != 0 {
				t.Errorf("%.60q: the next request got %+v", line, other)
			}
		}
		if got.Error.Code != want.code || got.ID != want.id || !strings.Contains(got.Error.Message, want.message) || len(got.Error.Message) > maxError+len("…") {
			t.Errorf("%.60q: %+v", line, got)
		}
		_ = in.Close()
		if err := <-ended; err != nil {
			t.Errorf("%.60q: %v", line, err)
		}
	}
}
