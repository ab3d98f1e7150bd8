package lspserver_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	lsp "go.lsp.dev/protocol"
	"go.uber.org/zap"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/fileset"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/link"
	"github.com/aptix-dev/aptix/server/internal/lspserver"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
	"github.com/aptix-dev/aptix/server/tools/needs"
)

// An office is an editor that shows agents' changes to a person, with a question.
type office struct {
	*lsptest.Client
	t      *testing.T
	state  string
	offers chan *pendingOffer
}

// A pendingOffer is an agent's change that waits for the person's answer, which is given once.
type pendingOffer struct {
	protocol.OfferParams
	answer chan bool
}

// openOffice starts an editor that shows agents' changes, over the given files.
func openOffice(t *testing.T, files map[string]string, set func(*office)) *office {
	t.Helper()
	needs.Sockets(t)
	o := &office{t: t, state: t.TempDir(), offers: make(chan *pendingOffer, 9)}
	history, err := history.Open(o.state)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = history.Close() })
	o.Client = lsptest.Start(t, t.TempDir(), func(rwc io.ReadWriteCloser) int {
		return lspserver.Serve(context.Background(), rwc, lspserver.Config{Version: "test", Log: zap.NewNop(), History: history, StateDir: o.state})
	})
	for path, content := range files {
		o.Editor.WriteDisk(path, content)
	}
	o.Options = map[string]any{"offers": true, "opensTouched": true}
	o.Handle = o.handle
	if set != nil {
		set(o)
	}
	o.Initialize()
	o.settle()
	return o
}

func (o *office) handle(method string, params json.RawMessage) (any, error) {
	if method != protocol.MethodOffer {
		return nil, errors.New("method not found")
	}
	p := &pendingOffer{answer: make(chan bool)}
	if err := json.Unmarshal(params, &p.OfferParams); err != nil {
		return nil, err
	}
	o.offers <- p
	return protocol.OfferResult{Accepted: <-p.answer}, nil
}

// settle waits until the server has read every message sent so far.
func (o *office) settle() {
	o.t.Helper()
	o.MustCall(protocol.MethodHistory, protocol.HistoryParams{}, nil)
}

// next returns the next question to the person.
func (o *office) next() *pendingOffer {
	o.t.Helper()
	select {
	case p := <-o.offers:
		return p
	case <-time.After(2 * time.Minute):
		o.t.Fatal("the person is not asked")
		return nil
	}
}

// agent connects as an agent of another process.
func (o *office) agent() *link.Client {
	o.t.Helper()
	c, err := link.Dial(o.t.Context(), o.state, "test", o.Editor.Dir)
	if err != nil {
		o.t.Fatal(err)
	}
	o.t.Cleanup(c.Close)
	return c
}

// A job is a call of an agent's tool, which may wait for the person.
type job struct {
	t      *testing.T
	cancel context.CancelFunc
	done   chan struct{}
	answer protocol.ToolResult
	err    error
}

