package lspserver_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
)

// answering configures an editor with its own dialog for questions. It records the questions in `asked`, and agrees to
// those whose button is `accepts`.
func answering(asked *[]protocol.QuestionParams, accepts string) func(*lsptest.Client) {
	return func(c *lsptest.Client) {
		c.Options = map[string]any{"offers": true, "opensTouched": true}
		c.Handle = func(method string, params json.RawMessage) (any, error) {
			if method != protocol.MethodQuestion {
				return nil, errors.New("method not found")
			}
			var p protocol.QuestionParams
			if err := json.Unmarshal(params, &p); err != nil {
				return nil, err
			}
			*asked = append(*asked, p)
			return protocol.QuestionResult{Accepted: strings.Contains(accepts, p.Button)}, nil
		}
	}
}

// If an editor has its own dialog, it gets the files and each reason separately.
func TestQuestionNamesFilesAndReasons(t *testing.T) {
	for _, accepts := range []string{"Apply", ""} {
		var asked []protocol.QuestionParams
		c := serve(t, tree, answering(&asked, accepts))
		openReply(c, bundle(patch("a.txt", "wo", "wice"), create("new.txt", "x\n")))
		if r := apply(t, c, nil); r.Applied != (accepts != "") {
			t.Errorf("accepts %q: %+v", accepts, r)
		}
		if len(asked) != 1 || asked[0].Title != "Apply 2 files +2 −1?" || asked[0].Button != "Apply" || len(asked[0].Reasons) != 1 ||
			!strings.Contains(asked[0].Reasons[0], "part of a longer word") {
			t.Fatalf("asked %+v", asked)
		}
		want := []protocol.File{
			{Path: "a.txt", Operation: protocol.OperationModify, State: protocol.FileChange, Added: 1, Removed: 1},
			{Path: "new.txt", Operation: protocol.OperationCreate, State: protocol.FileChange, Added: 1},
		}
		if diff := cmp.Diff(want, asked[0].Files); diff != "" {
			t.Error(diff)
		}
	}
}

// A person who agreed to a question, for example in a preview, is not asked the same question again. Only the
// question's token proves the agreement. It works once, and only for the same reply.
func TestAgreedQuestionIsNotAskedAgain(t *testing.T) {
	var asked []protocol.QuestionParams
	c := serve(t, tree, answering(&asked, ""))
	openReply(c, bundle(patch("a.txt", "wo", "wice")))
	apply(t, c, nil)
	c.Editor.OpenText("untitled:other", "markdown", bundle(patch("a.txt", "wo", "wice"), create("new.txt", "x\n")))
	for i, try := range []struct {
		uri    string
		agreed func() string
		asked  int
	}{
		{replyURI, func() string { return asked[0].Question }, 2},
		{"untitled:other", func() string { return asked[0].Token }, 3},
		{replyURI, func() string { return asked[0].Token }, 4}, // the token was already used
		{replyURI, func() string { return asked[3].Token }, 4},
	} {
		var r protocol.ApplyResult
		if err := command(c, protocol.CommandApply, protocol.Target{URI: try.uri, Agreed: try.agreed()}, &r); err != nil || r.Applied != (i == 3) || len(asked) != try.asked {
			t.Errorf("%d: %+v, %v, %d questions", i, r, err, len(asked))
		}
	}
}

// A text that no editor shows is applied only after a question. The only reason in this question is the part of the
// reply outside its block.
func TestUnseenTextAsks(t *testing.T) {
	for _, accepts := range []string{"Apply", ""} {
		var asked []protocol.QuestionParams
		c := serve(t, tree, answering(&asked, accepts))
		text := bundle(create("new.txt", "x\n")) + "\nAnd this in a.txt:\n\n```python\ndef three():\n    return 3\n```\n"
		for _, unseen := range []bool{true, false} {
			var r protocol.ApplyResult
			err := command(c, protocol.CommandApply, protocol.Target{Text: &text, Unseen: unseen}, &r)
			if applies := unseen == (accepts != ""); err != nil || r.Applied != applies {
				t.Errorf("unseen %v, accepts %q: %+v, %v", unseen, accepts, r, err)
			}
		}
		if len(asked) != 1 || asked[0].Title != "Apply 1 file +1 −0?" || len(asked[0].Reasons) != 1 || len(asked[0].Files) != 1 {
			t.Errorf("asked %+v", asked)
		}
	}
}

// A revert asks in the same dialog, with its own button.
func TestRevertAsksInTheDialog(t *testing.T) {
	var asked []protocol.QuestionParams
	c := serve(t, tree, func(c *lsptest.Client) {
		answering(&asked, "Apply Revert")(c)
		c.Settings = map[string]any{"aptix": map[string]any{"confirm": "always"}}
	})
	openReply(c, bundle(create("new.txt", "x\n")))
	awaitSettings(c)
	applied := apply(t, c, nil)
	revert(t, c, protocol.RevertParams{ID: applied.ID})
	if len(asked) != 2 || asked[1].Title != "Revert 1 file +0 −1?" || asked[1].Button != "Revert" || asked[1].Files[0].Operation != protocol.OperationDelete {
		t.Errorf("asked %+v", asked)
	}
	shows(t, c, map[string]string{"new.txt": ""})
}
