package disk

// OnStep calls f before each step on disk, for tests of other packages.
func (r *Root) OnStep(f func(name string) error) { r.step = f }
