package locate

// Bare is the text without what was made of it for searches: what is kept of a text that
// others share most of. It takes no time.
func (t *Text) Bare() *Text {
	if !t.isCut.Load() {
		return NewText(t.String())
	}
	bare := newText(t.size)
	bare.setSegments(t.segments)
	return bare
}

// Equal reports whether two texts are the same. What they share is not compared.
func (t *Text) Equal(other *Text) bool {
	if t == other || t.size != other.size {
		return t == other
	}
	d := t.Differing(other)
	return d.Old == d.New
}

// A Difference is raw text of two texts without some whole lines that they have in common, at
// their starts and at their ends.
type Difference struct {
	Old, New string
	Line     int // how many lines both have before it
}

// Differing is where another text differs. Of texts that share all but a few lines it is those
// and the lines around them.
func (t *Text) Differing(other *Text) Difference {
	if !t.isCut.Load() || !other.isCut.Load() {
		return Difference{Old: t.String(), New: other.String()}
	}
	var d Difference
	from, a, b := shared(t.segments, other.segments)
	for _, g := range t.segments[:from] {
		d.Line += g.endings.all()
	}
	old, new := chunksOf(a), chunksOf(b)
	at, a2, b2 := shared(old, new)
	for _, c := range old[:at] {
		d.Line += c.endings.all()
	}
	raw := func(c *chunk) string { return c.raw }
	d.Old, d.New = join(a2, raw), join(b2, raw)
	return d
}

// shared is how many elements two lists begin with in common, and what is left of both without
// these and without those that they end with.
func shared[T comparable](a, b []T) (from int, restA, restB []T) {
	for from < min(len(a), len(b)) && a[from] == b[from] {
		from++
	}
	a, b = a[from:], b[from:]
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return from, a, b
}

// ByteAt is the byte at a raw offset, which is in the text.
func (t *Text) ByteAt(at int) byte {
	if !t.isCut.Load() {
		return t.String()[at]
	}
	i := 0
	for ; at >= t.segments[i].raw; i++ {
		at -= t.segments[i].raw
	}
	k, chunks := 0, t.segments[i].chunks
	for ; at >= len(chunks[k].raw); k++ {
		at -= len(chunks[k].raw)
	}
	return chunks[k].raw[at]
}
