package lspserver

import (
	"sync"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// clashes holds, by the span of a diagnostic about a missing passage, the reason why no
// merge with an earlier text is offered. A reason is known after an editor has asked for
// the actions there, because searching earlier texts at each key would run git each time.
type clashes struct {
	mu  sync.Mutex
	why map[text.Span]string
}

// note records the conflict in the result of a merge for the file of d, if there is one. It
// reports whether that changes anything.
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

// explain adds the reason why no merge is offered to the message of a diagnostic.
func (c *clashes) explain(d diag.Diagnostic) diag.Diagnostic {
	c.mu.Lock()
	defer c.mu.Unlock()
	if why := c.why[d.Span]; why != "" && d.Passage != "" {
		d.Message += "; no merge is offered: " + why
	}
	return d
}
