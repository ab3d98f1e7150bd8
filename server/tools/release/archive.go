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

// archived lists the files that are packed with the program.
var archived = []string{"LICENSE", "README.md", "CHANGELOG.md"}

// A packed is one file of an archive.
type packed struct {
	name string // the name of the file in the archive, with slashes
	file string // the path of the file on disk
	mode os.FileMode
}

// packed returns the files of the archive for a target, beginning with the program.
func (r *release) packed(t target) ([]packed, error) {
	files := []packed{{filepath.Base(r.program(t)), r.program(t), 0o755}}
	for _, name := range archived {
		files = append(files, packed{name, filepath.Join(r.root, name), 0o644})
	}
	manual, err := os.ReadDir(r.manualDir())
	for _, page := range manual {
		files = append(files, packed{manualFolder(page.Name()) + page.Name(), filepath.Join(r.manualDir(), page.Name()), 0o644})
	}
	return files, err
}

// archiveName returns the name of an archive. For Windows it is a .zip file, because users of
// Windows may have no program that unpacks other archives.
func (r *release) archiveName(t target) string {
	ending := ".tar.gz"
	if t.os == "windows" {
		ending = ".zip"
	}
	return "aptix-" + r.version + "-" + t.os + "-" + t.arch + ending
}

func (r *release) archives(context.Context) error {
	for _, t := range r.targets {
		files, err := r.packed(t)
		if err != nil {
			return err
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

// create writes a file of the release with the given name.
func (r *release) create(name string, write func(io.Writer) error) error {
	f, err := os.Create(filepath.Join(r.out, name))
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

func (r *release) writeTar(w io.Writer, files []packed) error {
	zw, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	tw := tar.NewWriter(zw)
	for _, f := range files {
		data, err := os.ReadFile(f.file)
		if err != nil {
			return err
		}
		header := &tar.Header{Name: f.name, Mode: int64(f.mode), Size: int64(len(data)), ModTime: r.date}
		if err := errors.Join(tw.WriteHeader(header), only(tw.Write(data))); err != nil {
			return err
		}
	}
	return errors.Join(tw.Close(), zw.Close())
}

func (r *release) writeZip(w io.Writer, files []packed) error {
	zw := zip.NewWriter(w)
	for _, f := range files {
		data, err := os.ReadFile(f.file)
		if err != nil {
			return err
		}
		header := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: r.date}
		header.SetMode(f.mode)
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

func only(_ int, err error) error { return err }
