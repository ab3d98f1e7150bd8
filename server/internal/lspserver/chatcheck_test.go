package lspserver_test

import (
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/protocol"
)

const missingFind = "this is not there\n"

func TestChatCheck(t *testing.T) {
	c := serve(t, map[string]string{"a.txt": "one\n"}, nil)
	good, broken := bundle(create("b.txt", "b\n")), bundle(patch("a.txt", missingFind, "x\n"))
	for name, test := range map[string]struct {
		draft         protocol.ChatDraft
		blocks        int
		status        string
		note, another string // parts of the note
		again         bool
	}{
		"no block":      {draft: protocol.ChatDraft{Text: "Hello.", Complete: true}},
		"still written": {draft: protocol.ChatDraft{Text: good[:60]}, blocks: 1, status: "1 block…"},
		"one is wrong":  {draft: protocol.ChatDraft{Text: broken + good}, blocks: 2, status: "2 blocks, 1 error…"},
		"good":          {draft: protocol.ChatDraft{Text: good, Complete: true}, blocks: 1, status: "1 block…", note: "**Aptix: 1 file +1 −0**\n\n"},
		"cut off":       {draft: protocol.ChatDraft{Text: good[:60], Complete: true}, blocks: 1, status: "1 block…", note: "**Aptix: incomplete**. The model is asked to correct its answer (1 of 2):\n\n- block 1 is not complete", again: true},
		"wrong":         {draft: protocol.ChatDraft{Text: broken, Complete: true}, blocks: 1, status: "1 block, 1 error…", note: "**Aptix: 1 error**. The model is asked to correct its answer (1 of 2):\n\n- ", another: "is not there", again: true},
		"wrong twice":   {draft: protocol.ChatDraft{Text: broken, Complete: true, Repairs: 1}, blocks: 1, status: "1 block, 1 error…", note: "**Aptix: 1 error** after 1 correction. The model is asked to correct its answer (2 of 2):", again: true},
		"good at last":  {draft: protocol.ChatDraft{Text: good, Complete: true, Repairs: 1}, blocks: 1, status: "1 block…", note: "**Aptix: 1 file +1 −0** after 1 correction\n\n"},
		"wrong at last": {draft: protocol.ChatDraft{Text: broken, Complete: true, Repairs: 2}, blocks: 1, status: "1 block, 1 error…", note: "**Aptix: 1 error** after 2 corrections:\n\n- "},
		"asks":          {draft: protocol.ChatDraft{Text: bundle(create(".vscode/x", "b\n")), Complete: true}, blocks: 1, status: "1 block…", note: "Aptix asks you before it applies this:\n\n- ", another: "protected"},
		"hostile":       {draft: protocol.ChatDraft{Text: bundle(patch("[a](command:x)", "x", "y")), Complete: true, Repairs: 2}, blocks: 1, status: "1 block, 1 error…", note: `\[a\]`},
	} {
		t.Run(name, func(t *testing.T) {
			var got protocol.ChatCheck
			c.MustCall(protocol.MethodChatCheck, test.draft, &got)
			if got.Open != (name == "cut off") {
				t.Errorf("open: %v", got.Open)
			}
			if got.Blocks != test.blocks || got.Status != test.status || (got.Feedback != "") != test.again {
				t.Errorf("got %+v", got)
			}
			if !strings.Contains(got.Note, test.note) || !strings.Contains(got.Note, test.another) || (got.Note != "") != (test.note != "") {
				t.Errorf("note: got %q", got.Note)
			}
		})
	}
}
