package check

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/plan"
)

// The earlier contents of all files of a reply have a limit together.
func TestEarlierContentsAreBounded(t *testing.T) {
	content, read := strings.Repeat("x", 20<<20), 0
	earlier := once(func(context.Context, string) ([]plan.Earlier, error) {
		read++
		return []plan.Earlier{{Data: content}}, nil
	})
	for i := range 20 {
		for range 2 {
			all, err := earlier(t.Context(), fmt.Sprint(i))
			if want := i*len(content) < mostEarlier; err != nil || (len(all) > 0) != want {
				t.Errorf("file %d: %d contents, %v", i, len(all), err)
			}
		}
	}
	if most := mostEarlier/len(content) + 1; read > most {
		t.Errorf("%d files were read, want at most %d", read, most)
	}
}
