package lspconv

import (
	"path/filepath"
	"runtime"
	"strings"

	"go.lsp.dev/uri"
)

// Path returns the absolute, clean path of the local file that `u` names. It returns false if `u` has another scheme
// (untitled, git, a remote file system), names another machine, or contains bytes that cannot be converted back.
//
// The path is decoded as the editor decodes it: `a%2Fb` is a/b. All checks must be made on this path, never on the URI.
func Path(u uri.URI) (string, bool) {
	path, ok := pathFor(hostPlatform(), u)
	if !ok {
		return "", false
	}
	return filepath.Clean(path), true
}

// URI returns the file URI of an absolute local path. It returns false if the path is relative or not valid UTF-8.
func URI(path string) (uri.URI, bool) { return uriFor(hostPlatform(), filepath.Clean(path)) }

// Canonical returns `u` in the spelling that the library gives to every URI that it decodes. Commands and custom
// requests have URIs as plain strings, which the library does not decode, and editors spell them differently: Neovim
// writes `(` and VS Code writes `%28`.
func Canonical(u string) uri.URI {
	canonical, err := uri.Parse(u)
	if u == "" || err != nil {
		return uri.URI(u)
	}
	return canonical
}

func hostPlatform() uri.Platform {
	if runtime.GOOS == "windows" {
		return uri.PlatformWindows
	}
	return uri.PlatformPOSIX
}

func pathFor(platform uri.Platform, u uri.URI) (string, bool) {
	canonical, err := uri.ParseStrict(string(u)) // ParseStrict refuses a string without a scheme, unlike Parse
	if err != nil || !canonical.IsFile() || canonical.Query() != "" || canonical.Fragment() != "" {
		return "", false
	}
	if platform == uri.PlatformPOSIX && canonical.Authority() != "" {
		return "", false // a file on another machine
	}
	path := decoded(platform, canonical)
	back, ok := uriFor(platform, path)
	return path, ok && back == canonical
}

// uriFor returns the URI of a path. It checks that the URI converts back to the path, because a URI cannot contain
// every byte. The check also avoids a panic of the library for paths that begin with many slashes.
func uriFor(platform uri.Platform, path string) (uri.URI, bool) {
	if !absolute(platform, path) {
		return "", false
	}
	u := uri.FileFor(platform, path)
	back := decoded(platform, u)
	if platform == uri.PlatformWindows {
		// Like VS Code, the library writes drive letters and machine names in lower case.
		return u, strings.EqualFold(back, strings.ReplaceAll(path, "/", `\`))
	}
	return u, back == path
}

// decoded returns the path in a URI. On POSIX, `/c:/x` is an ordinary path, but the library would convert it to a
// Windows path.
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
