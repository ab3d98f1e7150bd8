package protect

// A Protection is the reason why Aptix writes a file only if a person agrees.
type Protection struct {
	Reason  string // completes the sentence "FILE is protected: …"
	Ignored bool   // git ignores the file, now or by the rules of the last commit
	// Folder is the path, relative to the root, of the outermost folder above the file that git now ignores as a whole.
	// It is "." for the whole root, and "" if there is none.
	Folder string
}