func (o *office) call(agent *link.Client, tool string, arguments any) *job {
	o.t.Helper()
	raw, err := json.Marshal(arguments)
	if err != nil {
		o.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(o.t.Context())
	j := &job{t: o.t, cancel: cancel, done: make(chan struct{})}
	go func() {
		j.answer, j.err = agent.Call(ctx, protocol.ToolParams{Name: tool, Arguments: raw}, "Claude")
		close(j.done)
	}()
	return j
}

func (o *office) applies(agent *link.Client, reply string) *job {
	o.t.Helper()
	return o.call(agent, "aptix_apply", map[string]any{"text": reply})
}

// end waits for the job, and returns the code of a refusal, or "" for a success.
func (j *job) end() string {
	j.t.Helper()
	await(j.t, j.done)
	switch {
	case j.err != nil:
		j.t.Fatal(j.err)
	case !j.answer.Successful:
		return j.answer.Errors[0].Code
	}
	return ""
}

func (j *job) want(code string) {
	j.t.Helper()
	if got := j.end(); got != code {
		j.t.Errorf("the answer is %q, want %q: %+v", got, code, j.answer.Errors)
	}
}

func TestAgentIsAllowed(t *testing.T) {
	o := openOffice(t, map[string]string{"a.txt": "one\n"}, nil)
	o.Editor.Open("a.txt", "plaintext")
	agent := o.agent()
	job := o.call(agent, "aptix_apply", map[string]any{"text": bundle(patch("a.txt", "one", "two")), "label": "count on"})
	p := o.next()
	if p.Agent != "Claude" || !strings.Contains(p.Question, "1 file") || !strings.Contains(p.Question, "count on") {
		t.Errorf("asked is %+v", p.OfferParams)
	}
	var right protocol.ContentResult
	o.MustCall(protocol.MethodContent, protocol.ContentParams{URI: p.Preview.Files[0].Right}, &right)
	if right.Text != "two\n" {
		t.Errorf("shown is %q", right.Text)
	}
	shows(t, o.Client, map[string]string{"a.txt": "one\n"})
	p.answer <- true
	job.want("")
	shows(t, o.Client, map[string]string{"a.txt": "two\n"})
	told := lsptest.Await(o.Client, protocol.MethodAgentChange, func(*protocol.AgentChange) bool { return true })
	if told.Agent != "Claude" || told.ID == "" || told.Message != "Applied 1 file +1 −1" {
		t.Errorf("told %+v", told)
	}
	var history protocol.History
	o.MustCall(protocol.MethodHistory, protocol.HistoryParams{}, &history)
	if len(history.Entries) != 1 || history.Entries[0].Label != "count on" {
		t.Fatalf("the history is %+v", history)
	}
	o.applies(agent, bundle(patch("a.txt", "one", "two"))).want("") // nobody is asked
	back := o.call(agent, "aptix_revert", map[string]any{"id": history.Entries[0].ID})
	o.next().answer <- true
	back.want("")
	shows(t, o.Client, map[string]string{"a.txt": "one\n"})
}

// Parts that the person left out of a block are also left out when an agent sends the same block. The answer tells the
// agent so.
func TestAgentLeavesOutWhatThePersonDid(t *testing.T) {
	o := openOffice(t, map[string]string{"a.txt": "one\n", "b.txt": "one\n"}, nil)
	reply := bundle(patch("a.txt", "one", "two"), patch("b.txt", "one", "two"))
	openReply(o.Client, reply)
	skip(o.Client, 0, protocol.SkipThis)
	job := o.applies(o.agent(), reply)
	p := o.next()
	if !strings.Contains(p.Question, "1 skipped") {
		t.Errorf("asked is %s", p.Question)
	}
	p.answer <- true
	job.want("")
	if w := job.answer.Warnings; len(w) != 1 || w[0].Code != "part-skipped" {
		t.Errorf("the agent learns %+v", w)
	}
	shows(t, o.Client, map[string]string{"a.txt": "one\n", "b.txt": "two\n"})
}

// A person can leave out a hunk or a file of an offer, and include it again. What is shown last is what is applied.
func TestPartsOfAnOffer(t *testing.T) {
	long := "1\n2\n3\n4\n5\n6\n7\n"
	o := openOffice(t, map[string]string{"a.txt": long, "b.txt": "one\n", "c.txt": "one\n"}, nil)
	hunks := "```diff\n--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-1\n+one\n 2\n@@ -6,2 +6,2 @@\n 6\n-7\n+seven\n```\n"
	job := o.applies(o.agent(), hunks+bundle(patch("b.txt", "one", "two"), patch("c.txt", "one", "two")))
	offered := o.next()
	now := offered.OfferParams
	decide := func(p protocol.OfferPartsParams) {
		t.Helper()
		p.Token = offered.Token
		now = protocol.OfferParams{}
		o.MustCall(protocol.MethodOfferParts, p, &now)
	}
	shown := func(want ...string) {
		t.Helper()
		var titles []string
		for _, f := range now.Preview.Files {
			titles = append(titles, f.Resource[strings.LastIndexByte(f.Resource, '/')+1:])
		}
		if got := append(titles, now.Preview.Title, now.Preview.Message); !slices.Equal(got, want) {
			t.Errorf("shown is %q, want %q", got, want)
		}
	}
	shown("a.txt", "b.txt", "c.txt", "Aptix: +4 −4", "")
	decide(protocol.OfferPartsParams{Document: now.Preview.Files[0].Right, Line: 3})
	shown("a.txt", "b.txt", "c.txt", "Aptix: +4 −4", "There is no change at the cursor")
	decide(protocol.OfferPartsParams{Document: now.Preview.Files[0].Right, Line: 0})
	shown("a.txt", "b.txt", "c.txt", "Aptix: +3 −3, 1 skipped", "")
	decide(protocol.OfferPartsParams{Document: now.Preview.Files[1].Right, File: true})
	shown("a.txt", "c.txt", "Aptix: +2 −2, 2 skipped", "")
	if b := now.Blocks[1]; len(b.Parts) != 2 || !b.Parts[0].Skipped || b.Parts[1].Skipped {
		t.Errorf("the second block is %+v", b)
	}
	all := protocol.SkipParams{Block: 1, Part: -1, Mode: protocol.SkipThis}
	decide(protocol.OfferPartsParams{Changes: []protocol.SkipParams{all, {Block: 2, Part: 1, Mode: protocol.SkipThis}}})
	shown("Aptix: nothing to change, 3 skipped", "All parts of the offered change were left out, so there is nothing to apply")
	all.Mode = protocol.SkipNot
	decide(protocol.OfferPartsParams{Changes: []protocol.SkipParams{all, {Block: 1, Part: 1, Mode: protocol.SkipThis}, {Block: 2, Part: 1, Mode: protocol.SkipNot}}})
	shown("a.txt", "c.txt", "Aptix: +2 −2, 2 skipped", "")
	if !strings.Contains(now.Question, "Claude asks") || !strings.Contains(now.Question, "2 skipped") {
		t.Errorf("the question is %q", now.Question)
	}
	offered.answer <- true
	job.want("")
	shows(t, o.Client, map[string]string{"a.txt": strings.Replace(long, "7", "seven", 1), "b.txt": "one\n", "c.txt": "two\n"})
	want := "the person left out hunk 1 of a.txt in block 1, b.txt in block 2: this is not applied; do not send it in a different form"
	if w := job.answer.Warnings; len(w) != 1 || w[0].Code != "part-skipped" || w[0].Message != want {
		t.Errorf("the agent learns %+v", w)
	}
	if err := o.Call(protocol.MethodOfferParts, protocol.OfferPartsParams{Token: offered.Token}, nil); err == nil {
		t.Error("an offer that was answered still changes")
	}
}

// If an agent sends a change again, and only the parts that the person left out are not applied yet, the person can
// include them.
func TestLeftOutIsOfferedAgain(t *testing.T) {
	o := openOffice(t, map[string]string{"b.txt": "one\n"}, nil)
	agent, reply := o.agent(), bundle(create("a.txt", "two\n"), patch("b.txt", "one", "two"))
	job := o.applies(agent, reply)
	p := o.next()
	skip := protocol.SkipParams{Block: 1, Part: 1, Mode: protocol.SkipThis}
	o.MustCall(protocol.MethodOfferParts, protocol.OfferPartsParams{Token: p.Token, Changes: []protocol.SkipParams{skip}}, nil)
	p.answer <- true
	job.want("")
	shows(t, o.Client, map[string]string{"a.txt": "two\n", "b.txt": "one\n"})
	for _, answer := range []bool{false, true} {
		job = o.applies(agent, reply)
		p = o.next()
		if len(p.Preview.Files) > 0 || p.Preview.Message == "" || !strings.Contains(p.Question, "that you left out") {
			t.Errorf("asked is %+v", p.OfferParams)
		}
		if answer {
			skip.Mode = protocol.SkipNot
			o.MustCall(protocol.MethodOfferParts, protocol.OfferPartsParams{Token: p.Token, Changes: []protocol.SkipParams{skip}}, nil)
		}
		p.answer <- answer
		job.want(map[bool]string{false: "declined-by-user"}[answer])
	}
	shows(t, o.Client, map[string]string{"a.txt": "two\n", "b.txt": "two\n"})
	o.applies(agent, reply).want("") // nobody is asked
}

// A person who leaves out parts of an offer agrees only to what they saw.
func TestTypedWhilePartsAreLeftOut(t *testing.T) {
	o := openOffice(t, map[string]string{"a.txt": "one\nend\n", "b.txt": "one\n"}, nil)
	o.Editor.Open("a.txt", "plaintext")
	job := o.applies(o.agent(), bundle(patch("a.txt", "one", "two"), patch("b.txt", "one", "two")))
	p := o.next()
	var now protocol.OfferParams
	o.MustCall(protocol.MethodOfferParts, protocol.OfferPartsParams{Token: p.Token, Document: p.Preview.Files[1].Right, File: true}, &now)
	o.Editor.Type("a.txt", lsp.TextEdit{Range: at(1, 0, 3), NewText: "typed"})
	o.settle()
	p.answer <- true
	job.want("changed-meanwhile")
	shows(t, o.Client, map[string]string{"a.txt": "one\ntyped\n", "b.txt": "one\n"})
}

func TestAgentIsDeclined(t *testing.T) {
	o := openOffice(t, map[string]string{"a.txt": "one\n"}, nil)
	agent := o.agent()
	job := o.applies(agent, bundle(patch("a.txt", "one", "two")))
	o.next().answer <- false
	job.want("declined-by-user")
	shows(t, o.Client, map[string]string{"a.txt": "one\n"})
	if n := len(o.Editor.Applied()); n != 0 {
		t.Errorf("%d edits were asked for", n)
	}
}

// If an agent gives up, the question is withdrawn. Agreeing to it afterwards has no effect.
func TestAgentGivesUp(t *testing.T) {
	for name, giveUp := range map[string]func(*job, *link.Client){
		"cancels": func(j *job, _ *link.Client) { j.cancel() },
		"hangs":   func(_ *job, c *link.Client) { c.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			o := openOffice(t, map[string]string{"a.txt": "one\n"}, nil)
			agent := o.agent()
			job := o.applies(agent, bundle(patch("a.txt", "one", "two")))
			p := o.next()
			giveUp(job, agent)
			await(t, job.done)
			lsptest.Await(o.Client, lsp.MethodCancelRequest, func(*lsp.CancelParams) bool { return true })
			p.answer <- true
			o.settle()
			again := o.applies(o.agent(), bundle(patch("a.txt", "one", "three")))
			o.next().answer <- true
			again.want("")
			shows(t, o.Client, map[string]string{"a.txt": "three\n"})
		})
	}
}

