//go:build release

// The tests make a whole release for this system, twice. `make test-release` runs them.
package main

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/spdx/tools-golang/json"

	"github.com/aptix-dev/aptix/server/tools/trials"
)

// Two clones in different folders give the same bytes.
func TestReproducible(t *testing.T) {
	dir := t.TempDir()
	var made [2]string
	t.Run("make", func(t *testing.T) {
		for i, folder := range []string{"one", "another-one"} {
			clone := filepath.Join(dir, folder)
			t.Run(folder, func(t *testing.T) {
				t.Parallel()
				made[i] = makeRelease(t, clone)
			})
		}
	})
	if t.Failed() {
		return
	}
	first, second := made[0], made[1]
	names := files(t, first)
	if other := files(t, second); strings.Join(names, " ") != strings.Join(other, " ") {
		t.Fatalf("one has %v, the other %v", names, other)
	}
	for _, name := range names {
		if !bytes.Equal(read(t, first, name), read(t, second, name)) {
			t.Errorf("%s differs", name)
		}
	}
	t.Run("size", func(t *testing.T) { trySize(t, first) })
	t.Run("extension", func(t *testing.T) { tryExtensions(t, first) })
	t.Run("npm", func(t *testing.T) { tryNPM(t, first) })
	t.Run("deb", func(t *testing.T) { tryDeb(t, first) })
	t.Run("archive", func(t *testing.T) { tryArchive(t, first) })
	t.Run("bill", func(t *testing.T) { tryBill(t, first) })
	t.Run("checksums", func(t *testing.T) { runIn(t, first, "sha256sum", "--check", "SHA256SUMS") })
}

// makeRelease clones the last commit, and makes the release for this system in the clone. Only the nightly
// run compresses it like a release that ships, which takes a minute.
func makeRelease(t *testing.T, clone string) string {
	root := runIn(t, ".", "git", "rev-parse", "--show-toplevel")
	runIn(t, root, "git", "clone", "-q", root, clone)
	runIn(t, root, "cp", "-a", "node_modules", clone)
	runIn(t, clone, "node", "scripts/bundle.mjs")
	runIn(t, clone, "go", "run", "./server/tools/release", "-only", runtime.GOOS+"/"+runtime.GOARCH, "-quality", quality())
	return filepath.Join(clone, "dist", "release")
}

func quality() string {
	if trials.Many() {
		return "11"
	}
	return "7"
}

// trySize checks the size limit. The limit is lowered whenever the program becomes smaller.
func trySize(t *testing.T, dir string) {
	most := 9_200_000 // the limit in bytes
	if !trials.Many() {
		most = most * 115 / 100 // the lower quality makes the program 14 % larger
	}
	extensions, err := filepath.Glob(filepath.Join(dir, "*.vsix"))
	if err != nil || len(extensions) == 0 {
		t.Fatal(extensions, err)
	}
	for _, file := range extensions {
		if n := len(read(t, dir, filepath.Base(file))); n > most {
			t.Errorf("%s has %d bytes, and may have %d", filepath.Base(file), n, most)
		}
	}
}

// tryExtensions unpacks the program of each .vsix, and runs it.
func tryExtensions(t *testing.T, dir string) {
	extensions, err := filepath.Glob(filepath.Join(dir, "*.vsix"))
	if err != nil || len(extensions) == 0 {
		t.Fatal(extensions, err)
	}
	for _, file := range extensions {
		folder := t.TempDir()
		unpackProgram(t, file, folder)
		runIn(t, folder, "sha256sum", "--check", "aptix.sha256")
		if got := runIn(t, folder, "./aptix", "version"); !strings.HasPrefix(got, "aptix ") {
			t.Errorf("%s: got %s", filepath.Base(file), got)
		}
	}
}

