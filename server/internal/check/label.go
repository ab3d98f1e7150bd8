package check

import "strings"

// Label returns the description of an apply of r for people: the labels of its line patches,
// or else the name of the reply. The name "-" stands for standard input.
func (r *Result) Label(name string) string {
	var labels []string
	for _, b := range r.Blocks {
		if b.State == Ready && b.Batch != nil && b.Batch.BatchLabel != "" {
			labels = append(labels, b.Batch.BatchLabel)
		}
	}
	switch {
	case len(labels) > 0:
		return strings.Join(labels, "; ")
	case name == "-":
		return "standard input"
	}
	return name
}