// The person's agreement covers only the change that was shown.
func TestTypedWhileOffered(t *testing.T) {
	o := openOffice(t, map[string]string{"a.txt": "one\nend\n"}, nil)
	o.Editor.Open("a.txt", "plaintext")
	job := o.applies(o.agent(), bundle(patch("a.txt", "one", "two")))
	p := o.next()
	o.Editor.Type("a.txt", lsp.TextEdit{Range: at(1, 0, 3), NewText: "typed"})
	o.settle()
	p.answer <- true
	job.want("changed-meanwhile")
	lsptest.Await(o.Client, lsp.MethodWindowShowMessage, func(p *lsp.ShowMessageParams) bool { return strings.Contains(p.Message, "not made") })
	shows(t, o.Client, map[string]string{"a.txt": "one\ntyped\n"})
}

func TestEditorExitsWhileOffered(t *testing.T) {
	for name, exit := range map[string]func(*office){
		"exits":    func(o *office) { o.Exit() },
		"hangs up": func(o *office) { o.HangUp(); o.ExitCode() },
	} {
		t.Run(name, func(t *testing.T) {
			o := openOffice(t, map[string]string{"a.txt": "one\n"}, nil)
			job := o.applies(o.agent(), bundle(patch("a.txt", "one", "two")))
			p := o.next()
			exit(o)
			await(t, job.done)
			if job.err == nil && job.answer.Successful {
				t.Error("it was applied")
			}
			close(p.answer)
			if _, err := link.Dial(t.Context(), o.state, "test", o.Editor.Dir); err != link.ErrNone {
				t.Errorf("the editor is still found: %v", err)
			}
			if left, _ := filepath.Glob(filepath.Join(o.state, "run", "*")); len(left) > 0 {
				t.Errorf("%q are left", left)
			}
		})
	}
}

