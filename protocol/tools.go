package protocol

import "encoding/json"

// What agents use. A tool has one name, one schema and one answer, whichever way it is called: over MCP, as a language-model
// tool of the editor, or by a program that talks to a running language server.
const (
	// Request: ToolParams -> ToolResult.
	MethodTool = "aptix/tool"
	// Request to the client: OfferParams -> OfferResult. An agent wants to change files: the client shows what, and asks the
	// person. Only for clients that say `offers` in their initializationOptions; others are asked by window/showMessageRequest.
	MethodOffer = "aptix/offer"
	// Notification to the client: PreviewResult. An agent shows what it would change, and asks nothing. As aptix/offer, only
	// for clients that say so.
	MethodShow = "aptix/show"
	// Notification to the client: AgentChange. An agent changed files. As aptix/offer, only for clients that say so.
	MethodAgentChange = "aptix/agentChange"
	// Notification: ActiveParams. Which document has the person's attention.
	MethodActive = "aptix/active"
)

// ToolParams calls a tool.
type ToolParams struct {
	Name string `json:"name"`
	// An object, as the tool's schema says.
	Arguments json.RawMessage `json:"arguments"`
}

// ToolResult is the answer of every tool (rule R33). Every key is always there.
type ToolResult struct {
	// Whether the tool did what was asked. What the caller can mend, and what a person refused, is an answer too.
	Successful bool `json:"successful"`
	// Why not; empty where successful.
	Errors   []ToolMessage `json:"errors"`
	Warnings []ToolMessage `json:"warnings"`
	// What the tool's output schema says; null where there is nothing to tell.
	Result json.RawMessage `json:"result"`
}

// ToolMessage is a sentence for the model.
type ToolMessage struct {
	// Stable, in kebab case; that of a diagnostic where it is one.
	Code    string `json:"code"`
	Message string `json:"message"`
}

// OfferParams is a change that an agent wants to make.
type OfferParams struct {
	// The agent's name, as it gives it; may be empty.
	Agent   string        `json:"agent"`
	Preview PreviewResult `json:"preview"`
	// What to ask, with the warnings.
	Question string `json:"question"`
}

// OfferResult is the person's answer.
type OfferResult struct {
	Accepted bool `json:"accepted"`
}

// AgentChange is a change that an agent made, with the person's agreement or because the settings ask for none.
type AgentChange struct {
	// The agent's name, as it gives it; may be empty.
	Agent string `json:"agent"`
	// Of the change in the history, to revert it; empty where it is not there.
	ID string `json:"id"`
	// What was done, such as `Applied 3 files +10 −2`.
	Message string `json:"message"`
}

// ActiveParams names the document in the active editor; empty for none.
type ActiveParams struct {
	URI string `json:"uri"`
}
