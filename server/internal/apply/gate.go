package apply

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/protect"
)

// A Cleared is a plan that has passed the gate. Only [Applier.Apply] makes one, so a [Writer]
// can get no other plan.
type Cleared struct {
	plan.Plan
	agreed map[string]bool // protected files that a person agreed to change
}

// gate decides whether a change may be made at all, whoever proposes it and in whatever
// format. It checks rules R15 and R16 on the tree that the change would leave, and R17. It
// adds protected files to the question. If nobody agreed to change them and nobody can be
// asked, it refuses the change. The error is a [Refusal], or an error of reading the tree.
func (c *change) gate(ctx context.Context) error {
	p := c.proposal()
	protected, err := barred(ctx, p.Writer, p.Plan, p.Protected)
	if err != nil {
		return err
	}
	checked := p.Reply != nil && p.Protected != nil // the check of the reply has already asked or refused
	p.Protected = protected
	if checked || c.request.AllowProtected || len(protected) == 0 {
		return nil
	}
	if c.request.Ask == nil || p.Reply != nil {
		return &Refusal{Forbidden, strings.Join(whyProtected(protected), "; ")}
	}
	p.Reasons = append(p.Reasons, whyProtected(protected)...)
	if p.Question == "" {
		p.Question = RevertQuestion(p.Plan.Files)
	}
	p.Question += "\n• " + strings.Join(whyProtected(protected), "\n• ")
	return nil
}

// barred returns the protected files of a plan. It does not search for them again if the check of a reply has
// already found them. If the plan must never be made, the error is a [Refusal].
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
	var paths []string
	for _, f := range plan.Paths(p.Files) {
		paths = append(paths, f.Path)
	}
	if known, err = protected(ctx, paths, nil); known == nil {
		known = map[string]protect.Protection{}
	}
	return known, err
}

// whyProtected returns the reason why each file is protected.
func whyProtected(protected map[string]protect.Protection) (all []string) {
	for _, name := range slices.Sorted(maps.Keys(protected)) {
		all = append(all, name+" is protected: "+protected[name].Reason)
	}
	return all
}

// cleared returns the plan in the form that a writer accepts, after all steps before the
// commit.
func (c *change) cleared() Cleared {
	agreed := map[string]bool{}
	for name := range c.proposal().Protected {
		agreed[name] = true
	}
	return Cleared{c.proposal().Plan, agreed}
}

// MayShare returns a [Refusal] for a file that is protected, or that no change may touch: it
// must not be written from a shared file set, or uploaded to one, without anybody seeing it.
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

// RevertQuestion returns the question whether to revert files, with their names.
func RevertQuestion(files []plan.File) string {
	return "Revert " + plan.Summary(files) + "?\n" + check.FileNames(files)
}
