package link

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/tools/needs"
)

// If a workspace brings a state folder with a record, the record cannot delete anything or
// create a lock outside of that folder.
func TestPlantedRecords(t *testing.T) {
	for name, links := range map[string]map[string]string{ // the targets of the record's links, by their extension
		"x": nil, "ABCDEFGH": nil, "ABCDEFG2": {lockFile: "made"}, "ABCDEFG3": {recordFile: "record"}, "ABCDEFG4": {socketFile: "keep"},
	} {
		t.Run(name, func(t *testing.T) {
			if len(links) > 0 {
				needs.Links(t)
			}
			state, outside := folder(t), folder(t)
			must(t, os.Mkdir(runDir(state), 0o700))
			keep := filepath.Join(outside, "keep")
			must(t, os.WriteFile(keep, []byte("keep"), 0o600))
			must(t, os.Mkdir(filepath.Join(outside, "empty"), 0o700))
			data, err := json.Marshal(record{Socket: keep, Folders: []string{outside}})
			must(t, err)
			must(t, os.WriteFile(filepath.Join(outside, "record"), data, 0o600))
			at := filepath.Join(runDir(state), name)
			must(t, os.WriteFile(at+recordFile, data, 0o600))
			for end, to := range links {
				_ = os.Remove(at + end)
				must(t, os.Symlink(filepath.Join(outside, to), at+end))
			}
			before := files(t, outside)
			if who := whoServes(t, state, outside); who != "" {
				t.Errorf("%q serves", who)
			}
			if left := files(t, outside); len(left) != len(before) {
				t.Errorf("outside are %q, were %q", left, before)
			}
		})
	}

	// A record that would fill the memory is not read.
	huge := filepath.Join(folder(t), "ABCDEFGH")
	must(t, os.WriteFile(huge+recordFile, []byte("{}"), 0o600))
	must(t, os.Truncate(huge+recordFile, mostRecord+1))
	if _, err := readRecord(huge); err == nil || !strings.Contains(err.Error(), "too large to be the record") {
		t.Error(err)
	}

	// The name of a socket's folder is derived from its record.
	state, outside := folder(t), folder(t)
	must(t, os.Mkdir(runDir(state), 0o700))
	socket := filepath.Join(outside, "aptix-0123456789abcdef", "s"+socketFile)
	must(t, os.Mkdir(filepath.Dir(socket), 0o700))
	must(t, os.WriteFile(socket, nil, 0o600))
	data, err := json.Marshal(record{Socket: socket})
	must(t, err)
	must(t, os.WriteFile(filepath.Join(runDir(state), "ABCDEFGH"+recordFile), data, 0o600))
	_ = whoServes(t, state, outside)
	if _, err := os.Lstat(socket); err != nil {
		t.Error("another server's socket was removed:", err)
	}
}
