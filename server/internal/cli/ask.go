package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/check"
)

// ask returns the function that asks the person at the terminal whether to make a change. It returns nil if nobody can
// answer, because standard input is not a terminal, or a document is read from it.
func (r *run) ask() func(context.Context, *apply.Proposal) (bool, error) {
	fromInput := slices.ContainsFunc(r.docs, func(d check.Document) bool { return d.Name == "-" })
	if fromInput || !isTerminal(r.std.In) {
		return nil
	}
	return func(ctx context.Context, p *apply.Proposal) (bool, error) { return askPerson(ctx, r.std, p.Question) }
}

// askPerson asks on standard error, and waits for a line of input or until `ctx` ends. Only y and yes count as
// agreement.
func askPerson(ctx context.Context, std IO, question string) (bool, error) {
	fmt.Fprintf(std.Err, "%s\nApply? [y/N] ", question)
	type answer struct {
		line string
		err  error
	}
	answers := make(chan answer, 1)
	go func() {
		line, err := bufio.NewReader(std.In).ReadString('\n')
		answers <- answer{line, err}
	}()
	select {
	case <-ctx.Done():
		return false, ctx.Err()
	case a := <-answers:
		if a.err != nil && a.err != io.EOF {
			return false, fmt.Errorf("standard input: %w", a.err)
		}
		said := strings.ToLower(strings.TrimSpace(a.line))
		return said == "y" || said == "yes", nil
	}
}

func unanswered(result *check.Result) string {
	var codes []string
	for _, d := range result.Doubts() {
		if code := string(d.Code); !slices.Contains(codes, code) {
			codes = append(codes, code)
		}
	}
	return fmt.Sprintf("the change needs your confirmation (%s); look at it with `aptix diff`, then apply it with --yes, or send a corrected reply", strings.Join(codes, ", "))
}
