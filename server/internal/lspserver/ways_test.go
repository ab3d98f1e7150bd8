package lspserver_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/protocol"
)

// If one of several blocks has an error, the others can be applied, after a question that
// names what is left out.
func TestRestOfSeveralBlocks(t *testing.T) {
	var asked []protocol.QuestionParams
	c := serve(t, map[string]string{"a.txt": "one\n", "b.txt": "b\n"}, answering(&asked, "Apply"))
	openReply(c, bundle(patch("a.txt", "one", "two"))+bundle(create("../out.txt", "x\n"))+bundle(create("c.txt", "c\n")))
	r := apply(t, c, nil)
	if r.Applied || !r.Rest || !r.Problems || r.Fixable || r.NoBlock {
		t.Fatalf("the refusal: %+v", r)
	}
	if err := command(c, protocol.CommandApply, protocol.Target{URI: replyURI, SkipMissing: true}, &r); err != nil || !r.Applied {
		t.Fatalf("got %+v, %v", r, err)
	}
	if len(asked) != 1 || !slices.ContainsFunc(asked[0].Reasons, func(s string) bool { return strings.HasPrefix(s, "left out: block 2 on line ") }) {
		t.Errorf("asked is %+v", asked)
	}
	shows(t, c, map[string]string{"a.txt": "two\n", "b.txt": "b\n", "c.txt": "c\n"})
	if got := titles(t, c); strings.Count(got, "Show Changes, Revert") != 2 {
		t.Errorf("lenses\n%s", got)
	}
}

// A block that depends on a block with an error is not applied with the rest.
func TestRestWithoutWhatBuildsOnAnError(t *testing.T) {
	var asked []protocol.QuestionParams
	c := serve(t, map[string]string{"b.txt": "b\n"}, answering(&asked, "Apply"))
	openReply(c, bundle(create("new.txt", "new\n"), create("../out.txt", "x\n"))+bundle(patch("new.txt", "new", "newer"))+bundle(replace("b.txt", "bee\n")))
	var r protocol.ApplyResult
	if err := command(c, protocol.CommandApply, protocol.Target{URI: replyURI, SkipMissing: true}, &r); err != nil || !r.Applied {
		t.Fatalf("got %+v, %v", r, err)
	}
	shows(t, c, map[string]string{"new.txt": "", "b.txt": "bee\n"})
}

// A preview says which blocks it does not show.
func TestPreviewOfHalfAReply(t *testing.T) {
	var asked []protocol.QuestionParams
	c := serve(t, map[string]string{"a.txt": "one\n"}, answering(&asked, "Apply"))
	openReply(c, bundle(patch("a.txt", "one", "two"))+bundle(create("../out.txt", "x\n")))
	var p protocol.PreviewResult
	c.MustCall(protocol.MethodPreview, protocol.Target{URI: replyURI}, &p)
	if len(p.Files) != 1 || !strings.HasPrefix(p.Message, "1 of 2 blocks cannot be applied") || !p.Rest || !p.Problems {
		t.Errorf("got %+v", p)
	}
}

// For a text without a block, the message says what the text contains instead, and the person can ask the model for a
// block.
func TestNoBlockLeadsOn(t *testing.T) {
	var asked []protocol.QuestionParams
	c := serve(t, nil, answering(&asked, "Apply"))
	for text, want := range map[string]string{
		"Nothing.\n":                                   "the text has no code block",
		"So:\n\n```python\nx = 1\n```\n":               "the code block in line 3 does not clearly name its file",
		"```python\nx = 1\n```\n\n```ts\nlet y\n```\n": "2 code blocks do not clearly name their files (line 1, line 5)",
	} {
		var p protocol.PreviewResult
		c.MustCall(protocol.MethodPreview, protocol.Target{Text: &text}, &p)
		if !p.NoBlock || !strings.Contains(p.Message, want) {
			t.Errorf("%q: %+v", text, p)
		}
		var f protocol.FeedbackResult
		if err := command(c, protocol.CommandFeedback, protocol.Target{Text: &text}, &f); err != nil || !strings.Contains(f.Text, "file bundle") {
			t.Errorf("%q: %+v, %v", text, f, err)
		}
	}
}

// The question of Fix and Apply lists the repairs that will be made.
func TestQuestionListsRepairs(t *testing.T) {
	var asked []protocol.QuestionParams
	c := serve(t, nil, answering(&asked, "Apply"))
	var r protocol.ApplyResult
	text := backslashed
	if err := command(c, protocol.CommandApply, protocol.Target{Text: &text, Fix: true, Unseen: true}, &r); err != nil || !r.Applied {
		t.Fatalf("got %+v, %v", r, err)
	}
	if len(asked) != 1 || !slices.ContainsFunc(asked[0].Reasons, func(s string) bool { return strings.HasPrefix(s, "Repaired: ") && strings.Contains(s, "dir/a.txt") }) {
		t.Errorf("asked is %+v", asked)
	}
}

