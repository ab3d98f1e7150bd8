package link

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"time"

	"go.lsp.dev/jsonrpc2"
	lsp "go.lsp.dev/protocol"
	"go.uber.org/zap"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/rpc"
)

// A Client is a connection to a language server. Several goroutines may call its methods at the
// same time.
type Client struct {
	conn *net.UnixConn
	rpc  jsonrpc2.Conn
	stop context.CancelFunc
}

// patience limits the time for connecting to a server and for the server's first answer.
const patience = 5 * time.Second

// Dial connects to a running language server that has all roots open, as workspace folders or inside of them. All calls
// over the connection work in exactly these roots. Of several servers, Dial prefers the server with the innermost folders,
// and then the server that the person used last. `version` is the version of this program.
//
// The error is [ErrNone] if there is no such server. Any other error explains why a server cannot be used: for example,
// its version is different, or other users may enter the folder of its socket.
func Dial(ctx context.Context, stateDir, version string, roots ...string) (*Client, error) {
	resolved := make([]string, len(roots))
	for i, root := range roots {
		var err error
		if resolved[i], err = resolve(root); err != nil {
			return nil, err
		}
	}
	all, err := living(stateDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNone
	}
	if err != nil {
		return nil, err
	}
	var why error
	for _, r := range serving(all, resolved) {
		c, err := r.dial(ctx, version, resolved)
		if err == nil {
			return c, nil
		}
		why = errors.Join(why, err)
	}
	return nil, cmp.Or(why, ErrNone)
}

func (r record) dial(ctx context.Context, program string, roots []string) (*Client, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	opened, err := new(net.Dialer).DialContext(ctx, "unix", r.Socket)
	if err != nil {
		return nil, err
	}
	conn := opened.(*net.UnixConn)
	if err := sameUser(conn); err != nil {
		_ = conn.Close()
		return nil, err
	}
	c := newClient(conn)
	if err := lsp.Call(ctx, c.rpc, methodHello, hello{Protocol: version, Version: program, Roots: roots}, new(hello)); err != nil {
		c.Close()
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return nil, fmt.Errorf("the editor with process %d does not answer: %w", r.PID, err)
		}
		return nil, fmt.Errorf("the editor with process %d: %w", r.PID, err)
	}
	return c, nil
}

func newClient(conn *net.UnixConn) *Client {
	ctx, stop := context.WithCancel(context.Background())
	stream := rpc.New(conn)
	// If an answer is too large, it is unknown which call it answers. Closing the connection ends every waiting call
	// with an error.
	stream.Log, stream.Ended, stream.Lost = zap.NewNop(), stop, func(string) { _ = conn.Close() }
	c := &Client{conn: conn, rpc: jsonrpc2.NewConn(stream, jsonrpc2.WithCodec(codec{})), stop: stop}
	c.rpc.Go(ctx, func(_ context.Context, req *jsonrpc2.Request) (any, error) {
		if !req.IsCall() {
			return nil, nil
		}
		return nil, jsonrpc2.Errorf(jsonrpc2.MethodNotFound, "method not found: %s", req.Method())
	})
	return c
}

// Call calls a tool in the editor. It may take as long as a person needs to decide. If ctx is cancelled, Call stops
// waiting, and a question that is still open is withdrawn. An error means that the connection failed. The tool may
// already have changed files, so the caller must not make the same change without the editor.
func (c *Client) Call(ctx context.Context, params protocol.ToolParams, agent string) (protocol.ToolResult, error) {
	var answer protocol.ToolResult
	err := lsp.Call(ctx, c.rpc, protocol.MethodTool, Call{ToolParams: params, Agent: agent}, &answer)
	if err != nil {
		return protocol.ToolResult{}, fmt.Errorf("the editor did not answer: %w", err)
	}
	return answer, nil
}

// Close closes the connection, which cancels the calls in progress.
func (c *Client) Close() {
	c.stop()
	_ = c.conn.Close()
	<-c.rpc.Done()
}
