package diag

// The problems of a block before its content is read.
const (
	BlockIncomplete Code = "block-incomplete"
	PartSkipped     Code = "part-skipped"
	FenceInFence    Code = "fence-in-fence"
	Alternative     Code = "alternative"
)
