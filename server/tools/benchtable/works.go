package main

// A work is one row of the table.
type work struct {
	name    string
	command string // the command of aptix, which is apply, or check for a reply with missing finds
	git     bool   // git apply is the yardstick
	// makes the input, with its numbers divided by divisor, which is 1 for the table and larger for
	// tests
	input func(divisor int) input
}

// works lists the rows of the table, in order.
var works = []work{
	{"git: 1,000 files of 12 KB, 3 hunks each", "apply", true, func(divisor int) input {
		return edited(programEdits(1000/divisor, 310, 3), "reply.patch", gitPatch)
	}},
	{"git: the same files, 8 directories deep", "apply", true, func(divisor int) input {
		return edited(inFolder("a/b/c/d/e/f/g/", programEdits(1000/divisor, 310, 3)), "reply.patch", gitPatch)
	}},
	{"git: 500 hunks in 200,000 lines", "apply", true, func(divisor int) input {
		return edited([]edit{programEdit("big.txt", 1, 200_000/divisor, 500/divisor)}, "reply.patch", gitPatch)
	}},
	{"git: 500 hunks in a file of 60 MB", "apply", false, func(divisor int) input {
		return edited([]edit{programEdit("big.txt", 1, 1_500_000/divisor, 500/divisor)}, "reply.patch", gitPatch)
	}},
	{"git: one line", "apply", true, func(int) input {
		return edited([]edit{programEdit("a.txt", 1, 100, 1)}, "reply.patch", gitPatch)
	}},
	{"bundle: 2,000 new files, 50 MB", "apply", false, func(divisor int) input {
		return newFiles(2000/divisor, 640)
	}},
	{"structured: 1,000 finds in 5 MB", "apply", false, func(divisor int) input {
		return edited([]edit{programEdit("big.txt", 1, 124_000/divisor, 1000/divisor)}, "reply.md", structured)
	}},
	{"structured: 1,000 files of 12 KB, 1 find each", "apply", false, func(divisor int) input {
		return edited(programEdits(1000/divisor, 310, 1), "reply.md", structured)
	}},
	{"structured: 60,000 finds in 600 KB", "apply", false, func(divisor int) input {
		return edited([]edit{keyLines(60_000 / divisor)}, "reply.md", structured)
	}},
	{"structured: 100,000 finds missing in 600 KB, check", "check", false, func(divisor int) input {
		return missing(60_000/divisor, 100_000/divisor)
	}},
	{"structured: 20 finds nearly there in 5 MB, check", "check", false, func(divisor int) input {
		return nearlyThere(programEdit("big.txt", 1, 124_000/divisor, 20))
	}},
	{"ap: 500 modifications in 200,000 lines", "apply", false, func(divisor int) input {
		return edited([]edit{programEdit("big.txt", 1, 200_000/divisor, 500/divisor)}, "reply.ap", apPatch)
	}},
	{"ap: 1,000 files of 12 KB, 3 modifications each", "apply", false, func(divisor int) input {
		return edited(programEdits(1000/divisor, 310, 3), "reply.ap", apPatch)
	}},
	{"ap: 20,000 equal locators in 20,000 lines", "apply", false, func(divisor int) input {
		return edited([]edit{alike(20_000 / divisor)}, "reply.ap", apPatch)
	}},
	{"lines: 10,000 changes in 100,000 lines", "apply", false, func(divisor int) input {
		return edited([]edit{programEdit("big.txt", 1, 100_000/divisor, 10_000/divisor)}, "reply.md", linePatch)
	}},
}
