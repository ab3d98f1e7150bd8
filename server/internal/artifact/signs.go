package artifact

// Characters says which characters a text has. All beyond ASCII are one.
type Characters [0x81]bool

// CharactersOf returns the characters of texts.
func CharactersOf(texts ...string) *Characters {
	var c Characters
	for _, s := range texts {
		for i := range len(s) {
			c[min(s[i], 0x80)] = true
		}
	}
	return &c
}

// hasOneOf reports whether a text has one of some characters; true if there are none.
func (c *Characters) hasOneOf(signs string) bool {
	for i := range len(signs) {
		if c[min(signs[i], 0x80)] {
			return true
		}
	}
	return signs == ""
}

// MayBeIn reports whether a text with such characters can have gone through an artifact. It is a quick
// look: most texts have signs of few artifacts.
func (a *Artifact) MayBeIn(c *Characters) bool { return c.hasOneOf(a.Signs) }
