package disk

// CheckPrivate checks only for links. The folder is in the user's profile, whose access list
// it inherits.
func CheckPrivate(stateDir string) error { return noLinks(stateDir) }
