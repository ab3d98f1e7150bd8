// Package link is how `aptix mcp` reaches the language server that has a folder
// open in an editor: over a socket that only the same user can use.
//
// A language server that runs has three files in <state folder>/run, of one random
// name: the record (.json), which tells the folders that it serves and where its
// socket is; the socket (.sock); and a lock (.lock), which it holds for as long as
// it lives. Whoever looks for servers removes the files of those that do not. The
// time of the record is when a person was last seen in that editor.
//
// On the wire are frames as in LSP's base protocol, with JSON-RPC 2.0: first the
// call aptix/hello, with the version of this protocol, then any number of calls of
// aptix/tool. Who gives a call up sends $/cancelRequest, or just hangs up.
//
// On Windows the permissions of the folder are those that its parent passes on, and
// who connects is not looked at: the user's local application data are closed to
// others there.
package link

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/aptix-dev/aptix/protocol"
)

// ErrNone says that no running language server serves the folders.
var ErrNone = errors.New("no running editor has the folder open")

// A Call is a call of a tool by an agent.
type Call struct {
	protocol.ToolParams
	// Agent is how the agent calls itself; it may be anything.
	Agent string `json:"agent"`
	// Roots are the folders that the agent works in, absolute and with links resolved.
	Roots []string `json:"-"`
}

// version is that of the protocol. It is raised by what an older side would not
// understand, or take for something else.
const version = 1

const methodHello = "aptix/hello"

// hello is the first call on a connection; its answer is a hello without roots.
type hello struct {
	Protocol int      `json:"protocol"`
	Version  string   `json:"version"` // of the program, for people
	Roots    []string `json:"roots,omitempty"`
}

// codec is plain JSON: nothing of LSP's goes over this wire.
type codec struct{}

func (codec) Marshal(v any) ([]byte, error) { return json.Marshal(v) }

func (codec) Unmarshal(data []byte, v any) error { return json.Unmarshal(data, v) }

// A Handler answers calls. Its context ends when the agent gives up, or hangs up.
type Handler func(context.Context, Call) protocol.ToolResult