// If an editor does not support offers, questions are asked in the usual way.
func TestAgentWithoutOffers(t *testing.T) {
	for button, want := range map[string]string{"Apply": "", "Cancel": "declined-by-user", "": "declined-by-user"} {
		asked := ""
		o := openOffice(t, map[string]string{"a.txt": "one\n"}, func(o *office) {
			o.Options = nil
			o.Choose = func(p *lsp.ShowMessageRequestParams) string { asked = p.Message; return button }
		})
		o.applies(o.agent(), bundle(patch("a.txt", "one", "two"))).want(want)
		if !strings.Contains(asked, "Claude") || !strings.Contains(asked, "1 file") {
			t.Errorf("%q: asked is %q", button, asked)
		}
	}
}

// The question about a revert also names the files. If an agent makes a change without a label, the history shows the
// agent's name.
func TestAgentRevertsWithoutOffers(t *testing.T) {
	var asked []*lsp.ShowMessageRequestParams
	o := openOffice(t, map[string]string{"a.txt": "one\n"}, func(o *office) {
		o.Options = nil
		o.Choose = func(p *lsp.ShowMessageRequestParams) string {
			asked = append(asked, p)
			return p.Actions[0].Title
		}
	})
	agent := o.agent()
	o.applies(agent, bundle(patch("a.txt", "one", "two"))).want("")
	o.call(agent, "aptix_revert", map[string]any{}).want("")
	shows(t, o.Client, map[string]string{"a.txt": "one\n"})
	if want := "Claude asks: Revert 1 file +1 −1?\na.txt"; len(asked) != 2 || asked[1].Message != want || asked[1].Actions[0].Title != "Revert" {
		t.Errorf("asked %+v", asked[len(asked)-1])
	}
}

