package rpc

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.lsp.dev/protocol"
)

// Marshal has its own encoders. Its result must equal the result of the library.
func TestMarshalAsTheLibrary(t *testing.T) {
	for _, v := range []any{
		nil,
		"\xff<&>\u2028",
		protocol.String("a"),
		[]protocol.CodeLens(nil),
		&protocol.ProgressParams{Token: protocol.String("t"), Value: []byte(`{"kind":"end"}`)},
		&protocol.InitializeResult{Capabilities: protocol.ServerCapabilities{HoverProvider: protocol.Boolean(true)}},
		&protocol.CompletionList{Items: []protocol.CompletionItem{{Label: "\xffa", TextEdit: &protocol.TextEdit{NewText: "b\n"}}}},
		&protocol.ApplyWorkspaceEditParams{Edit: protocol.WorkspaceEdit{DocumentChanges: []protocol.DocumentChange{
			&protocol.TextDocumentEdit{Edits: []protocol.TextDocumentEditElement{&protocol.TextEdit{NewText: "x"}}},
			&protocol.CreateFile{URI: "file:///a%20b"},
		}}},
		protocol.LocationSlice{{URI: "file:///a"}},
		&protocol.Hover{Contents: &protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: "*a*"}},
		&protocol.PublishDiagnosticsParams{URI: "file:///a", Diagnostics: []protocol.Diagnostic{{Message: protocol.String("m"), Code: protocol.String("c")}}},
	} {
		want, err := protocol.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Marshal(v)
		if err != nil {
			t.Fatalf("%#v: %v", v, err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%#v (-library +ours):\n%s", v, diff)
		}
	}
}