// A text from the clipboard is a reply, even if it begins with a title, as documentation does, and its folder is new.
func TestPastedReplyMayHaveATitle(t *testing.T) {
	c := serve(t, map[string]string{"src/main.py": "import log\n"}, nil)
	for _, path := range []string{"src/log.py", "logs/log.py"} {
		text := "# Add logging\n\n## `" + path + "`\n\n```python\nLEVEL = 1\n```\n"
		var p protocol.PreviewResult
		c.MustCall(protocol.MethodPreview, protocol.Target{Text: &text}, &p)
		if len(p.Files) != 1 || !strings.HasSuffix(p.Files[0].Resource, path) {
			t.Errorf("got %+v", p)
		}
	}
}

// The question about a copied page names the file of each reason and, once applied, its blocks have no warnings.
func TestCopiedPage(t *testing.T) {
	var asked []protocol.QuestionParams
	c := serve(t, map[string]string{"src/main.py": "import log\n"}, answering(&asked, "Apply"))
	text := "You said:\nAdd logging to it\n\nsrc/log.py\n\npython\nCopy code\nLEVEL = 1\n\n\ndef log():\n    pass\n\nThen:\n\nsrc/main.py\n\npython\nCopy code\nimport log\n\nlog.log()\n"
	var r protocol.ApplyResult
	if err := command(c, protocol.CommandApply, protocol.Target{Text: &text, Unseen: true}, &r); err != nil || !r.Applied {
		t.Fatalf("got %+v, %v", r, err)
	}
	if len(asked) != 1 || len(asked[0].Reasons) != 2 || !strings.HasPrefix(asked[0].Reasons[0], "src/log.py: ") || !strings.HasPrefix(asked[0].Reasons[1], "src/main.py: ") {
		t.Errorf("asked is %+v", asked)
	}
	openReply(c, text)
	if got := listing(c); strings.Count(got, ".py: already applied") != 2 {
		t.Errorf("the rows are\n%s", got)
	}
	if got := titles(t, c); strings.Count(got, "Show Changes, Revert, already applied") != 2 {
		t.Errorf("lenses\n%s", got)
	}
	var h protocol.History
	c.MustCall(protocol.MethodHistory, protocol.HistoryParams{}, &h)
	if len(h.Entries) != 1 || h.Entries[0].Label != "Add logging to it" {
		t.Errorf("the history is %+v", h.Entries)
	}
}

// If code names no file, the person can choose one. The file in the active editor is offered
// first, then the files that are most like the code.
func TestAddressCode(t *testing.T) {
	main := "import log\n\ndef main():\n    log.start()\n    return 1\n"
	c := serve(t, map[string]string{"src/main.py": main, "src/log.py": "def start():\n    pass\n", "notes.txt": "notes\n"}, nil)
	code := "import log\n\ndef main():\n    log.start()\n    return 2\n"
	text := "Change it:\n\n- so:\n\n  ```python\n  " + strings.ReplaceAll(strings.TrimSpace(code), "\n", "\n  ") + "\n  ```\n"
	target := protocol.Target{Text: &text, Unseen: true}
	var p protocol.PreviewResult
	c.MustCall(protocol.MethodPreview, target, &p)
	if !p.Code || !p.NoBlock {
		t.Fatalf("got %+v", p)
	}
	var a protocol.AddressResult
	c.MustCall(protocol.MethodAddress, protocol.AddressParams{Target: target, Chosen: []protocol.Chosen{}}, &a)
	if len(a.Blocks) != 1 || a.Blocks[0].Line != 4 || a.Blocks[0].Files[0] != (protocol.Addressee{Path: "src/main.py", Text: "src/main.py: has 3 of 4 lines"}) {
		t.Fatalf("got %+v", a)
	}
	active := target
	active.URI = string(c.Editor.URI("notes.txt"))
	var first protocol.AddressResult
	c.MustCall(protocol.MethodAddress, protocol.AddressParams{Target: active, Chosen: []protocol.Chosen{}}, &first)
	if got := first.Blocks[0].Files[0].Text; got != "notes.txt, in the active editor" {
		t.Errorf("with an active editor the first is %q", got)
	}
	c.MustCall(protocol.MethodAddress, protocol.AddressParams{Target: target, Chosen: []protocol.Chosen{{Line: 4, Path: "src/main.py"}}}, &a)
	c.MustCall(protocol.MethodPreview, protocol.Target{Text: &a.Text, Unseen: true}, &p)
	if len(p.Files) != 1 || !strings.HasSuffix(p.Files[0].Resource, "src/main.py") {
		t.Errorf("%q gives %+v", a.Text, p)
	}
}