func TestAgentInUntrustedWorkspace(t *testing.T) {
	o := openOffice(t, map[string]string{"a.txt": "one\n"}, func(o *office) { o.Options = map[string]any{"offers": true, "trusted": false} })
	agent := o.agent()
	o.applies(agent, bundle(patch("a.txt", "one", "two"))).want("not-applied")
	o.call(agent, "aptix_check", map[string]any{"text": bundle(patch("a.txt", "one", "two"))}).want("")
	if len(o.offers) > 0 {
		t.Error("the person was asked")
	}
}

// A person can choose to be asked only about warnings. They are then not asked about other changes, but still about
// reverts.
func TestAgentNeedNotAsk(t *testing.T) {
	o := openOffice(t, map[string]string{"a.txt": "one\n", ".vscode/settings.json": "{}\n"}, func(o *office) {
		o.Settings = map[string]any{"aptix": map[string]any{"agents": map[string]any{"confirm": "warnings"}, "codeLens": map[string]any{"enabled": false}}}
	})
	openReply(o.Client, bundle(create("new.txt", "x\n")))
	o.AwaitDiagnostics(replyURI, func([]lsp.Diagnostic) bool { return len(lenses(t, o.Client)) == 0 })
	agent := o.agent()
	o.applies(agent, bundle(patch("a.txt", "one", "two"))).want("")
	shows(t, o.Client, map[string]string{"a.txt": "two\n"})
	job := o.applies(agent, bundle(patch(".vscode/settings.json", "{}", "[]")))
	p := o.next()
	if !strings.Contains(p.Question, "protected") {
		t.Errorf("asked is %q", p.Question)
	}
	p.answer <- false
	job.want("declined-by-user")
	back := o.call(agent, "aptix_revert", map[string]any{})
	o.next().answer <- true
	back.want("")
	shows(t, o.Client, map[string]string{"a.txt": "one\n", ".vscode/settings.json": "{}\n"})
}

