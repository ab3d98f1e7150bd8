package fileset

import (
	"context"
	"errors"
	"fmt"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Source is the copy of a file that is authoritative (rule R29).
type Source string

// A search result is never a source (rule R31).
const (
	Active  Source = "active" // the buffer of an editor that has the file open
	Cloud   Source = "cloud"
	Disk    Source = "disk" // the disk, because the set does not have the file
	Nowhere Source = ""     // the file does not exist
)

// Copies are the two copies of a file that no editor has open: in the set and on disk.
type Copies struct {
	DocPath string
	// ReadDisk reads the file from disk; it is nil if no folder has the file. ReadDisk is called after the set was
	// read. If the set changes before Authority has finished, both are read again.
	ReadDisk func() (text.Content, error)
}

// A Truth is the authoritative copy of a file.
type Truth struct {
	Source  Source
	Content string
	Refused string // why an apply must not change the file, as a sentence for people; "" if it may
}

// Authority returns the authoritative copy of each file that no editor has open (rule R29): the content in the set or,
// if the set does not have the file, the file on disk.
//
// A shared set has precedence over the disk. If a file is different on disk, its content comes from the set, and no
// apply may change it. A set of one machine follows the disk. If a file was edited after its upload, Authority uploads
// the text on disk as a new revision by `source`. A file outside all folders can be read from the set, but an apply
// cannot change it.
//
// The truths are in the order of `files`, which must name each docPath only once.
func (s *Set) Authority(ctx context.Context, source string, files []Copies) ([]Truth, error) {
	var truths []Truth
	err := again(ctx, func() (err error) {
		truths, err = s.authority(ctx, source, files)
		if conflict := new(ConflictError); errors.As(err, &conflict) {
			return fmt.Errorf("%w: %w", errMoved, err)
		}
		return err
	})
	return truths, err
}

func (s *Set) authority(ctx context.Context, source string, files []Copies) ([]Truth, error) {
	known, err := s.Known(ctx, text.Each(files, func(f Copies) string { return f.DocPath }))
	if err != nil {
		return nil, err
	}
	disks := make([]text.Content, len(files))
	for i, f := range files {
		if f.ReadDisk == nil {
			continue
		}
		if disks[i], err = f.ReadDisk(); err != nil {
			return nil, err
		}
	}
	if !s.shared {
		if err := s.follow(ctx, source, files, disks, known); err != nil {
			return nil, err
		}
	}
	truths := make([]Truth, len(files))
	for i, f := range files {
		if truths[i], err = s.truth(ctx, f.DocPath, disks[i], known[f.DocPath]); err != nil {
			return nil, err
		}
	}
	return truths, nil
}

// follow uploads the files on disk that differ from the set, and updates the entries in `known`.
func (s *Set) follow(ctx context.Context, source string, files []Copies, disks []text.Content, known map[string]Entry) error {
	var newer []Upload
	for i, f := range files {
		if e := known[f.DocPath]; e.Holds() && disks[i].Exists && !holds(disks[i], e) {
			newer = append(newer, Upload{DocPath: f.DocPath, Base: Base{e.Revision, e.SHA256}, Content: disks[i].Data})
		}
	}
	if len(newer) == 0 {
		return nil
	}
	stored, err := s.Put(ctx, source, newer)
	for _, e := range stored {
		known[e.DocPath] = e
	}
	return err
}

func (s *Set) truth(ctx context.Context, docPath string, disk text.Content, held Entry) (Truth, error) {
	switch {
	case held.Holds() && holds(disk, held):
		return Truth{Source: Cloud, Content: disk.Data}, nil
	case held.Holds():
		return s.fromSet(ctx, docPath, disk)
	case disk.Exists:
		return Truth{Source: Disk, Content: disk.Data}, nil
	}
	return Truth{}, nil
}

// fromSet returns the set's copy of a file that is missing or different on disk.
func (s *Set) fromSet(ctx context.Context, docPath string, disk text.Content) (Truth, error) {
	held, err := s.Get(ctx, docPath)
	if errors.Is(err, ErrNotFound) {
		return Truth{}, fmt.Errorf("%w: %w", errMoved, err)
	}
	if err != nil {
		return Truth{}, err
	}
	t := Truth{Source: Cloud, Content: held.Content}
	switch {
	case !disk.Exists:
		t.Refused = fmt.Sprintf("%q is only in the file set, so it can be read but not changed; open the folder that it belongs to, or write the file there, and try again", docPath)
	case !holds(disk, held.Entry):
		t.Refused = fmt.Sprintf("%q on disk (SHA-256 %s) differs from the shared file set, which has %s: write that revision to the file (`aptix files get --write`), or upload the file over it (`aptix files put`), and try again", docPath, short(text.SumHex(disk.Data)), held.Entry)
	}
	return t, nil
}
