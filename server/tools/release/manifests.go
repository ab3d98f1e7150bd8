package main

import (
	"context"
	"embed"
	"io"
	"text/template"
)

//go:embed manifests
var manifestFiles embed.FS

// manifests writes the files for other package managers. Package managers download the archives
// from the page of the release and check them. The files are made only if the release is for all
// systems.
func (r *release) manifests(context.Context) error {
	if len(r.targets) < len(targets) {
		return nil
	}
	sums := map[string]string{}
	for _, t := range r.targets {
		name := r.archiveName(t)
		sum, err := r.sum(name)
		if err != nil {
			return err
		}
		sums[t.os+"_"+t.arch] = sum
	}
	values := map[string]any{"Version": r.version, "Sum": sums, "URL": "https://github.com/aptix-dev/aptix/releases/download/v" + r.version + "/aptix-" + r.version}
	all, err := template.ParseFS(manifestFiles, "manifests/*")
	if err != nil {
		return err
	}
	for _, t := range all.Templates() {
		if err := r.create(t.Name(), func(w io.Writer) error { return t.Execute(w, values) }); err != nil {
			return err
		}
	}
	return nil
}
