package main

import (
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/protocol"
)

// A walkthrough has the members of a walkthrough in package.json.
type walkthrough struct {
	Steps []struct {
		ID               string
		CompletionEvents []string
		Media            struct {
			Image   map[string]string // paths of pictures by the kind of theme
			AltText string
		}
	}
}

// maxPicture is the largest size of a picture in bytes. Pictures must stay a small part of the
// package.
const maxPicture = 20_000

func walkthroughs(t *testing.T) (extension string, found []walkthrough) {
	t.Helper()
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	extension = filepath.Join(root, "extension")
	raw, err := os.ReadFile(filepath.Join(extension, "package.json"))
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Contributes struct{ Walkthroughs []walkthrough }
	}
	if err := json.Unmarshal(raw, &manifest); err != nil {
		t.Fatal(err)
	}
	return extension, manifest.Contributes.Walkthroughs
}

// Each step has a picture for light and for dark themes, with a text for people who cannot see
// it.
func TestWalkthroughPictures(t *testing.T) {
	extension, all := walkthroughs(t)
	steps := 0
	for _, w := range all {
		for _, step := range w.Steps {
			steps++
			media := step.Media
			if media.AltText == "" || media.Image["dark"] == media.Image["light"] {
				t.Errorf("the step %s needs altText, and a picture of its own for dark and for light", step.ID)
			}
			for _, kind := range []string{"dark", "hc", "light", "hcLight"} {
				checkPicture(t, filepath.Join(extension, media.Image[kind]))
			}
		}
	}
	if steps < 6 {
		t.Errorf("the walkthrough has %d steps, want 6", steps)
	}
}

func checkPicture(t *testing.T, path string) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Errorf("%v; `make pictures` takes it", err)
		return
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || info.Size() > maxPicture {
		t.Errorf("%s has %d bytes, more than %d (%v)", path, info.Size(), maxPicture, err)
	}
	if config, err := png.DecodeConfig(file); err != nil || config.Width < 200 || config.Height < 200 {
		t.Errorf("%s is no picture: %v, %d × %d", path, err, config.Width, config.Height)
	}
}

// A step that waits for a command that nothing runs would never be complete.
func TestWalkthroughWaitsForCommandsThatExist(t *testing.T) {
	known := append(listedCommands(), protocol.CommandApply, protocol.CommandPreview, protocol.CommandRevert)
	_, all := walkthroughs(t)
	for _, w := range all {
		for _, step := range w.Steps {
			if len(step.CompletionEvents) == 0 {
				t.Errorf("the step %s is done by nothing", step.ID)
			}
			for _, event := range step.CompletionEvents {
				if command, ok := strings.CutPrefix(event, "onCommand:"); ok && !slices.Contains(known, command) {
					t.Errorf("the step %s waits for %s, which does not exist", step.ID, command)
				}
			}
		}
	}
}
