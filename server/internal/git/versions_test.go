package git

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aptix-dev/aptix/server/tools/gittest"
)

// The number of bytes that are read is limited, however many versions git has of a large file.
func TestVersionsAreBounded(t *testing.T) {
	usual := searching
	searching = time.Minute
	t.Cleanup(func() { searching = usual })
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	const size, count = 5 << 20, 9
	for i := range count {
		content := strings.Repeat("line\n", size/5)
		if i == count/2 {
			content += strings.Repeat(content, versionBytes/size)
		}
		gittest.Lay(t, dir, map[string]string{"a.txt": fmt.Sprintln(i) + content})
		gittest.Run(t, dir, "add", "a.txt")
		gittest.Run(t, dir, "commit", "-q", "-m", "x")
	}
	all := 0
	versions := Versions(t.Context(), dir, "a.txt")
	for _, v := range versions {
		all += len(v.Data)
		if len(v.Data) > versionBytes {
			t.Errorf("a version of %d bytes is read", len(v.Data))
		}
	}
	if all > allVersions || all < allVersions-2*size || !strings.HasPrefix(versions[0].Data, fmt.Sprintln(count-1)) {
		t.Errorf("%d versions with %d bytes are read", len(versions), all)
	}
}
