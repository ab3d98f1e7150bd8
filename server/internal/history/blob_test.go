package history

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// deflated returns data as version 0.1.0 packed it.
func deflated(t *testing.T, data string) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestSpeed)
	must(t, err)
	_, err = w.Write([]byte(data))
	must(t, err)
	must(t, w.Close())
	return out.Bytes()
}

// Contents and batches that an older program packed with DEFLATE can still be read.
func TestReadsWhatOlderProgramsPacked(t *testing.T) {
	ctx, s := context.Background(), open(t, t.TempDir())
	before, after := strings.Repeat("before\n", 1000), "and after\n"
	a := apply("key", did("x", stands(before), stands(after)), did("empty", text.Content{}, stands("")))
	a.Batches = []Batch{batchOf("a", 2)}
	must(t, s.Record(ctx, a))
	for _, content := range []string{before, after, ""} {
		result, err := s.db.Exec("UPDATE blob SET data = ? WHERE sum = ?", deflated(t, content), sum(content))
		must(t, err)
		if n, err := result.RowsAffected(); n != 1 || err != nil {
			t.Fatalf("%d rows, %v", n, err)
		}
	}
	raw, err := json.Marshal(a.Batches[0].Batch)
	must(t, err)
	_, err = s.db.Exec("UPDATE batch SET data = ?", deflated(t, string(raw)))
	must(t, err)

	got, err := s.Get(ctx, a.ID)
	must(t, err)
	if diff := cmp.Diff(a.Files, got.Files, asRecorded); diff != "" {
		t.Error(diff)
	}
	_, batch, err := s.Batch(ctx, a.Batches[0].BatchID)
	must(t, err)
	if diff := cmp.Diff(a.Batches[0].Batch, batch); diff != "" {
		t.Error(diff)
	}
}

// The first byte distinguishes S2 from DEFLATE. An empty content is an empty S2 stream.
func TestPackedBeginsAsS2(t *testing.T) {
	for _, content := range []string{"", "x", strings.Repeat("text ", 1<<20)} {
		packed, err := newPacker(len(content)).pack(content)
		must(t, err)
		if content != "" && packed[0] != s2First {
			t.Errorf("%d bytes are packed to %.10q", len(content), packed)
		}
		if got, err := unpack(packed, int64(len(content)), sum(content), ""); got != content || err != nil {
			t.Errorf("%d bytes come back as %d, %v", len(content), len(got), err)
		}
		if _, err := unpack(packed, mostContent+1, sum(content), ""); !errors.Is(err, errDamaged) {
			t.Errorf("a planted content may fill the memory: %v", err)
		}
	}
}
