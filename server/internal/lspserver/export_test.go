package lspserver

// BlockDisk makes all later looks at the files of open documents wait until the channel is
// closed, as on a network folder that hangs.
func (d *Documents) BlockDisk(until <-chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.compare = func(doc *Document) diskState {
		<-until
		return compareWithDisk(doc)
	}
}
