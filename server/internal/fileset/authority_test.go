package fileset

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aptix-dev/aptix/server/internal/text"
	"github.com/aptix-dev/aptix/server/tools/postgrestest"
)

// The test covers every combination of copies (rule R29). The set has the same content as the disk, has other content,
// or does not have the file. The disk has the file or not.
func TestAuthority(t *testing.T) {
	const disk, other = "disk", "other"
	for _, c := range []struct {
		inSet          string // "" if it is not in the set
		onDisk         bool
		shared, single string // source, content, and revision in the set afterwards; or ! if refused
		says           string // message of the refusal
	}{
		{disk, true, "cloud disk 1", "cloud disk 1", ""},
		{disk, false, "! cloud disk 1", "! cloud disk 1", "is only in the file set"},
		{other, true, "! cloud other 1", "cloud disk 2",
			`"r/f" on disk (SHA-256 ` + short(text.SumHex(disk)) + ") differs from the shared file set, which has revision 1 (SHA-256 " + short(text.SumHex(other))},
		{other, false, "! cloud other 1", "! cloud other 1", "is only in the file set"},
		{"", true, "disk disk 0", "disk disk 0", ""},
		{"", false, " 0", " 0", ""},
	} {
		name := "set=" + c.inSet + map[bool]string{true: ",disk", false: ""}[c.onDisk]
		t.Run(name, func(t *testing.T) {
			eachDatabase(t, func(t *testing.T, where string) {
				s := open(t, where)
				if c.inSet != "" {
					put(t, s, "r/f", Base{}, c.inSet)
				}
				copies := Copies{DocPath: "r/f"}
				if c.onDisk {
					copies.ReadDisk = func() (text.Content, error) { return text.Content{Exists: true, Data: disk}, nil }
				}
				truth := authority(t, s, copies)
				want := c.single
				if s.Shared() {
					want = c.shared
				}
				if got := summary(t, s, truth); got != want {
					t.Errorf("got %q, want %q", got, want)
				}
				if truth.Refused != "" && !strings.Contains(truth.Refused, c.says) {
					t.Errorf("refused with %q, which should say %q", truth.Refused, c.says)
				}
			})
		})
	}
}

func authority(t *testing.T, s *Set, c Copies) Truth {
	t.Helper()
	truths, err := s.Authority(context.Background(), "lsp", []Copies{c})
	must(t, err)
	return truths[0]
}

func summary(t *testing.T, s *Set, truth Truth) string {
	t.Helper()
	parts := []string{string(truth.Source)}
	if truth.Source != Nowhere {
		parts = append(parts, truth.Content)
	}
	revision, _, _ := strings.Cut(state(t, s, "r/f"), " ")
	if truth.Refused != "" {
		parts = append([]string{"!"}, parts...)
	}
	return strings.Join(append(parts, revision), " ")
}

// A set of one machine follows the disk only if it still has the revision that was read before. A revision that was
// written in between is newer than the content that was read from the disk.
func TestFollowsTheDiskOnce(t *testing.T) {
	s := open(t, t.TempDir()+"/fileset.db")
	first := put(t, s, "r/f", Base{}, "1")
	reads := 0
	disk := func() (text.Content, error) {
		reads++
		if reads == 1 { // between the two reads, another user applies and uploads
			put(t, s, "r/f", Base{first.Revision, first.SHA256}, "applied")
			return text.Content{Exists: true, Data: "edited"}, nil
		}
		return text.Content{Exists: true, Data: "applied"}, nil
	}
	truth := authority(t, s, Copies{DocPath: "r/f", ReadDisk: disk})
	if want := (Truth{Source: Cloud, Content: "applied"}); !cmp.Equal(truth, want) || reads != 2 {
		t.Errorf("after %d reads %+v, want %+v", reads, truth, want)
	}
}

// If the set does not answer, the error names it. If the disk fails, the error is the disk's.
func TestAuthorityWithoutDatabase(t *testing.T) {
	s := open(t, postgrestest.URL(t))
	must(t, s.db.Close())
	if _, err := s.Authority(context.Background(), "lsp", []Copies{{DocPath: "r/f"}}); err == nil || !strings.Contains(err.Error(), s.String()) {
		t.Errorf("got %v", err)
	}
	broken := errors.New("the disk is broken")
	s = open(t, t.TempDir()+"/fileset.db")
	if _, err := s.Authority(context.Background(), "lsp", []Copies{{DocPath: "r/f", ReadDisk: func() (text.Content, error) { return text.Content{}, broken }}}); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

// After a read, an apply and its upload, the next read finds nothing to do.
func TestReadApplyUpload(t *testing.T) {
	ctx := context.Background()
	eachDatabase(t, func(t *testing.T, where string) {
		s, disk := open(t, where), text.Content{Exists: true, Data: "0"}
		copies := Copies{DocPath: "r/f", ReadDisk: func() (text.Content, error) { return disk, nil }}
		for _, next := range []string{"1", "2", "3"} {
			before := authority(t, s, copies)
			after := text.Content{Exists: true, Data: next}
			must(t, s.Upload(ctx, "mcp", []Change{{"r/f", text.Content{Exists: true, Data: before.Content}, after, text.Content{}}}))
			disk = after
		}
		want := Truth{Source: Cloud, Content: "3"}
		if got := authority(t, s, copies); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	})
}
