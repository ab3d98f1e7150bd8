package protocol

// MethodBlocks is a request: BlocksParams -> Blocks. It returns the parts of a reply, to list them in a view.
const MethodBlocks = "aptix/blocks"

// BlocksParams names an open document.
type BlocksParams struct {
	URI string `json:"uri"`
}

// MethodPartsAt is a request: PartsAtParams -> PartsAt. It returns the parts of a reply that produce a hunk, or a file,
// of its preview.
const MethodPartsAt = "aptix/partsAt"

// PartsAtParams names a place in the preview of a reply.
type PartsAtParams struct {
	Target Target `json:"target"`
	// The URI of a side of a PreviewFile.
	Document string `json:"document"`
	// A line of Document, counted from 0.
	Line int `json:"line"`
	// Whether to return the parts for the whole file, instead of the parts for the hunk at Line.
	File bool `json:"file"`
}

// PartsAt lists the parts of the reply at a place in its preview. Each part is given as the argument with which
// aptix.skip leaves it out.
type PartsAt struct {
	Parts []SkipParams `json:"parts"`
	// If there are no parts, the reason in words for a person.
	Message string `json:"message"`
}

// Blocks lists the blocks of a document in order.
type Blocks struct {
	Blocks []ListedBlock `json:"blocks"`
	// Other parts of the document that could change a file but that no format reads.
	Unread []ListedUnread `json:"unread"`
}

// ListedUnread is a row of the view for an unread part of a reply. Its text is plain and not escaped.
type ListedUnread struct {
	// A description, such as `a shell command that writes src/new.ts`.
	Text string `json:"text"`
	// Whether Aptix asks the person about this part before it applies the rest of the reply.
	Asks bool `json:"asks"`
	// The line on which the part begins, counted from 0.
	Line int `json:"line"`
}

// ListedBlock is a row of the view for a block. Its texts are plain and not escaped.
type ListedBlock struct {
	// Counted from 1.
	Index int `json:"index"`
	// The title of the format, such as `a file bundle`.
	Title string     `json:"title"`
	State BlockState `json:"state"`
	// The text of the block's code lens, such as `3 files +10 −2`.
	Text string `json:"text"`
	// The line on which the block begins, counted from 0.
	Line int `json:"line"`
	// Skipped: the person left out all files of the block. Optional: the person may change this choice.
	Skipped  bool `json:"skipped"`
	Optional bool `json:"optional"`
	// The files of the block, or its changes if it changes a file several times.
	Parts []ListedPart `json:"parts"`
}

// ListedPart is a row for a file of a block, or for a hunk of a file.
type ListedPart struct {
	// The number of the part, counted as in SkipParams.
	Part int `json:"part"`
	// The path of a file, or the kind and position of a hunk, such as `hunk 2, lines 9 to 10`.
	Name string `json:"name"`
	// Whether the person left the part out. If true, Text and Problem are empty.
	Skipped bool `json:"skipped"`
	// Whether the person may leave the part out, or include it again.
	Optional bool `json:"optional"`
	// The effect of the part, such as `modify +3 −1`; empty if unknown.
	Text string `json:"text"`
	// The first error in the part, or else the first warning; empty if there is neither.
	Problem string `json:"problem"`
	// Whether Problem is an error.
	Failed bool `json:"failed"`
	// The line on which the part begins, counted from 0.
	Line int `json:"line"`
	// The hunks of a file, if it has several. Some formats have a different name for their hunks.
	Parts []ListedPart `json:"parts"`
}
