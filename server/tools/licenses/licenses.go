// Package licenses lists the third-party parts of Aptix: the Go modules in the program, and
// the npm packages in the extension's bundle.
package licenses

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A Dependency is a third-party module or package that ships.
type Dependency struct {
	Name    string // the name, such as go.uber.org/zap
	Version string // the version, such as v1.28.0, or 11.0.0 for an npm package
	License string // the license as an SPDX identifier
	NPM     bool   // true for an npm package
}

// PackageURL returns the name for software bills of materials.
func (d Dependency) PackageURL() string {
	if d.NPM {
		return "pkg:npm/" + strings.Replace(d.Name, "@", "%40", 1) + "@" + d.Version
	}
	return "pkg:golang/" + d.Name + "@" + d.Version
}

// All lists the dependencies by name, beginning with the Go modules. root is the root of the
// repository. If a license is unknown, it returns an error, because a person must read the license.
func All(ctx context.Context, root string) ([]Dependency, error) {
	modules, err := goModules(ctx, root)
	if err != nil {
		return nil, err
	}
	packages, err := npmPackages(root)
	return append(modules, packages...), err
}

// systems lists the systems for which the program needs additional modules.
var systems = []string{"darwin", "freebsd", "linux", "windows"}

func goModules(ctx context.Context, root string) ([]Dependency, error) {
	dirs := map[Dependency]string{}
	for _, system := range systems {
		cmd := exec.CommandContext(ctx, "go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}", "./server/cmd/aptix")
		cmd.Dir, cmd.Env = root, append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=0")
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("go list for %s: %w", system, err)
		}
		for line := range strings.Lines(string(out)) {
			fields := strings.Split(strings.TrimSpace(line), "\t")
			if len(fields) == 3 && fields[1] != "" {
				dirs[Dependency{Name: fields[0], Version: fields[1]}] = fields[2]
			}
		}
	}
	var found []Dependency
	for d, dir := range dirs {
		var err error
		if d.License, err = inFolder(dir); err != nil {
			return nil, err
		}
		found = append(found, d)
	}
	return sorted(found), nil
}

// bundled is the only npm package that the extension imports. The other packages in its bundle are
// dependencies of this one.
const bundled = "vscode-languageclient"

func npmPackages(root string) ([]Dependency, error) {
	file := filepath.Join(root, "package-lock.json")
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct {
			Version, License string
			Dependencies     map[string]string
		}
	}
	if err := json.Unmarshal(data, &lock); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var found []Dependency
	seen := map[string]bool{bundled: true}
	for next := []string{bundled}; len(next) > 0; next = next[1:] {
		p, ok := lock.Packages["node_modules/"+next[0]]
		if !ok || p.License == "" {
			return nil, fmt.Errorf("%s: no license of %s", file, next[0])
		}
		found = append(found, Dependency{Name: next[0], Version: p.Version, License: p.License, NPM: true})
		for name := range p.Dependencies {
			if !seen[name] {
				seen[name] = true
				next = append(next, name)
			}
		}
	}
	return sorted(found), nil
}

func sorted(all []Dependency) []Dependency {
	slices.SortFunc(all, func(a, b Dependency) int { return strings.Compare(a.Name, b.Name) })
	return all
}
