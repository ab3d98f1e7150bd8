package protocol

// MethodBlocks is a request: BlocksParams -> Blocks: what a reply is made of, for a view that lists it.
const MethodBlocks = "aptix/blocks"

// BlocksParams names an open document.
type BlocksParams struct {
	URI string `json:"uri"`
}

// Blocks are those of a document, in its order.
type Blocks struct {
	Blocks []ListedBlock `json:"blocks"`
	// What else in the document could change a file and is not read.
	Unread []ListedUnread `json:"unread"`
}

// ListedUnread is a part of a reply that is not read, as a view lists it. The text is plain, and not escaped.
type ListedUnread struct {
	// Such as `a shell command that writes src/new.ts`.
	Text string `json:"text"`
	// Whether an apply of the rest asks first.
	Asks bool `json:"asks"`
	// On which it begins, counted from 0.
	Line int `json:"line"`
}

// ListedBlock is a block as a view lists it. The texts are plain, and not escaped.
type ListedBlock struct {
	// Counted from 1.
	Index int `json:"index"`
	// Of its format, such as `a file bundle`.
	Title string     `json:"title"`
	State BlockState `json:"state"`
	// As its code lens has it, such as `3 files +10 −2`.
	Text string `json:"text"`
	// On which it begins, counted from 0.
	Line int `json:"line"`
	// Its files, or its changes where it changes a file several times.
	Parts []ListedPart `json:"parts"`
}

// ListedPart is a file of a block, or a hunk of a file.
type ListedPart struct {
	// As SkipParams counts them.
	Part int `json:"part"`
	// The path of a file; of a hunk, what it is and where it goes, such as `hunk 2, lines 9 to 10`.
	Name string `json:"name"`
	// Whether the person left it out. Only then is there nothing else to know of it.
	Skipped bool `json:"skipped"`
	// Whether the person may leave it out, or take it in again.
	Optional bool `json:"optional"`
	// What becomes of it, such as `modify +3 −1`; empty where that is not known.
	Text string `json:"text"`
	// The first error in it, or else the first warning; empty where there is neither.
	Problem string `json:"problem"`
	// Whether Problem is an error.
	Failed bool `json:"failed"`
	// On which it begins, counted from 0.
	Line int `json:"line"`
	// The hunks of a file, or whatever its format calls them, if it has several.
	Parts []ListedPart `json:"parts"`
}
