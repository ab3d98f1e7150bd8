package lspserver

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"go.lsp.dev/protocol"
	"go.uber.org/zap"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/agenttools"
	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/settings"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Apply shows the person what a reply of an agent would change, and makes it so after
// a yes. No lock is held while the question stands, which may be long: the plan is
// made again after it, and another one is not applied.
func (h *host) Apply(ctx context.Context, r agenttools.Request) (aptix.ApplyResult, error) {
	c, err := h.checkRequest(ctx, r)
	if err != nil {
		return aptix.ApplyResult{}, err
	}
	if no := h.refusal(c); no != "" {
		return refused(c, no), nil
	}
	if _, why := h.behind(ctx, apply.SourceAgent, c); why != "" {
		return aptix.ApplyResult{}, agenttools.Refuse("file-set-differs", "nothing was written: %s", why)
	}
	if len(c.Plan.Files) > 0 && h.mustOffer(c) {
		if err := h.offer(ctx, h.asks(r)+question(c), c); err != nil {
			return aptix.ApplyResult{}, err
		}
	}
	answer, err := h.applyOffered(ctx, r, c)
	h.disappoint(ctx, answer, err)
	return answer, err
}

// disappoint tells the person, who said yes, that a change was not made all the same:
// else only the agent would know.
func (h *host) disappoint(ctx context.Context, answer aptix.ApplyResult, err error) {
	why := answer.Message
	switch {
	case err != nil:
		why = err.Error()
	case answer.Applied || answer.Verified:
		return
	}
	message := "The change that was offered is not made: " + why
	if err := h.client.ShowMessage(context.WithoutCancel(ctx), &protocol.ShowMessageParams{Type: protocol.MessageTypeWarning, Message: message}); err != nil {
		h.conn.Log().Warn("the person was not told", zap.String("message", message), zap.Error(err))
	}
}

// mustOffer reports whether the person is asked: always, unless they wanted it
// otherwise for what has no warnings.
func (h *host) mustOffer(c *checked) bool {
	return c.Warnings() || h.currentSettings().AgentsConfirm == settings.ConfirmAlways
}

// applyOffered applies a reply whose plan the person has seen, or need not see.
func (h *host) applyOffered(ctx context.Context, r agenttools.Request, seen *checked) (aptix.ApplyResult, error) {
	h.applying.Lock()
	defer h.applying.Unlock()
	h.settleHistory(ctx)
	c, err := h.checkRequest(ctx, r)
	switch {
	case err != nil:
		return aptix.ApplyResult{}, err
	case h.refusal(c) != "":
		return refused(c, h.refusal(c)), nil
	case question(c) != question(seen) || !samePlan(c.Plan, seen.Plan):
		return aptix.ApplyResult{}, changedMeanwhile()
	case len(c.Plan.Files) == 0:
		return h.nothingToDo(ctx, c), nil
	}
	label := r.Label
	if label == "" {
		label = replyLabel(c)
	}
	return h.perform(ctx, c, history.Apply{Key: c.Key, Label: label, Source: apply.SourceAgent})
}

// checkRequest checks a reply of an agent on the files as they are now.
func (h *host) checkRequest(ctx context.Context, r agenttools.Request) (*checked, error) {
	v, ok := h.view(r.Folder.Dir)
	if !ok {
		return nil, closed(r.Folder.Dir)
	}
	where := h.where(v, nil)
	where.Block = r.Block
	result, err := check.CheckFixed(ctx, []check.Document{{Name: "-", Text: r.Text, Format: r.Format}}, where, r.Fix)
	if err != nil {
		return nil, err
	}
	return &checked{Result: result, lines: text.NewLines(result.Documents[0].Text), view: v}, nil
}

// asks is who asks for what, to be read in front of a question.
func (h *host) asks(r agenttools.Request) string {
	who := h.agent
	if who == "" {
		who = "An agent"
	}
	if r.Label == "" {
		return who + " asks: "
	}
	return fmt.Sprintf("%s asks, for %q: ", who, plainName(r.Label))
}

// maxName is how many characters of a name people see.
const maxName = 60

// plainName is a name that somebody gave, as one short line: whatever it is, it does
// not look like a part of the question.
func plainName(name string) string {
	words := strings.Join(strings.FieldsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }), " ")
	if runes := []rune(words); len(runes) > maxName {
		return string(runes[:maxName]) + "…"
	}
	return words
}

func changedMeanwhile() error {
	return agenttools.Refuse("changed-meanwhile", "nothing was written: while the person was asked, files changed; read them again, and send the edits that fit")
}

// Preview shows the person what a reply would change, where the editor can show it.
func (h *host) Preview(ctx context.Context, r agenttools.Request) (bool, error) {
	if !h.offers() {
		return false, nil
	}
	c, err := h.checkRequest(ctx, r)
	if err != nil || len(c.Plan.Files) == 0 {
		return false, err
	}
	return true, h.client.Show(ctx, h.rows(c))
}

// Revert takes an apply back, after the person was shown what that changes.
func (h *host) Revert(ctx context.Context, p aptix.RevertParams) (aptix.RevertResult, error) {
	way, err := h.findWayBack(ctx, p)
	if err != nil || way.done != nil {
		return way.answer(), err
	}
	if _, why := h.behind(ctx, apply.SourceAgent, way.c); why != "" {
		return aptix.RevertResult{}, agenttools.Refuse("file-set-differs", "nothing was written: %s", why)
	}
	asked := h.asks(agenttools.Request{Label: way.record.Label}) + "Revert " + filesText(way.c.Plan.Files) + "?" + h.endingsWarning(way.c)
	if err := h.offer(ctx, asked, way.c); err != nil {
		return aptix.RevertResult{}, err
	}
	return h.revertOffered(ctx, p, way)
}

// revertOffered goes a way back that the person has seen.
func (h *host) revertOffered(ctx context.Context, p aptix.RevertParams, seen wayBack) (aptix.RevertResult, error) {
	h.applying.Lock()
	defer h.applying.Unlock()
	now, err := h.findWayBack(ctx, p)
	switch {
	case err != nil || now.done != nil:
		return now.answer(), err
	case now.record.ID != seen.record.ID || !samePlan(now.c.Plan, seen.c.Plan):
		return aptix.RevertResult{}, changedMeanwhile()
	}
	return h.takeBack(ctx, now, apply.SourceAgent)
}