func unpackProgram(t *testing.T, vsix, folder string) {
	z, err := zip.OpenReader(vsix)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	bin, err := fs.Sub(z, "extension/bin")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(folder, bin); err != nil {
		t.Fatal(err)
	}
	runIn(t, folder, "node", "-e", `fs.writeFileSync("aptix", zlib.brotliDecompressSync(fs.readFileSync("aptix.br")), { mode: 0o755 })`)
}

// tryNPM installs the packages as npm does, and runs the program.
func tryNPM(t *testing.T, dir string) {
	folder := t.TempDir()
	packages, err := filepath.Glob(filepath.Join(dir, "*.tgz"))
	if err != nil || len(packages) != 2 {
		t.Fatal(packages, err)
	}
	runIn(t, folder, "npm", append([]string{"install", "--silent", "--offline", "--no-audit", "--no-fund", "--prefix", folder}, packages...)...)
	if got := runIn(t, folder, "node_modules/.bin/aptix", "version", "--json"); !strings.Contains(got, `"commit"`) {
		t.Errorf("got %s", got)
	}
}

func tryDeb(t *testing.T, dir string) {
	if runtime.GOOS != "linux" {
		t.Skip("a .deb is for Linux")
	}
	packages, err := filepath.Glob(filepath.Join(dir, "*.deb"))
	if err != nil || len(packages) != 1 {
		t.Fatal(packages, err)
	}
	folder := t.TempDir()
	runIn(t, folder, "dpkg-deb", "--extract", packages[0], folder)
	if got := runIn(t, folder, "usr/bin/aptix", "version"); !strings.HasPrefix(got, "aptix ") {
		t.Errorf("got %s", got)
	}
	manual := runIn(t, folder, "gzip", "-dc", "usr/share/man/man1/aptix.1.gz")
	for _, want := range []string{"aptix-apply(1)", "checks them character by", "exit code"} {
		if !strings.Contains(manual, want) {
			t.Errorf("%q is not in the manual:\n%s", want, manual)
		}
	}
	for _, file := range []string{"bash-completion/completions/aptix", "zsh/vendor-completions/_aptix", "fish/vendor_completions.d/aptix.fish"} {
		if data, err := os.ReadFile(filepath.Join(folder, "usr/share", file)); err != nil || !bytes.Contains(data, []byte("__aptix_debug")) {
			t.Errorf("%s: %v", file, err)
		}
	}
}

func tryArchive(t *testing.T, dir string) {
	if runtime.GOOS == "windows" {
		t.Skip("a .zip has the same files")
	}
	archives, err := filepath.Glob(filepath.Join(dir, "*.tar.gz"))
	if err != nil || len(archives) != 1 {
		t.Fatal(archives, err)
	}
	list := "\n" + runIn(t, dir, "tar", "--list", "--file", archives[0]) + "\n"
	for _, want := range []string{"aptix", "LICENSE", "man/aptix.1", "man/aptix-apply.1", "completions/aptix.ps1"} {
		if !strings.Contains(list, "\n"+want+"\n") {
			t.Errorf("no %s in the archive:%s", want, list)
		}
	}
	folder := t.TempDir()
	runIn(t, folder, "tar", "--extract", "--file", archives[0])
	if got := runIn(t, folder, "./aptix", "version"); !strings.HasPrefix(got, "aptix ") {
		t.Errorf("got %s", got)
	}
}

// tryBill reads the bill of materials with a third-party reader.
func tryBill(t *testing.T, dir string) {
	bills, err := filepath.Glob(filepath.Join(dir, "*.spdx.json"))
	if err != nil || len(bills) != 1 {
		t.Fatal(bills, err)
	}
	doc, err := json.Read(bytes.NewReader(read(t, filepath.Dir(bills[0]), filepath.Base(bills[0]))))
	if err != nil {
		t.Fatal(err)
	}
	if len(doc.Packages) < 20 {
		t.Errorf("it has %d packages", len(doc.Packages))
	}
}

func files(t *testing.T, dir string) (names []string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func read(t *testing.T, dir, name string) []byte {
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func runIn(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return strings.TrimSpace(string(out))
}
