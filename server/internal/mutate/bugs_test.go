package main

import "testing"

// The code changes, and a bug without a place in it would only be found when all are planted.
func TestBugsHaveTheirPlaces(t *testing.T) {
	t.Chdir("../../..")
	for _, b := range bugs {
		if _, err := b.overlay(t.TempDir()); err != nil {
			t.Errorf("%s: %v", b.name, err)
		}
	}
}
