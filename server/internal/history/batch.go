package history

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// ErrNoBatch means that the history has no line patch with the id.
var ErrNoBatch = errors.New("the history has no line patch with this id")

// A Batch is a line patch that an apply made (rule L25), with all its ids. It is removed from the history together with
// the apply.
type Batch struct {
	Block string // the SHA-256 of the block, by which the line patch is found
	protocol.Batch
}

// Batch returns the line patch that has the given id, or that contains a file or a change with this id. It also returns
// the apply that made the line patch, without files and folders. The error is [ErrNoBatch], or an error of reading the
// history.
func (s *Store) Batch(ctx context.Context, id string) (Apply, protocol.Batch, error) {
	id = strings.ToLower(id)
	a, b, err := s.batch(ctx, func(b protocol.Batch) bool { return slices.Contains(ids(b), id) }, "b.first <= ?1 AND b.last >= ?1", id)
	return a, b, s.during(id, err)
}

// BatchOf returns the line patch of a block in the latest apply of the block in `root` that is not reverted. The error
// is [ErrNoBatch], or an error of reading the history.
func (s *Store) BatchOf(ctx context.Context, root, block string) (protocol.Batch, error) {
	_, b, err := s.batch(ctx, func(protocol.Batch) bool { return true }, "b.block = ? AND a.root = ? AND NOT a.reverted", block, filepath.Clean(root))
	return b, s.wrap(err)
}

// Batches returns the line patches of an apply, in order, or none if the id is unknown. The id must not be shortened.
func (s *Store) Batches(ctx context.Context, apply string) ([]protocol.Batch, error) {
	var all []protocol.Batch
	_, _, err := s.batch(ctx, func(b protocol.Batch) bool { all = append(all, b); return false }, "a.id = ?", apply)
	if !errors.Is(err, ErrNoBatch) {
		return nil, s.wrap(err)
	}
	return all, nil
}

// batch returns the first line patch that matches the SQL condition, and for which `wanted` returns true. It begins
// with the latest apply, and reads the line patches of an apply in order.
func (s *Store) batch(ctx context.Context, wanted func(protocol.Batch) bool, condition string, args ...any) (a Apply, b protocol.Batch, err error) {
	found := false
	err = each(ctx, s.db, func(scan scanner) error {
		var next Apply
		var of protocol.Batch
		var micros int64
		var data []byte
		if err := scan(&next.ID, &micros, &next.Root, &next.Key, &next.Label, &next.Source, &next.Undoes, &next.Reverted, &data); err != nil {
			return err
		}
		if err := json.NewDecoder(unpacker(data)).Decode(&of); err != nil {
			return errors.Join(errDamaged, err)
		}
		if found = wanted(of); !found {
			return nil
		}
		next.Time = time.UnixMicro(micros)
		a, b = next, of
		return errEnough
	}, `SELECT a.id, a.time, a.root, a.key, a.label, a.source, a.undoes, a.reverted, b.data
		FROM batch b JOIN apply a ON a.seq = b.apply WHERE `+condition+` AND NOT a.pending ORDER BY a.seq DESC, b.n`, args...)
	if err == nil && !found {
		err = ErrNoBatch
	}
	return a, b, err
}

// packBatches converts batches to the form in which they are stored. This form is JSON, because a batch is always read
// as a whole and may have any number of parts. Each batch is stored with its lowest and its highest id, so that a
// search can skip batches.
func packBatches(batches []Batch) ([]packedBatch, error) {
	packed := make([]packedBatch, len(batches))
	for i, b := range batches {
		raw, err := json.Marshal(b.Batch)
		if err != nil {
			return nil, err
		}
		data, err := newPacker(len(raw)).pack(string(raw))
		if err != nil {
			return nil, err
		}
		all := ids(b.Batch)
		packed[i] = packedBatch{block: b.Block, first: slices.Min(all), last: slices.Max(all), data: data}
		if packed[i].first == "" {
			return nil, fmt.Errorf("a change of the line patch %s has no id", b.BatchID)
		}
	}
	return packed, nil
}

type packedBatch struct {
	block       string
	first, last string // the lowest and the highest id of the batch
	data        []byte
}

func insertBatches(ctx context.Context, tx *sql.Tx, apply string, batches []packedBatch) error {
	for n, b := range batches {
		_, err := tx.ExecContext(ctx, `INSERT INTO batch (apply, n, block, first, last, data)
			SELECT seq, ?, ?, ?, ?, ? FROM apply WHERE id = ?`, n, b.block, b.first, b.last, b.data, apply)
		if err != nil {
			return err
		}
	}
	return nil
}

func ids(b protocol.Batch) []string {
	all := []string{b.BatchID}
	for _, f := range b.Files {
		all = append(all, f.FilePatchID)
		all = append(all, text.Each(f.Changes, func(c protocol.PatchChange) string { return c.ChangeID })...)
	}
	return all
}
