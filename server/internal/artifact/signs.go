package artifact

// A Characters records which characters some texts have. All characters beyond ASCII count as
// one.
type Characters [0x81]bool

// CharactersOf returns the characters of some texts.
func CharactersOf(texts ...string) *Characters {
	var c Characters
	for _, s := range texts {
		for i := range len(s) {
			c[min(s[i], 0x80)] = true
		}
	}
	return &c
}

// hasOneOf reports whether a text has at least one of some characters. It returns true if there
// are none to look for.
func (c *Characters) hasOneOf(signs string) bool {
	for i := range len(signs) {
		if c[min(signs[i], 0x80)] {
			return true
		}
	}
	return signs == ""
}

// MayBeIn reports whether a text with the given characters may have the artifact. It is a quick test,
// because most texts have the signs of few artifacts.
func (a *Artifact) MayBeIn(c *Characters) bool { return c.hasOneOf(a.Signs) }
