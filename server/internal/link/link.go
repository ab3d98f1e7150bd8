// Package link connects `aptix mcp` to the language server that has a folder open in an editor, over a socket that only
// the same user can use.
//
// A running language server has three files in <state folder>/run that share one random name. The record (.json)
// contains the folders that the server serves and the path of its socket. The second file is the socket (.sock). The
// server holds the lock (.lock) while it runs. A search for servers removes the files of servers that no longer run.
// The modification time of the record is the time at which a person was last active in that editor.
//
// The connection carries frames as in LSP's base protocol, with JSON-RPC 2.0. The first call is aptix/hello, with the
// version of this protocol. Any number of calls of aptix/tool follow. To cancel a call, the client sends
// $/cancelRequest or closes the connection.
//
// On Windows, the folder run inherits the permissions of the state folder. The user at the other end of a connection is
// not checked there, because other users cannot enter the user's local application data.
package link

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/aptix-dev/aptix/protocol"
)

// ErrNone means that no running language server serves the folders.
var ErrNone = errors.New("no running editor has the folder open")

// A Call is a call of a tool by an agent.
type Call struct {
	protocol.ToolParams
	// Agent is the name that the agent gives itself. It may be any text.
	Agent string `json:"agent"`
	// Roots are the folders in which the agent works, as absolute paths with links resolved.
	Roots []string `json:"-"`
}

// version is the version of the protocol. Increase it for a change that an older program at the other end would not
// understand, or would misunderstand.
const version = 1

const methodHello = "aptix/hello"

// A hello holds the parameters of the first call on a connection, and also the answer to that call. The answer has no
// roots.
type hello struct {
	Protocol int      `json:"protocol"`
	Version  string   `json:"version"` // version of the program, which is shown to people
	Roots    []string `json:"roots,omitempty"`
}

// A codec encodes plain JSON, because this connection carries no LSP types.
type codec struct{}

func (codec) Marshal(v any) ([]byte, error) { return json.Marshal(v) }

func (codec) Unmarshal(data []byte, v any) error { return json.Unmarshal(data, v) }

// A Handler answers calls. The context ends when the agent cancels the call or closes the
// connection.
type Handler func(context.Context, Call) protocol.ToolResult
