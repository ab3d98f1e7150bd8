package lspserver

// BlockDisk has all later looks at the files of open documents wait, as on a network
// folder that hangs, until the channel is closed.
func (d *Documents) BlockDisk(until <-chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.compare = func(doc *Document) diskState {
		<-until
		return compareWithDisk(doc)
	}
}
