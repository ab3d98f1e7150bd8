package mcp

import (
	"net/url"
	"path/filepath"
	"runtime"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

//lint:file-ignore SA1019 MCP 2026-07-28 deprecates the client's roots; agents work in them as long as clients have them

const rootsInput = "roots"

// dirs returns the folders of a call. It returns false if the client must first send its open folders. Each call
// requests them, because the client may have opened other folders in the meantime.
func (s *server) dirs(req *sdk.CallToolRequest) ([]string, bool) {
	if len(s.Roots) > 0 {
		return s.Roots, true
	}
	client := req.Session.InitializeParams()
	if req.Params.InputResponses == nil && client != nil && client.Capabilities != nil && client.Capabilities.RootsV2 != nil {
		return nil, false
	}
	if answer, ok := req.Params.InputResponses[rootsInput].(*sdk.ListRootsResult); ok {
		if dirs := folders(answer.Roots); len(dirs) > 0 {
			return dirs, true
		}
	}
	return []string{"."}, true
}

// askRoots returns the response to a call that needs the client's open folders first.
func askRoots() *sdk.CallToolResult {
	return &sdk.CallToolResult{InputRequests: sdk.InputRequestMap{rootsInput: &sdk.ListRootsParams{}}}
}

// folders returns the paths of the roots on this machine. It leaves out other roots.
func folders(roots []*sdk.Root) []string {
	var dirs []string
	for _, root := range roots {
		u, err := url.Parse(root.URI)
		if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" {
			continue
		}
		dir := u.Path
		if runtime.GOOS == "windows" {
			dir = strings.TrimPrefix(dir, "/") // the path looks like /C:/dir
		}
		if dir = filepath.FromSlash(dir); filepath.IsAbs(dir) {
			dirs = append(dirs, filepath.Clean(dir))
		}
	}
	return dirs
}
