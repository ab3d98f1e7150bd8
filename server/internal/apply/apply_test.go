package apply

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/fileset"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// replaces returns a function that proposes to replace the whole content of a.txt with the given content. The proposal
// has the given question.
func (s *site) replaces(t *testing.T, content, question string) func(context.Context) (Proposal, error) {
	t.Helper()
	return func(context.Context) (Proposal, error) {
		p, err := OverwriteOf(s.writer(), "a.txt", content, "label", "test")
		p.Question = question
		return p, err
	}
}

func (s *site) holds(t *testing.T, want string) {
	t.Helper()
	if got, err := os.ReadFile(filepath.Join(s.dir, "a.txt")); err != nil || string(got) != want {
		t.Errorf("a.txt has %q, want %q: %v", got, want, err)
	}
}

// Files are written only if the person agreed to the proposed plan.
func TestNothingIsAppliedThatWasNotAgreed(t *testing.T) {
	agreed := func(context.Context, *Proposal) (bool, error) { return true, nil }
	for name, c := range map[string]struct {
		ask    func(s *site) func(context.Context, *Proposal) (bool, error)
		reason Reason
		holds  string
	}{
		"no one to ask": {func(*site) func(context.Context, *Proposal) (bool, error) { return nil }, CannotAsk, "before"},
		"no": {func(*site) func(context.Context, *Proposal) (bool, error) {
			return func(context.Context, *Proposal) (bool, error) { return false, nil }
		}, Declined, "before"},
		"yes, but the file changed": {func(s *site) func(context.Context, *Proposal) (bool, error) {
			return func(context.Context, *Proposal) (bool, error) {
				s.put(t, "a.txt", has("changed"))
				return true, nil
			}
		}, ChangedMeanwhile, "changed"},
		"yes": {func(*site) func(context.Context, *Proposal) (bool, error) { return agreed }, -1, "after"},
	} {
		s := newSite(t)
		s.put(t, "a.txt", has("before"))
		o, err := s.applier().Apply(t.Context(), Request{Propose: s.replaces(t, "after", "really?"), Ask: c.ask(s)})
		ok(t, err)
		reason := Reason(-1)
		if o.Refusal != nil {
			reason = o.Refusal.Reason
		}
		if reason != c.reason || o.Result.Applied != (c.reason < 0) {
			t.Errorf("%s: refused for %d, want %d: %+v", name, reason, c.reason, o.Result)
		}
		s.holds(t, c.holds)
		if list, err := s.history.List(t.Context(), "", 0); err != nil || len(list) != map[bool]int{true: 1}[c.reason < 0] {
			t.Errorf("%s: the history has %d applies: %v", name, len(list), err)
		}
	}
}

// The person agrees to the plan in the question. If the plan is different afterwards, it is not applied, whatever the
// file contains.
func TestAnotherPlanIsNotApplied(t *testing.T) {
	s := newSite(t)
	s.put(t, "a.txt", has("before"))
	next := []string{"shown", "another"}
	propose := func(ctx context.Context) (Proposal, error) {
		content := next[0]
		next = next[1:]
		return s.replaces(t, content, "really?")(ctx)
	}
	yes := func(context.Context, *Proposal) (bool, error) { return true, nil }
	o, err := s.applier().Apply(t.Context(), Request{Propose: propose, Ask: yes})
	ok(t, err)
	if o.Refusal == nil || o.Refusal.Reason != ChangedMeanwhile {
		t.Errorf("got %+v", o)
	}
	s.holds(t, "before")
}

// As long as a question is open, other changes can be made.
func TestNoLockIsHeldWhileAsking(t *testing.T) {
	s := newSite(t)
	s.put(t, "a.txt", has("before"))
	a := s.applier()
	other := changed("b.txt", text.Content{}, has("b"))
	o, err := a.Apply(t.Context(), Request{Propose: s.replaces(t, "after", "really?"), Ask: func(ctx context.Context, _ *Proposal) (bool, error) {
		_, err := a.Apply(ctx, propose(Proposal{Plan: plan.Plan{Files: []plan.File{other}}, Writer: s.writer()}))
		return true, err
	}})
	ok(t, err)
	if !o.Result.Applied || !o.Result.Verified {
		t.Errorf("%+v", o)
	}
	s.holds(t, "after")
}

