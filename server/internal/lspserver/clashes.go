package lspserver

import (
	"sync"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// clashes say of passages that a document looks for why no merge with an earlier text is
// offered, by the span of the diagnostic. It is known once an editor asked for the actions
// there: looking for earlier texts at each key would run git each time.
type clashes struct {
	mu  sync.Mutex
	why map[text.Span]string
}

// note keeps the conflict in what a merge gave for the file of d; "" for none. It reports
// whether that is news.
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

// explain adds to the message of a diagnostic why no merge is offered.
func (c *clashes) explain(d diag.Diagnostic) diag.Diagnostic {
	c.mu.Lock()
	defer c.mu.Unlock()
	if why := c.why[d.Span]; why != "" && d.Passage != "" {
		d.Message += "; no merge is offered: " + why
	}
	return d
}
