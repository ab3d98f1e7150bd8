package history

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// manyLines returns a text of n lines. In each group of `every` lines, one begins with kind.
func manyLines(n, every int, kind string) string {
	var b strings.Builder
	for i := range n {
		line := fmt.Sprintf("line %d\n", i)
		if i%every == every/2 {
			line = kind + line
		}
		b.WriteString(line)
	}
	return b.String()
}

// edited returns the record of an apply that changes some lines of a long file.
func edited(path string, every int) File {
	return did(path, stands(manyLines(1000, every, "old ")), stands(manyLines(1000, every, "new ")))
}

func TestDeltaGivesAfter(t *testing.T) {
	lines := rapid.SliceOfN(rapid.SampledFrom([]string{"a\n", "b\n", "\n", "a\r\n", "é\x00", "\r"}), 0, 8)
	short := 0
	rapid.Check(t, func(t *rapid.T) {
		around := strings.Repeat("abc\nd\n", rapid.IntRange(0, 50).Draw(t, "around"))
		text := func(name string) string { return around + strings.Join(lines.Draw(t, name), "") + around }
		before, after := text("before"), text("after")
		delta := deltaOf(before, after)
		if delta == nil {
			return
		}
		short++
		name := deltaName(before, after)
		if got, err := unpack(delta, int64(len(after)), name, before); got != after || err != nil {
			t.Fatalf("%q to %q came back as %q, %v", before, after, got, err)
		}
		if got, err := unpack(delta, int64(len(after)), name, before+"x"); !errors.Is(err, errDamaged) {
			t.Fatalf("another content before gave %q, %v", got, err)
		}
	})
	if short < 10 {
		t.Errorf("%d deltas are short", short)
	}
}

func deltaName(before, after string) []byte {
	name := deltaSum(text.Sums{Before: text.Sum(before), After: text.Sum(after)})
	return name[:]
}

// A damaged delta never causes wrong content or a panic.
func FuzzDelta(f *testing.F) {
	before, after := manyLines(30, 10, "old "), manyLines(30, 10, "new ")
	delta := deltaOf(before, after)
	f.Add(delta)
	f.Add([]byte{deltaFirst, 0x80})
	f.Add([]byte{deltaFirst, 0, 0, 5, 'x'})
	f.Add([]byte("\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x3f\xff\xff\xff\xff\xff\xff\xff\xff\x3f\x01x"))
	f.Fuzz(func(t *testing.T, damaged []byte) {
		if len(damaged) == 0 || damaged[0] != deltaFirst {
			return
		}
		got, err := unpack(damaged, int64(len(after)), deltaName(before, after), before)
		if err == nil && got != after || err != nil && !errors.Is(err, errDamaged) {
			t.Errorf("%q, %v", got, err)
		}
	})
}

// The same content may be the result of one apply and the starting point of another. If one of the two is deleted, the
// other still has everything that it needs.
func TestDeltasOutliveOtherApplies(t *testing.T) {
	ctx, s := context.Background(), open(t, t.TempDir())
	first, other := edited("a", 100), did("b", stands("x\n"), stands(manyLines(1000, 100, "new ")))
	next := did("a", first.After, stands(manyLines(1000, 100, "third ")))
	old, kept := daysOld(40, first), []Apply{daysOld(2, next), daysOld(1, edited("c", 100)), daysOld(0, other)}
	must(t, s.Record(ctx, old))
	for _, a := range kept {
		must(t, s.Record(ctx, a))
	}
	must(t, s.Prune(ctx, noon, Limits{Age: 30 * 24 * time.Hour}))
	for _, a := range kept {
		got, err := s.Get(ctx, a.ID)
		must(t, err)
		if !cmp.Equal(got.Files, a.Files, asRecorded) {
			t.Errorf("%s came back as another file", a.Files[0].Path)
		}
	}
	must(t, s.Prune(ctx, noon.AddDate(1, 0, 0), Limits{Age: time.Hour}))
	if got := count(t, s, "blob"); got != 2 {
		t.Errorf("%d contents are left of the latest apply, want 2", got)
	}
}

func TestSmallEditsTakeLittle(t *testing.T) {
	ctx, s := context.Background(), open(t, t.TempDir())
	file := edited("a", 100)
	must(t, s.Record(ctx, apply("1", file)))
	var size int
	must(t, s.db.QueryRow("SELECT length(data) FROM blob WHERE sum = ?", deltaName(file.Before.Data, file.After.Data)).Scan(&size))
	if size > 500 {
		t.Errorf("10 lines take %d bytes", size)
	}
	versions, err := s.Versions(ctx, root(), "a")
	must(t, err)
	if len(versions) != 2 || versions[0].Data != file.After.Data || versions[1].Data != file.Before.Data {
		t.Errorf("%d versions, or others", len(versions))
	}
}
