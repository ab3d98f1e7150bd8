package mcp

import (
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/tools/meanwhile"
)

// If the history fails in any way, an agent's changes are still made, and the answer says
// that a change is not recorded.
func TestHistoryFaults(t *testing.T) {
	for _, fault := range meanwhile.HistoryFaults {
		t.Run(fault.Name, func(t *testing.T) {
			t.Parallel()
			dir := folder(t, "demo", map[string]string{"a.txt": "one\n"})
			config := newConfig(t, dir)
			c := connect(t, config)
			must[object](c, "aptix_apply", bundle("a.txt", "two\n"))
			fault.Happen(t, meanwhile.HistoryFile(config.StateDir))
			_, answer := must[object](c, "aptix_apply", bundle("a.txt", "three\n"))
			fileHas(t, "three\n", dir, "a.txt")
			if warned(answer) == fault.Records {
				t.Errorf("got %+v", answer)
			}
			if answer := c.call("aptix_revert", nil); answer.Successful != fault.Records {
				t.Errorf("a revert: %+v", answer)
			}
			if fault.Records {
				fileHas(t, "two\n", dir, "a.txt")
			}
		})
	}
}

func warned(answer protocol.ToolResult) bool {
	for _, w := range answer.Warnings {
		if w.Code == "not-remembered" && strings.Contains(w.Message, "the change was made") {
			return true
		}
	}
	return false
}
