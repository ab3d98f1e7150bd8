package check

import (
	"testing"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/format"
)

func TestLabel(t *testing.T) {
	named := func(state State, label string) Block {
		return Block{State: state, Parsed: format.Parsed{Batch: &protocol.Batch{BatchLabel: label}}}
	}
	for want, c := range map[string]struct {
		name   string
		blocks []Block
	}{
		"reply.md":       {"reply.md", []Block{{State: Ready}, named(Ready, ""), named(Done, "was there")}},
		"standard input": {"-", nil},
		"Round up":       {"reply.md", []Block{{State: Ready}, named(Ready, "Round up")}},
		"one; two":       {"-", []Block{named(Ready, "one"), named(Ready, "two")}},
	} {
		if got := (&Result{Blocks: c.blocks}).Label(c.name); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
