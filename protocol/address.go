package protocol

// MethodAddress is a request: AddressParams -> AddressResult. It returns the files that each code block of a text
// without edits may be meant for.
const MethodAddress = "aptix/address"

// AddressParams asks which files the code blocks of a text may be for, if the text holds no edit. If Chosen is not
// empty, the result is a copy of the text instead, in which each chosen block names its file.
type AddressParams struct {
	Target Target   `json:"target"`
	Chosen []Chosen `json:"chosen"`
}

// Chosen is the file that a person chose for a code block.
type Chosen struct {
	// The block's first line, counted from 0.
	Line int    `json:"line"`
	Path string `json:"path"`
}

// AddressResult lists the code blocks of a text, or holds the copy of the text that names the chosen files.
type AddressResult struct {
	Blocks []Unaddressed `json:"blocks"`
	// The copy of the text, for a preview; empty if nothing was chosen.
	Text string `json:"text"`
}

// Unaddressed is a code block that does not name a file.
type Unaddressed struct {
	// The block's first line, counted from 0.
	Line int `json:"line"`
	// The question for a person: which file is the block for?
	Title string `json:"title"`
	// The possible files, the likeliest first.
	Files []Addressee `json:"files"`
}

// Addressee is a file that a code block may be for.
type Addressee struct {
	Path string `json:"path"`
	// The file in words for a person, such as `src/a.ts: has 3 of 5 lines`.
	Text string `json:"text"`
}
