package mcp

import (
	"context"
	"errors"
	"net/url"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/zap"

	"github.com/aptix-dev/aptix/server/internal/agenttools"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/fileset"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/paths"
	"github.com/aptix-dev/aptix/server/internal/text"
)

const source = "mcp"

// A diskHost is an [agenttools.Host] without an editor. It serves one call, and works on the folders on disk.
type diskHost struct {
	*server
	agent string // the name that the agent gives itself, or ""
	roots []root
}

type root struct {
	*disk.Root
	// the root's name in docPaths: the name of the folder as it was given, even if the folder is a link
	name string
}

// open opens folders, each only once. It leaves out folders that cannot be opened. It returns a refusal if none can be
// opened.
func (s *server) open(dirs []string, agent string) (*diskHost, *agenttools.Refusal) {
	d := &diskHost{server: s, agent: agent}
	var errs []error
	for _, dir := range dirs {
		r, err := disk.Open(dir)
		switch {
		case err != nil:
			errs = append(errs, err)
		case slices.ContainsFunc(d.roots, func(other root) bool { return other.Dir() == r.Dir() }):
			_ = r.Close()
		default:
			d.roots = append(d.roots, root{r, check.FolderName(dir)})
		}
	}
	if err := errors.Join(errs...); err != nil {
		s.Log.Warn("a folder is left out", zap.Error(err))
		if len(d.roots) == 0 {
			return nil, agenttools.Refuse("no-workspace", "none of the folders %q can be opened: %v", dirs, err)
		}
	}
	return d, nil
}

func (d *diskHost) close() {
	for _, r := range d.roots {
		_ = r.Close()
	}
}

func (r root) folder() paths.Folder {
	names := []string{r.name}
	if base := filepath.Base(r.Dir()); base != r.name {
		names = append(names, base)
	}
	return paths.Folder{Names: names, Tree: r.Tree(nil)}
}

func (d *diskHost) Folders(context.Context) ([]agenttools.Folder, error) {
	all := text.Each(d.roots, func(r root) agenttools.Folder { return agenttools.Folder{Folder: r.folder(), Dir: r.Dir()} })
	return all, nil
}

func (d *diskHost) index(dir string) int {
	return slices.IndexFunc(d.roots, func(r root) bool { return r.Dir() == dir })
}

func (d *diskHost) Where(f agenttools.Folder) check.Where {
	i := d.index(f.Dir)
	where := check.OnDisk(d.roots[i].Root, d.roots[i].name, d.Config.History, d.AllowProtected)
	where.Own = d.roots[i].PathOf(d.StateDir)
	if h := d.Config.History; h != nil {
		where.LeftOut = check.LeftOut(h, d.roots[i].Dir())
	}
	all := paths.Folders(text.Each(d.roots, root.folder))
	where.DocPath = all.In(i)
	return where
}

func (d *diskHost) History() *history.Store { return d.Config.History }

func (d *diskHost) FileSet() *fileset.Set { return d.Config.FileSet }

// Preview does nothing, because nobody would see a preview.
func (d *diskHost) Preview(context.Context, agenttools.Request) (bool, error) { return false, nil }

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
