package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/uri"
)

// keys is the number of keys that are typed for one measure. The time for one key would be too
// short, because the system counts in hundredths of a second.
const keys = 100

// typing measures one key that is typed in one of n open replies. It measures the processor time
// until the language server sends the diagnostics. The next key follows immediately, so that the
// server checks the other replies as rarely as possible.
func (b *bench) typing(n int) (m measure, err error) {
	at, end, err := b.folder()
	if err != nil {
		return m, err
	}
	defer end()
	replies, err := prepareReplies(at, n)
	if err != nil {
		return m, err
	}
	server, client, err := b.serve(at)
	if err != nil {
		return m, err
	}
	defer func() { _, _ = server.Process.Kill(), server.Wait() }()
	defer client.close()
	if err := client.open(replies); err != nil {
		return m, err
	}
	return client.typeKeys(server.Process.Pid)
}

// serve starts a language server with an editor.
func (b *bench) serve(at func(string) string) (*exec.Cmd, *editor, error) {
	server := exec.Command(b.aptix, "lsp")
	server.Env = environment(at)
	in, inErr := server.StdinPipe()
	out, outErr := server.StdoutPipe()
	if err := errors.Join(inErr, outErr); err != nil {
		return nil, nil, err
	}
	if err := server.Start(); err != nil {
		return nil, nil, err
	}
	return server, newEditor(pipes{out, in}, at(project)), nil
}

// typeKeys types many keys, and returns the measure of one key in the process of the server.
func (e *editor) typeKeys(pid int) (m measure, err error) {
	before, err := processorTime(pid)
	if err != nil {
		return m, err
	}
	start := time.Now()
	for i := range keys {
		if err := e.key(2 + i); err != nil {
			return m, err
		}
	}
	wall := time.Since(start)
	after, err := processorTime(pid)
	return measure{CPU: (after - before) / keys, Wall: wall / keys}, err
}

// prepareReplies writes files, and returns a reply for each file. The finds of a reply occur
// several times, so that there is a problem to report.
func prepareReplies(at func(string) string, n int) (replies []string, err error) {
	in := input{before: tree{}, name: "reply.md"}
	for i, e := range programEdits(n, 310, 0) {
		e.changes = []change{{3, []string{"    };"}}}
		in.before[e.path] = e.before()
		replies = append(replies, fmt.Sprintf("Reply %d:\n\n%s\n", i, structured([]edit{e})))
	}
	return replies, prepare(at, in)
}

// An editor does only those things that the server needs.
type editor struct {
	conn jsonrpc2.Conn
	root string // the URI of the workspace folder
	said chan diagnostics
	end  chan struct{}
}

type diagnostics struct {
	URI         string
	Version     int
	Diagnostics []json.RawMessage
}

// pipes holds the server's standard output and input.
type pipes struct {
	io.Reader
	io.WriteCloser
}

func newEditor(server io.ReadWriteCloser, root string) *editor {
	e := &editor{jsonrpc2.NewConn(jsonrpc2.NewStream(server)), string(uri.File(root)), make(chan diagnostics), make(chan struct{})}
	e.conn.Go(context.Background(), func(_ context.Context, req *jsonrpc2.Request) (any, error) {
		if req.Method() != "textDocument/publishDiagnostics" {
			return nil, nil
		}
		var d diagnostics
		err := json.Unmarshal(req.Params(), &d)
		select {
		case e.said <- d:
		case <-e.end:
		}
		return nil, err
	})
	return e
}

func (e *editor) close() {
	close(e.end)
	_ = e.conn.Close()
}

func (e *editor) reply(i int) string { return fmt.Sprintf("%s/reply%d.md", e.root, i) }

// open opens the replies, and waits for the diagnostics of each reply.
func (e *editor) open(replies []string) error {
	folder := object{"uri": e.root, "name": project}
	if _, err := e.conn.Call(context.Background(), "initialize", object{"capabilities": object{}, "workspaceFolders": []object{folder}}, nil); err != nil {
		return err
	}
	waiting := map[string]bool{}
	err := e.notify("initialized", object{})
	for i, text := range replies {
		waiting[e.reply(i)] = true
		err = errors.Join(err, e.notify("textDocument/didOpen", object{"textDocument": object{
			"uri": e.reply(i), "languageId": "markdown", "version": 1, "text": text}}))
	}
	return errors.Join(err, e.await(func(d diagnostics) bool {
		delete(waiting, d.URI)
		return len(waiting) == 0
	}))
}

// key types a character into the first reply, which then has this version.
func (e *editor) key(version int) error {
	start := object{"line": 0, "character": 0}
	err := e.notify("textDocument/didChange", object{"textDocument": object{"uri": e.reply(0), "version": version},
		"contentChanges": []object{{"text": "x", "range": object{"start": start, "end": start}}}})
	return errors.Join(err, e.await(func(d diagnostics) bool { return d.URI == e.reply(0) && d.Version == version }))
}

func (e *editor) notify(method string, params object) error {
	return e.conn.Notify(context.Background(), method, params)
}

// await reads diagnostics until `wanted` returns true. Each of them must report a problem.
func (e *editor) await(wanted func(diagnostics) bool) error {
	for {
		select {
		case d := <-e.said:
			if len(d.Diagnostics) != 1 {
				return fmt.Errorf("%s has the diagnostics %s, want one", d.URI, d.Diagnostics)
			}
			if wanted(d) {
				return nil
			}
		case <-e.conn.Done():
			return errors.New("the language server ended")
		}
	}
}
