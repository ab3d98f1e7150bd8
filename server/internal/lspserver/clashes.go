package lspserver

import (
	"sync"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// clashes holds the reasons why no merge with an earlier text is offered, by the span of the
// diagnostic about the missing passage. A reason is known only after the editor has asked for
// actions there: searching earlier texts after each key would run git each time.
type clashes struct {
	mu  sync.Mutex
	why map[text.Span]string
}

// note records the reason if the result of a merge has a conflict in the file of d. It
// reports whether the recorded reason changed.
func (c *clashes) note(d diag.Diagnostic, merged []diag.Diagnostic) bool {
	why := ""
	for _, m := range merged {
		if m.Code == diag.BaseConflict && m.Path == d.Path {
			why = m.Message
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.why[d.Span] == why {
		return false
	}
	if c.why == nil {
		c.why = map[text.Span]string{}
	}
	c.why[d.Span] = why
	return true
}

// explain adds the recorded reason to the message of a diagnostic.
func (c *clashes) explain(d diag.Diagnostic) diag.Diagnostic {
	c.mu.Lock()
	defer c.mu.Unlock()
	if why := c.why[d.Span]; why != "" && d.Passage != "" {
		d.Message += "; no merge is offered: " + why
	}
	return d
}
