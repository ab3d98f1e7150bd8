package apply

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/protect"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Cleared is a plan that has passed the gate, which checks what may be changed. Only [Applier.Apply] makes a Cleared,
// so a [Writer] never gets an unchecked plan.
type Cleared struct {
	plan.Plan
	agreed map[string]bool // the protected files that a person agreed to change
}

// gate decides whether a change may be made, for every format and front end. It checks rules R15 and R16 (what must
// never be changed) on the tree after the change, and rule R17 (protected files). If nobody agreed to change a
// protected file, gate adds the file to the question for the person, or refuses the change if nobody can be asked. The
// error is a [Refusal], or an error of reading the tree.
func (c *change) gate(ctx context.Context) error {
	p := c.proposal()
	protected, err := barred(ctx, p.Writer, p.Plan, p.Protected)
	if err != nil {
		return err
	}
	// If the check of the reply found the protected files, it has already asked about them or refused the reply.
	checked := p.Reply != nil && p.Protected != nil
	p.Protected = protected
	if checked || c.request.AllowProtected {
		return nil
	}
	asking := maps.Clone(protected)
	maps.DeleteFunc(asking, func(path string, _ protect.Protection) bool { return c.request.AllowAgreed && p.Agreed[path] })
	if len(asking) == 0 {
		return nil
	}
	if c.request.Ask == nil || p.Reply != nil {
		return &Refusal{Forbidden, strings.Join(whyProtected(asking), "; ")}
	}
	p.Reasons = append(p.Reasons, whyProtected(asking)...)
	p.Question = cmp.Or(p.Question, RevertQuestion(p.Plan.Files))
	p.Question += "\n• " + strings.Join(whyProtected(asking), "\n• ")
	return nil
}

// barred returns the protected files that a plan changes. `known` has these files if the check of a reply has found
// them already. The error is a [Refusal] if nobody may make the change.
func barred(ctx context.Context, w Writer, p plan.Plan, known map[string]protect.Protection) (map[string]protect.Protection, error) {
	stateDir, protected := w.Guards()
	tree, end := plan.Cached(w.Folder().Tree)
	defer end()
	err := w.Root().Bars(tree, stateDir, transaction("", p))
	if barred, is := errors.AsType[*disk.BarredError](err); is {
		return nil, &Refusal{Forbidden, barred.Error()}
	}
	if err != nil || known != nil {
		return known, err
	}
	paths := text.Each(plan.Paths(p.Files), func(f plan.File) string { return f.Path })
	if known, err = protected(ctx, paths, nil); known == nil {
		known = map[string]protect.Protection{}
	}
	return known, err
}

func whyProtected(protected map[string]protect.Protection) (all []string) {
	return text.Each(slices.Sorted(maps.Keys(protected)), func(name string) string { return name + " is protected: " + protected[name].Reason })
}

func (c *change) cleared() Cleared {
	return Cleared{c.proposal().Plan, text.Set(slices.Collect(maps.Keys(c.proposal().Protected)))}
}

// MayShare returns a [Refusal] if a file is protected, or if nobody may change it. The file must then be neither
// written from a shared file set nor uploaded to it, because no person is asked.
func MayShare(ctx context.Context, w Writer, path string) error {
	now, err := check.Current(w.Folder().Tree, path)
	if err != nil {
		return err
	}
	protected, err := barred(ctx, w, plan.Plan{Files: []plan.File{{Path: path, Operation: plan.Modify, Before: now, After: now}}}, nil)
	if of, is := protected[path]; err == nil && is {
		err = &Refusal{Forbidden, path + " is protected (" + of.Reason + ")"}
	}
	return err
}

// RevertQuestion returns the question whether to revert these files.
func RevertQuestion(files []plan.File) string {
	return "Revert " + plan.Summary(files) + "?\n" + check.FileNames(files)
}
