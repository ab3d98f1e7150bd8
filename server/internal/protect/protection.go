package protect

// A Protection is the reason why a file is not written unless a person agrees.
type Protection struct {
	Reason  string // in words that follow "FILE is protected: "
	Ignored bool   // git ignores the file, now or by the rules of the last commit
	// Folder is the outermost folder above the file, from the root, that git now ignores with everything in it. It is
	// "." for the whole root, and "" if there is none.
	Folder string
}
