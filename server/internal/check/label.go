package check

import "strings"

// Label is what people know an apply of r by: what its line patches call themselves,
// else name, that of the reply; "-" is standard input.
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
