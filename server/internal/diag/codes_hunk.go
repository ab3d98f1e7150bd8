package diag

// The problems of a hunk in its file.
const (
	HunkMoved         Code = "hunk-moved"
	HunkAmbiguous     Code = "hunk-ambiguous"
	HunkStandsAlready Code = "hunk-stands-already"
	HunkNotFound      Code = "hunk-not-found"
	HunkDiffers       Code = "hunk-differs"
	HunkNeedsContext  Code = "hunk-needs-context"
	HunkUnnumbered    Code = "hunk-unnumbered"
	HunkCounts        Code = "hunk-counts"
	HunkByNumber      Code = "hunk-by-number"
	HunkNewline       Code = "hunk-newline"
)
