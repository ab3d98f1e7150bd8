package disk

// OnOperation calls f before each operation on disk, for tests of other packages.
func (r *Root) OnOperation(f func(name string) error) { r.probe = beforeEach(f) }
