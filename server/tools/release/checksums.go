package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// checksums writes SHA256SUMS for `sha256sum --check`.
func (r *release) checksums(context.Context) error {
	entries, err := os.ReadDir(r.out)
	if err != nil {
		return err
	}
	return r.create("SHA256SUMS", func(w io.Writer) error {
		for _, e := range entries {
			sum, err := r.sum(e.Name())
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintf(w, "%s  %s\n", sum, e.Name()); err != nil {
				return err
			}
		}
		return nil
	})
}

// sum returns the SHA-256 of a file of the release in hex.
func (r *release) sum(name string) (string, error) {
	data, err := os.ReadFile(filepath.Join(r.out, name))
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", sha256.Sum256(data)), nil
}
