package check

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/tools/trials"
)

func tooLarge(r *Result) (found []diag.Diagnostic) {
	for _, b := range r.Blocks {
		for _, d := range b.Diagnostics {
			if d.Code == diag.ReplyTooLarge {
				found = append(found, d)
			}
		}
	}
	return found
}

func TestTooManyBlocks(t *testing.T) {
	var reply strings.Builder
	for i := range mostBlocks + 1 {
		fmt.Fprintf(&reply, "```json\n{\"root\": \".\", \"files\": [{\"path\": \"f%d\", \"operation\": \"create\", \"content\": \"x\"}]}\n```\n", i)
	}
	where := Where{Tree: fstest.MapFS{}}
	all := []Document{{Name: "r.md", Text: reply.String()}}
	r, err := Check(t.Context(), all, where)
	if err != nil || r.Applicable() || len(r.Blocks) != mostBlocks || len(tooLarge(r)) != 1 {
		t.Errorf("%d blocks, applicable: %v, %v, %v", len(r.Blocks), r.Applicable(), tooLarge(r), err)
	}
	fits := all[0].Text[:strings.LastIndex(all[0].Text, "```json")]
	if r, err = Check(t.Context(), []Document{{Name: "r.md", Text: fits}}, where); err != nil || !r.Applicable() || len(r.Blocks) != mostBlocks {
		t.Errorf("%d blocks, applicable: %v, %v", len(r.Blocks), r.Applicable(), err)
	}
}

// Each literal is small, but unpacks to one byte more than half of the limit.
func TestTooMuchContent(t *testing.T) {
	const size = mostContent/2 + 1
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	zeros := make([]byte, 1<<20)
	for left := size; left > 0; left -= len(zeros) {
		_, _ = w.Write(zeros[:min(left, len(zeros))])
	}
	_ = w.Close()
	patch := func(name string) string {
		return fmt.Sprintf("```patch\ndiff --git a/%[1]s b/%[1]s\nindex %[2]s..%[3]s 100644\nGIT binary patch\nliteral %[4]d\n%[5]s\nliteral 0\nHcmV?d00001\n\n```\n", name,
			strings.Repeat("1", 40), strings.Repeat("2", 40), size, base85Lines(packed.Bytes()))
	}
	r, err := Check(t.Context(), []Document{{Name: "r.md", Text: patch("a") + patch("b")}}, Where{Tree: fstest.MapFS{}})
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(r.Blocks, func(b Block) bool {
		return slices.ContainsFunc(b.Diagnostics, func(d diag.Diagnostic) bool { return d.Code == diag.ReplyTooLarge })
	})
	if len(r.Blocks) != 2 || at != 1 || r.Applicable() {
		t.Errorf("%d blocks, cut off at %d: %v", len(r.Blocks), at, r.Blocks[0].Diagnostics)
	}
}

func base85Lines(data []byte) string {
	const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~"
	var out strings.Builder
	for line := range slices.Chunk(data, 52) {
		letter := 'A' + rune(len(line)) - 1
		if len(line) > 26 {
			letter = 'a' + rune(len(line)) - 27
		}
		out.WriteRune(letter)
		for group := range slices.Chunk(line, 4) {
			var word uint32
			for i := range 4 {
				word <<= 8
				if i < len(group) {
					word |= uint32(group[i])
				}
			}
			var five [5]byte
			for i := 4; i >= 0; i-- {
				five[i] = digits[word%85]
				word /= 85
			}
			out.Write(five[:])
		}
		out.WriteByte('\n')
	}
	return out.String()
}

// With work in proportion to the square of the number of whole texts, this test would not end.
func TestManyWholeTexts(t *testing.T) {
	const many = 300_000
	var b Block
	b.Set.Changes = make([]intent.Change, many)
	files := make([]plan.BlockFile, many)
	for i := range files {
		files[i] = plan.BlockFile{Path: fmt.Sprintf("f%d", i), Whole: true}
		b.Set.Changes[i] = intent.Change{Kind: intent.Write, Path: files[i].Path}
	}
	b.contradictions(files, false, map[string]version{})
	if len(b.Diagnostics) > 0 {
		t.Errorf("%d diagnostics: %v", len(b.Diagnostics), b.Diagnostics[0])
	}
}

// If a search is cut off, the report says so once, and only if there was something to search
// for.
func TestSearchIsCutOff(t *testing.T) {
	find := func(text string) string {
		return fmt.Sprintf("```json\n{\"root\": \".\", \"patches\": [{\"path\": \"a.txt\", \"replacements\": [{\"find\": %q, \"replace\": \"x\", \"limit\": \"once\"}]}]}\n```\n", text)
	}
	reply := find("the fist line of a file") + find("the secnd line of a file")
	tree := fstest.MapFS{"a.txt": {Data: []byte("the first line of a file\nthe second line of a file\n")}}
	r, err := Check(t.Context(), []Document{{Name: "r.md", Text: reply}}, Where{Tree: tree})
	if err != nil {
		t.Fatal(err)
	}
	said := func() (n int) {
		for _, b := range r.Report(t.Context()).Blocks {
			for _, d := range b.Diagnostics {
				n += strings.Count(d.Message, notSearched)
			}
		}
		return n
	}
	const sentence = "some places are not named"
	if n, feedback := said(), r.Feedback(t.Context()); n != 0 || strings.Contains(feedback, sentence) {
		t.Errorf("said %d times: %s", n, feedback)
	}
	r.meter.Pay(r.meter.Left() + 1)
	if n, feedback := said(), r.Feedback(t.Context()); n != 1 || strings.Count(feedback, sentence) != 1 {
		t.Errorf("spent: said %d times: %s", n, feedback)
	}
}

// Megabytes of prose with code marks are read completely. `make check` reads less than one.
func TestMuchProse(t *testing.T) {
	prose := strings.Repeat("I changed `foo()` in `src/a.ts`, so that `bar` works; see `b`.\n", 45_000/trials.OneIn(1))
	r, err := Check(t.Context(), []Document{{Name: "r.md", Reply: true, Text: prose + "\na.txt\n\n```\nx\n```\n"}}, Where{Tree: fstest.MapFS{"a.txt": {Data: []byte("y\n")}}})
	if err != nil || len(r.Blocks) != 1 || !r.Applicable() {
		t.Errorf("%d blocks: %v, %v", len(r.Blocks), r.Diagnostics(), err)
	}
}
