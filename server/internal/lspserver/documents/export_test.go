package documents

// BlockDisk makes all later reads of open documents' files wait until the channel is closed,
// as if a network folder hung.
func (d *Set) BlockDisk(until <-chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.compare = func(doc *Document) diskState {
		<-until
		return compareWithDisk(doc)
	}
}
