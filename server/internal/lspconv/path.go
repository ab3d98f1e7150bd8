package lspconv

import (
	"path/filepath"
	"runtime"
	"strings"

	"go.lsp.dev/uri"
)

// Path is the absolute, clean path of a file on this machine that u names.
// false: u is of another scheme (untitled, git, a remote file system) or
// machine, or holds bytes that do not come back as they are.
//
// The path is what the editor means after decoding: `a%2Fb` is a/b. Whatever is
// to be checked of a path must be checked on this one, never on the URI.
func Path(u uri.URI) (string, bool) {
	path, ok := pathFor(hostPlatform(), u)
	if !ok {
		return "", false
	}
	return filepath.Clean(path), true
}

// URI is the file URI of an absolute path on this machine. false: no URI exists
// for it, because it is relative or no valid UTF-8.
func URI(path string) (uri.URI, bool) { return uriFor(hostPlatform(), filepath.Clean(path)) }

func hostPlatform() uri.Platform {
	if runtime.GOOS == "windows" {
		return uri.PlatformWindows
	}
	return uri.PlatformPOSIX
}

func pathFor(platform uri.Platform, u uri.URI) (string, bool) {
	canonical, err := uri.ParseStrict(string(u)) // strict: without a scheme it is no URI
	if err != nil || !canonical.IsFile() || canonical.Query() != "" || canonical.Fragment() != "" {
		return "", false
	}
	if platform == uri.PlatformPOSIX && canonical.Authority() != "" {
		return "", false // another machine's file
	}
	path := decoded(platform, canonical)
	back, ok := uriFor(platform, path)
	return path, ok && back == canonical
}

// uriFor checks that what it makes means path again: a URI cannot hold every
// byte, and the library has a panic for paths that begin with many slashes.
func uriFor(platform uri.Platform, path string) (uri.URI, bool) {
	if !absolute(platform, path) {
		return "", false
	}
	u := uri.FileFor(platform, path)
	back := decoded(platform, u)
	if platform == uri.PlatformWindows {
		// Drive letters and machine names become lower case, as in VS Code.
		return u, strings.EqualFold(back, strings.ReplaceAll(path, "/", `\`))
	}
	return u, back == path
}

// decoded is the path in u. On POSIX a `/c:/x` is a path like any other, which
// the library would make a Windows one.
func decoded(platform uri.Platform, u uri.URI) string {
	if platform == uri.PlatformWindows {
		return uri.FsPathFor(u, platform, false)
	}
	return u.Path()
}

func absolute(platform uri.Platform, path string) bool {
	if platform == uri.PlatformPOSIX {
		return strings.HasPrefix(path, "/") && !strings.HasPrefix(path, "//")
	}
	path = strings.ReplaceAll(path, "/", `\`)
	if strings.HasPrefix(path, `\\`) {
		return len(path) > 2 && path[2] != '\\'
	}
	return len(path) > 2 && path[1] == ':' && path[2] == '\\'
}