// The changes of an agent are uploaded to the file set.
func TestAgentAndFileSet(t *testing.T) {
	o := openOffice(t, map[string]string{"a.txt": "one\n"}, nil)
	set, err := fileset.Open(t.Context(), fileset.Where("", o.state))
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	job := o.call(o.agent(), "workspace_write_patch", json.RawMessage(`{"files": [{"docPath": "workspace/a.txt", "originalSha256": "`+sumOf("one\n")+`",
		"changes": [{"operation": "replace", "startLine": 1, "endLine": 1, "expectedOriginalLines": ["one"], "newLines": ["two"]}]}]}`))
	o.next().answer <- true
	job.want("")
	entry, err := set.Get(t.Context(), "workspace/a.txt")
	if err != nil || entry.Content != "two\n" {
		t.Errorf("the set has %+v, %v", entry, err)
	}
}

// While questions are open, other agents and the person can still make changes.
func TestTwoAgentsAndAPerson(t *testing.T) {
	o := openOffice(t, map[string]string{"a.txt": "one\n", "b.txt": "one\n", "c.txt": "one\n"}, nil)
	first := o.applies(o.agent(), bundle(patch("a.txt", "one", "first")))
	p1 := o.next()
	second := o.applies(o.agent(), bundle(patch("b.txt", "one", "second"), patch("a.txt", "one", "second")))
	p2 := o.next()
	openReply(o.Client, bundle(patch("c.txt", "one", "person")))
	if r := apply(t, o.Client, nil); !r.Applied {
		t.Fatal(r.Message)
	}
	p1.answer <- true
	first.want("")
	p2.answer <- true
	second.want("changed-meanwhile")
	shows(t, o.Client, map[string]string{"a.txt": "first\n", "b.txt": "one\n", "c.txt": "person\n"})
}

// If two agents offer the same change, it is made only once, whatever the person answers.
func TestTwoAgentsWithOneMind(t *testing.T) {
	o := openOffice(t, map[string]string{"a.txt": "one\n"}, nil)
	first := o.applies(o.agent(), bundle(patch("a.txt", "one", "two")))
	p1 := o.next()
	second := o.applies(o.agent(), bundle(patch("a.txt", "one", "two")))
	p2 := o.next()
	p1.answer <- true
	p2.answer <- true
	first.end()
	second.end()
	shows(t, o.Client, map[string]string{"a.txt": "two\n"})
	if n := len(o.Editor.Applied()); n != 1 {
		t.Errorf("%d edits were made", n)
	}
}

func TestToolBeforeInitialize(t *testing.T) {
	o := &office{t: t, state: t.TempDir()}
	o.Client = lsptest.Start(t, t.TempDir(), func(rwc io.ReadWriteCloser) int {
		return lspserver.Serve(context.Background(), rwc, lspserver.Config{Version: "test", Log: zap.NewNop(), StateDir: o.state})
	})
	wantCode(t, o.Call(protocol.MethodTool, protocol.ToolParams{Name: "active_file_list", Arguments: json.RawMessage(`{}`)}, nil), serverNotInitialized)
	if _, err := link.Dial(t.Context(), o.state, "test", o.Editor.Dir); err != link.ErrNone {
		t.Errorf("it is found before it is ready: %v", err)
	}
}

func TestFolderAddedLater(t *testing.T) {
	o := openOffice(t, nil, nil)
	dir := t.TempDir()
	if _, err := link.Dial(t.Context(), o.state, "test", dir); err != link.ErrNone {
		t.Errorf("a folder is served that is not open: %v", err)
	}
	folder := lsp.WorkspaceFolder{URI: o.Editor.URI("file://" + filepath.ToSlash(dir)), Name: "added"}
	change := func(event lsp.WorkspaceFoldersChangeEvent) {
		o.Notify(lsp.MethodWorkspaceDidChangeWorkspaceFolders, &lsp.DidChangeWorkspaceFoldersParams{Event: event})
		o.settle()
	}
	change(lsp.WorkspaceFoldersChangeEvent{Added: []lsp.WorkspaceFolder{folder}})
	agent, err := link.Dial(t.Context(), o.state, "test", dir)
	if err != nil {
		t.Fatal(err)
	}
	defer agent.Close()
	job := o.applies(agent, bundle(create("new.txt", "x\n")))
	p := o.next()
	change(lsp.WorkspaceFoldersChangeEvent{Removed: []lsp.WorkspaceFolder{folder}})
	p.answer <- true
	job.want("folder-closed")
	if _, err := link.Dial(t.Context(), o.state, "test", dir); err != link.ErrNone {
		t.Errorf("a folder is served that is closed: %v", err)
	}
}

