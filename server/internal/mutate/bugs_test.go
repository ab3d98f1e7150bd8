package main

import "testing"

// The code changes, and a bug whose place is gone would otherwise be found only when all bugs
// are planted.
func TestBugsHaveTheirPlaces(t *testing.T) {
	t.Chdir("../../..")
	for _, b := range bugs {
		if _, err := b.overlay(t.TempDir()); err != nil {
			t.Errorf("%s: %v", b.name, err)
		}
	}
}