// A slowWriter signals that it writes, and waits.
type slowWriter struct {
	Writer
	writing, goOn chan struct{}
}

func (w slowWriter) Write(ctx context.Context, id string, p Cleared, ready func() error) (Written, error) {
	close(w.writing)
	<-w.goOn
	return w.Writer.Write(ctx, id, p, ready)
}

// Only one change is made at a time. A waiting change is given up when its context ends. Otherwise it is planned again
// before it is made.
func TestWaitingIsCancelled(t *testing.T) {
	for !secondWaits(t) {
	}
}

// secondWaits tests the order of two changes. It returns false if the second change reached the lock only after the
// first had finished. The plan of the second change is then out of date, so it is refused.
func secondWaits(t *testing.T) bool {
	s := newSite(t)
	s.put(t, "a.txt", has("before"))
	a := s.applier()
	slow := slowWriter{s.writer(), make(chan struct{}), make(chan struct{})}
	first := make(chan error, 1)
	go func() {
		_, err := a.Apply(context.Background(), Request{Propose: func(ctx context.Context) (Proposal, error) {
			p, err := s.replaces(t, "first", "")(ctx)
			p.Writer = slow
			return p, err
		}})
		first <- err
	}()
	<-slow.writing
	ctx, cancel := context.WithCancel(t.Context())
	planned := make(chan struct{}, 9)
	request := Request{Propose: func(ctx context.Context) (Proposal, error) {
		defer func() { planned <- struct{}{} }()
		return s.replaces(t, "second", "")(ctx)
	}}
	go func() { <-planned; cancel() }()
	if _, err := a.Apply(ctx, request); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	second := make(chan Outcome, 1)
	go func() {
		o, err := a.Apply(context.Background(), request)
		ok(t, err)
		second <- o
	}()
	<-planned
	close(slow.goOn)
	ok(t, <-first)
	o := <-second
	if o.Refusal != nil && o.Refusal.Reason == ChangedMeanwhile && len(planned) == 0 {
		return false
	}
	if !o.Result.Applied || o.Plan.Files[0].Before.Data != "first" {
		t.Errorf("%+v", o)
	}
	s.holds(t, "second")
	return true
}

// If a file set cannot be opened, the change is refused.
func TestFileSetFails(t *testing.T) {
	s := newSite(t)
	s.put(t, "a.txt", has("before"))
	broken := errors.New("broken")
	a := New(s.history, func(context.Context, bool) (*fileset.Set, error) { return nil, broken })
	if _, err := a.Apply(t.Context(), Request{Propose: s.replaces(t, "after", "")}); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	s.holds(t, "before")
}

// If another program changed a file after planning, the file is not overwritten, and nothing
// is recorded.
func TestChangedAfterThePlan(t *testing.T) {
	s := newSite(t)
	s.put(t, "a.txt", has("before"))
	p, err := s.replaces(t, "after", "")(t.Context())
	ok(t, err)
	s.put(t, "a.txt", has("changed"))
	o, err := s.applier().Apply(t.Context(), propose(p))
	ok(t, err)
	if o.Refusal == nil || o.Refusal.Reason != ChangedMeanwhile || o.Result.ID != "" {
		t.Errorf("%+v", o)
	}
	s.holds(t, "changed")
	if abandoned, err := s.history.Abandoned(t.Context()); err != nil || len(abandoned) > 0 {
		t.Errorf("%v, %v", abandoned, err)
	}
}

// The disk must know which file was moved, because the moved file keeps its owner and its access list.
func TestTransactionNamesMovedFiles(t *testing.T) {
	files := []plan.File{{Path: "a", To: "dir/b", Operation: plan.Rename, State: plan.Change, Before: has("1"), After: has("2")}, changed("c", has("1"), has("2"))}
	if tx := transaction("id", plan.Plan{Files: files}); len(tx.Ops) != 3 || len(tx.Moved) != 1 || tx.Moved["dir/b"] != "a" {
		t.Errorf("%+v", tx)
	}
}
