package artifact

import "testing"

// Undo must restore the texts of examples, and must leave texts alone that only look like the artifact.
func TestExamples(t *testing.T) {
	for _, a := range Table() {
		if a.Undo != nil && len(examples[a]) == 0 {
			t.Errorf("%s has no examples", a.Name)
		}
		for _, e := range examples[a] {
			switch got, ok := a.Undo(e.Text); {
			case e.Was == "" && ok:
				t.Errorf("%s: %q is taken for one and becomes %q", a.Name, e.Text, got)
			case e.Was != "" && got != e.Was:
				t.Errorf("%s: %q becomes %q, want %q", a.Name, e.Text, got, e.Was)
			}
			if e.Was == "" && a.Shows != nil && a.Shows(e.Text) {
				t.Errorf("%s: %q shows it by itself", a.Name, e.Text)
			}
		}
	}
}
