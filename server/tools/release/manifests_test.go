package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The manifests of other package managers name each archive with its checksum.
func TestManifests(t *testing.T) {
	r := &release{out: t.TempDir(), version: "1.2.3", date: time.Unix(0, 0), targets: targets}
	for _, target := range targets {
		if err := os.WriteFile(filepath.Join(r.out, r.archiveName(target)), []byte(target.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.manifests(t.Context()); err != nil {
		t.Fatal(err)
	}
	formula, scoop, mason := r.read(t, "aptix.rb"), r.read(t, "scoop.json"), r.read(t, "mason.yaml")
	for _, target := range targets {
		sum, err := r.sum(r.archiveName(target))
		if err != nil {
			t.Fatal(err)
		}
		switch target.os {
		case "darwin", "linux":
			wants(t, formula, `url "https://github.com/aptix-dev/aptix/releases/download/v1.2.3/`+r.archiveName(target)+`"`)
			wants(t, formula, `sha256 "`+sum+`"`)
		case "windows":
			wants(t, scoop, r.archiveName(target))
			wants(t, scoop, sum)
		}
		if target.npm {
			wants(t, mason, `aptix-{{ version | strip_prefix "v" }}-`+target.os+"-"+target.arch)
		}
	}
	if !json.Valid([]byte(scoop)) {
		t.Errorf("scoop.json is not JSON: %s", scoop)
	}
	for name, text := range map[string]string{"aptix.rb": formula, "scoop.json": scoop, "mason.yaml": mason} {
		if strings.Contains(text, "no value") {
			t.Errorf("%s misses a value: %s", name, text)
		}
	}
}

func (r *release) read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(r.out, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func wants(t *testing.T, text, want string) {
	t.Helper()
	if !strings.Contains(text, want) {
		t.Errorf("%q not found in:\n%s", want, text)
	}
}
