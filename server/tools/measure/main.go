// Command measure tries Aptix on edits that models really wrote, and on real diffs that a script
// damaged, and prints the results as a Markdown table.
//
// This repository contains nothing from other projects. The program reads a clone of
// Aider-AI/aider: its chat history in tests/fixtures/chat-history.md, joined with the commits
// that the history names. From the other clones in the same folder it takes real diffs, and files
// for replies that leave out lines. APTIX_PEERS names that folder, in which aider has the folder
// aider/. If APTIX_HISTORIES names a folder with clones that have a chat history of their own, their
// replies are measured, too.
//
// A case is right if exit status 0 leaves the intended tree, refused if nothing was written, and
// wrong if exit status 0 leaves another tree. It is half if exit status 0 leaves only some of the
// files as intended. No case may ever be half.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	aptix := flag.String("aptix", "extension/bin/aptix", "the `program` to measure")
	most := flag.Int("most", 0, "measure at most `n` cases of each set; 0 for all")
	show := flag.String("show", "", "write each case that is not right into this `folder`")
	only := flag.String("only", "", "measure only sets whose name contains this `text`")
	into := flag.String("write", "", "replace the table in this Markdown `file`")
	flag.Parse()
	if err := run(*aptix, *most, *show, *only, *into); err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

func run(aptix string, most int, show, only, into string) error {
	peers := os.Getenv("APTIX_PEERS")
	if peers == "" {
		return fmt.Errorf("APTIX_PEERS is not set: name a folder that holds clones of public repositories, Aider-AI/aider as aider/ among them")
	}
	aptix, err := filepath.Abs(aptix)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp(memory(), "aptix-measure-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	b := &bench{aptix: aptix, work: work, show: show}
	if only == doubtSet {
		found, err := doubtsOf(peers)
		fmt.Print(strings.Join(found.shown, "\n"), found.render())
		return err
	}
	replies, err := readChat(repository(filepath.Join(peers, "aider")))
	if err != nil {
		return err
	}
	diffs, err := readDiffs(peers)
	if err != nil {
		return err
	}
	var rows []row
	var all []helpCounts
	patches, err := patchSets(peers)
	if err != nil {
		return err
	}
	sets := slices.Concat(replySets(replies), patches, damagedSet(diffs))
	if only == "" || strings.Contains(olderName, only) || strings.Contains(only, olderName) {
		sets = append(sets, olderSets(peers, replies, diffs)...)
	}
	if strings.Contains(elidedName, only) || strings.Contains(only, elidedName) {
		elided, err := elidedSets(peers)
		if err != nil {
			return err
		}
		sets = append(sets, elided...)
	}
	if strings.Contains(historyName, only) {
		histories, err := historySet()
		if err != nil {
			return err
		}
		if len(histories.samples) > 0 {
			sets = append(sets, histories)
		}
	}
	blind, err := blindSets()
	if err != nil {
		return err
	}
	sets = append(sets, blind...)
	for _, set := range sets {
		if strings.Contains(set.name, only) {
			more, about := b.measure(set, most)
			rows, all = append(rows, more...), append(all, about)
		}
	}
	table := render(rows) + renderTold(all)
	if strings.Contains(markdownSet, only) {
		files, found, err := markdown(peers)
		if err != nil {
			return err
		}
		table += "\n" + renderClaimed(files, found)
	}
	fmt.Print(table)
	if into != "" {
		return replaceTable(into, table)
	}
	return nil
}

// memory returns a folder whose files are in memory. If there is none, it returns the folder for
// temporary files.
func memory() string {
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		return "/dev/shm"
	}
	return ""
}
