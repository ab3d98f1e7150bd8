package main

import "testing"

// As code changes, the text that a bug replaces may disappear. Without this test, nobody would
// notice before all bugs are planted.
func TestBugsHaveTheirPlaces(t *testing.T) {
	t.Chdir("../../..")
	for _, b := range bugs {
		if _, err := b.overlay(t.TempDir()); err != nil {
			t.Errorf("%s: %v", b.name, err)
		}
	}
}
