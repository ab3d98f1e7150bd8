package protocol

// MethodAddress is a request: AddressParams -> AddressResult. For each code block of a text without edits, it returns
// the files to which the block may belong.
const MethodAddress = "aptix/address"

// AddressParams names a text without edits. If Chosen is empty, the result lists the files to which its code blocks may
// belong. Otherwise it is a copy of the text, in which each chosen block names its file.
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

// AddressResult lists the code blocks of a text, or has the copy of the text that names the chosen files.
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

// Addressee is a file to which a code block may belong.
type Addressee struct {
	Path string `json:"path"`
	// The file in words for a person, such as `src/a.ts: has 3 of 5 lines`.
	Text string `json:"text"`
}