func TestActiveFiles(t *testing.T) {
	o := openOffice(t, map[string]string{"clean.txt": "a\r\nb\r\n", "bom.txt": "\ufeffx\n", "Dirty.txt": "a\n", "closed.txt": "a\n"}, nil)
	for _, path := range []string{"clean.txt", "bom.txt", "Dirty.txt"} {
		o.Editor.Open(path, "plaintext")
	}
	o.Editor.OpenText("new.txt", "plaintext", "never saved")
	o.Editor.OpenText(replyURI, "markdown", "no file")
	o.Editor.OpenText("git:/clean.txt", "plaintext", "of another scheme")
	o.Editor.Type("Dirty.txt", lsp.TextEdit{Range: at(0, 0, 1), NewText: "ä"})
	o.Notify(protocol.MethodActive, protocol.ActiveParams{URI: string(o.Editor.URI("Dirty.txt"))})
	o.settle()
	job := o.call(o.agent(), "active_file_list", map[string]any{})
	job.want("")
	var list struct {
		Files []struct {
			DocPath           string
			SizeBytes         int
			IsDirty, IsActive bool
		}
	}
	if err := json.Unmarshal(job.answer.Result, &list); err != nil {
		t.Fatal(err)
	}
	type state struct {
		size            int
		dirty, isActive bool
	}
	got := map[string]state{}
	for _, f := range list.Files {
		_, name, _ := strings.Cut(f.DocPath, "/")
		got[name] = state{f.SizeBytes, f.IsDirty, f.IsActive}
	}
	want := map[string]state{"clean.txt": {6, false, false}, "bom.txt": {2, false, false}, "dirty.txt": {3, true, true}, "new.txt": {11, true, false}}
	if len(got) != len(want) {
		t.Errorf("the list is %v", got)
	}
	for name, w := range want {
		if got[name] != w {
			t.Errorf("%s is %+v, want %+v", name, got[name], w)
		}
	}
}

// The editor's own models call tools through the editor's connection.
func TestToolOfTheEditor(t *testing.T) {
	o := openOffice(t, map[string]string{"a.txt": "one\n"}, nil)
	call := func(reply string) *lsptest.Pending {
		raw, err := json.Marshal(map[string]any{"text": reply})
		if err != nil {
			t.Fatal(err)
		}
		return o.Go(protocol.MethodTool, protocol.ToolParams{Name: "aptix_apply", Arguments: raw})
	}
	given := call(bundle(patch("a.txt", "one", "two")))
	p := o.next()
	given.Cancel()
	var answer protocol.ToolResult
	if err := given.Wait(&answer); err == nil && answer.Successful {
		t.Error("a call that was cancelled succeeded")
	}
	lsptest.Await(o.Client, lsp.MethodCancelRequest, func(*lsp.CancelParams) bool { return true })
	p.answer <- true
	shows(t, o.Client, map[string]string{"a.txt": "one\n"})
	asked := call(bundle(patch("a.txt", "one", "two")))
	o.next().answer <- true
	if err := asked.Wait(&answer); err != nil || !answer.Successful {
		t.Fatalf("%v, %+v", err, answer)
	}
	shows(t, o.Client, map[string]string{"a.txt": "two\n"})
}

// The question about an agent's revert says why a file is protected.
func TestAgentRevertsProtectedFile(t *testing.T) {
	o := openOffice(t, map[string]string{".vscode/tasks.json": "{}\n"}, nil)
	agent := o.agent()
	job := o.applies(agent, bundle(replace(".vscode/tasks.json", "[]\n")))
	o.next().answer <- true
	job.want("")
	back := o.call(agent, "aptix_revert", map[string]any{})
	p := o.next()
	if !strings.Contains(p.Question, "Claude asks") || !strings.Contains(p.Question, ".vscode/tasks.json is protected: VS Code runs the tasks") {
		t.Errorf("asked %q", p.Question)
	}
	p.answer <- false
	back.want("declined-by-user")
}
