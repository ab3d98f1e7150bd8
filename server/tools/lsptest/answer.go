package lsptest

import (
	"encoding/json"
	"errors"
	"time"

	"go.lsp.dev/protocol"

	aptix "github.com/aptix-dev/aptix/protocol"
)

// answer answers one call of the server.
func (c *Client) answer(m message) {
	time.Sleep(c.Slow)
	result, err := c.result(m.Method, m.Params)
	c.record(Received{m.Method, m.Params})
	reply := message{ID: m.ID}
	if err == nil {
		reply.Result, err = encode(result)
	}
	if reply.Result == nil {
		reply.Result = json.RawMessage("null")
	}
	if err != nil {
		reply.Result, reply.Error = nil, &Error{Code: errorCode(err), Message: err.Error()}
	}
	time.Sleep(c.Slow)
	_ = c.send(reply) // the server may have ended
	if m.Method == protocol.MethodWorkspaceApplyEdit {
		time.Sleep(c.Slow)
		if c.Editor.twice() {
			_ = c.send(reply)
		}
		c.Editor.answered()
	}
}

func errorCode(err error) int {
	if errors.Is(err, errNotSupported) {
		return -32601
	}
	return -32803
}

func (c *Client) result(method string, params json.RawMessage) (any, error) {
	switch method {
	case protocol.MethodWorkspaceApplyEdit:
		var p protocol.ApplyWorkspaceEditParams
		if err := decode(params, &p); err != nil {
			return nil, err
		}
		return c.Editor.said(c.Editor.apply(&p)), nil
	case protocol.MethodWindowShowMessageRequest:
		if c.NoQuestions {
			return nil, errNotSupported
		}
		return c.choose(params)
	case protocol.MethodWorkspaceConfiguration:
		return c.configuration(params)
	case protocol.MethodWindowShowDocument:
		return &protocol.ShowDocumentResult{Success: true}, nil
	case protocol.MethodWindowWorkDoneProgressCreate:
		if c.NoProgress {
			return nil, errNotSupported
		}
		return nil, nil
	case protocol.MethodClientRegisterCapability, protocol.MethodClientUnregisterCapability,
		protocol.MethodWorkspaceCodeLensRefresh,
		protocol.MethodWorkspaceDiagnosticRefresh:
		return nil, nil
	}
	if method == aptix.MethodDocuments && c.Documents {
		var p aptix.DocumentsParams
		err := json.Unmarshal(params, &p)
		return c.Editor.documents(p.URIs), err
	}
	if c.Handle != nil {
		return c.Handle(method, params)
	}
	return nil, errNotSupported
}

func (c *Client) choose(params json.RawMessage) (any, error) {
	var p protocol.ShowMessageRequestParams
	if err := decode(params, &p); err != nil || c.Choose == nil {
		return nil, err
	}
	title := c.Choose(&p)
	for _, action := range p.Actions {
		if action.Title == title {
			return &action, nil
		}
	}
	return nil, nil
}

func (c *Client) configuration(params json.RawMessage) (any, error) {
	var p protocol.ConfigurationParams
	if err := decode(params, &p); err != nil {
		return nil, err
	}
	answers := make([]any, len(p.Items))
	for i, item := range p.Items {
		if item.Section != nil {
			answers[i] = c.Settings[*item.Section]
		}
	}
	raw, err := json.Marshal(answers)
	return json.RawMessage(raw), err
}

// vscode returns the client capabilities of VS Code that Aptix uses.
func vscode() protocol.ClientCapabilities {
	yes := true
	return protocol.ClientCapabilities{
		Workspace: &protocol.WorkspaceClientCapabilities{
			ApplyEdit:        &yes,
			Configuration:    &yes,
			WorkspaceFolders: &yes,
			WorkspaceEdit: &protocol.WorkspaceEditClientCapabilities{
				DocumentChanges: &yes,
				ResourceOperations: []protocol.ResourceOperationKind{
					protocol.ResourceOperationKindCreate, protocol.ResourceOperationKindRename, protocol.ResourceOperationKindDelete,
				},
				FailureHandling:         "textOnlyTransactional",
				NormalizesLineEndings:   &yes,
				MetadataSupport:         &yes,
				ChangeAnnotationSupport: &protocol.ChangeAnnotationsSupportOptions{GroupsOnLabel: &yes},
			},
			CodeLens:               &protocol.CodeLensWorkspaceClientCapabilities{RefreshSupport: &yes},
			DidChangeConfiguration: &protocol.DidChangeConfigurationClientCapabilities{DynamicRegistration: &yes},
		},
		Window: &protocol.WindowClientCapabilities{
			WorkDoneProgress: &yes,
			ShowDocument:     &protocol.ShowDocumentClientCapabilities{Support: true},
		},
		General: &protocol.GeneralClientCapabilities{PositionEncodings: []protocol.PositionEncodingKind{"utf-16"}},
	}
}
