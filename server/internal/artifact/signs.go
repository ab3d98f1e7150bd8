package artifact

// Characters is the set of characters in some texts. All non-ASCII characters count as one character.
type Characters [0x81]bool

// CharactersOf returns the set of characters in some texts.
func CharactersOf(texts ...string) *Characters {
	var c Characters
	for _, s := range texts {
		for i := range len(s) {
			c[min(s[i], 0x80)] = true
		}
	}
	return &c
}

// hasOneOf reports whether at least one of the characters in `signs` is in the set. It returns true if `signs` is "".
func (c *Characters) hasOneOf(signs string) bool {
	for i := range len(signs) {
		if c[min(signs[i], 0x80)] {
			return true
		}
	}
	return signs == ""
}

// HasAll reports whether all characters of a text are in the set.
func (c *Characters) HasAll(s string) bool {
	for i := range len(s) {
		if !c[min(s[i], 0x80)] {
			return false
		}
	}
	return true
}

// MayBeIn reports whether a text with the given characters may have the artifact.
func (a *Artifact) MayBeIn(c *Characters) bool { return c.hasOneOf(a.Signs) }
