package lspserver_test

import (
	"testing"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
)

// The status says whether an editor may mistake the blocks for merge conflicts.
func TestStatusNamesConflictMarks(t *testing.T) {
	for text, want := range map[string]bool{
		"a.txt\n```\n<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n```\n": true,
		bundle(create("b.txt", "<<<<<<<\n")):                                    false,
	} {
		c := serve(t, map[string]string{"a.txt": "one\n"}, nil)
		openReply(c, text)
		got := lsptest.Await(c, protocol.MethodStatus, func(s *protocol.Status) bool { return s.Blocks == 1 })
		if got.Conflicts != want {
			t.Errorf("%q: %+v", text, got)
		}
	}
}
