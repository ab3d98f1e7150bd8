package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
)

// archived are the files beside the program.
var archived = []string{"LICENSE", "README.md", "CHANGELOG.md"}

// archiveName is a .zip for Windows, whose users have nothing else at hand.
func (r *release) archiveName(t target) string {
	ending := ".tar.gz"
	if t.os == "windows" {
		ending = ".zip"
	}
	return "aptix-" + r.version + "-" + t.os + "-" + t.arch + ending
}

func (r *release) archives(context.Context) error {
	for _, t := range r.targets {
		files := []string{r.program(t)}
		for _, name := range archived {
			files = append(files, filepath.Join(r.root, name))
		}
		write := r.writeTar
		if t.os == "windows" {
			write = r.writeZip
		}
		if err := r.create(r.archiveName(t), func(w io.Writer) error { return write(w, files) }); err != nil {
			return err
		}
	}
	return nil
}

// create makes a file of the release.
func (r *release) create(name string, write func(io.Writer) error) error {
	f, err := os.Create(filepath.Join(r.out, name))
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

// writeTar packs files side by side. Only the program, the first one, can be run.
func (r *release) writeTar(w io.Writer, files []string) error {
	zw, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	tw := tar.NewWriter(zw)
	for i, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		header := &tar.Header{Name: filepath.Base(file), Mode: mode(i), Size: int64(len(data)), ModTime: r.date}
		if err := errors.Join(tw.WriteHeader(header), only(tw.Write(data))); err != nil {
			return err
		}
	}
	return errors.Join(tw.Close(), zw.Close())
}

func (r *release) writeZip(w io.Writer, files []string) error {
	zw := zip.NewWriter(w)
	for i, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		header := &zip.FileHeader{Name: filepath.Base(file), Method: zip.Deflate, Modified: r.date}
		header.SetMode(os.FileMode(mode(i)))
		entry, err := zw.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := entry.Write(data); err != nil {
			return err
		}
	}
	return zw.Close()
}

func mode(i int) int64 {
	if i == 0 {
		return 0o755
	}
	return 0o644
}

func only(_ int, err error) error { return err }
