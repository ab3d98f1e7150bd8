package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// manualDir returns the folder in which the manual and the scripts for shell completion are built.
func (r *release) manualDir() string { return filepath.Join(r.stage, "manual") }

// manualFolder returns the folder of an archive for a file of the manual.
func manualFolder(name string) string {
	if strings.HasSuffix(name, ".1") {
		return "man/"
	}
	return "completions/"
}

// manual runs the program, built with the tag man, to write the manual.
func (r *release) manual(ctx context.Context) error {
	if err := os.MkdirAll(r.manualDir(), 0o755); err != nil {
		return err
	}
	if err := r.command(ctx, "go", "run", "-tags", "man", "-ldflags=-X main.version="+r.version, "./server/cmd/aptix", "man", r.manualDir()).Run(); err != nil {
		return fmt.Errorf("write the manual: %w", err)
	}
	return r.compressManual()
}

// compressedDir returns the folder of the manual pages that are compressed for Debian.
func (r *release) compressedDir() string { return filepath.Join(r.stage, "man1") }

func (r *release) compressManual() error {
	pages, err := filepath.Glob(filepath.Join(r.manualDir(), "*.1"))
	if err := errors.Join(err, os.MkdirAll(r.compressedDir(), 0o755)); err != nil {
		return err
	}
	for _, page := range pages {
		data, err := os.ReadFile(page)
		if err != nil {
			return err
		}
		var out bytes.Buffer
		zw, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
		if err := errors.Join(err, only(zw.Write(data)), zw.Close()); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(r.compressedDir(), filepath.Base(page)+".gz"), out.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}
