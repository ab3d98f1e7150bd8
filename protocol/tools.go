package protocol

import "encoding/json"

// The methods for agents. A tool has one name, one schema and one result, no matter how it is called: over MCP, as a
// language-model tool of the editor, or by a program that talks to a running language server.
const (
	// Request: ToolParams -> ToolResult.
	MethodTool = "aptix/tool"
	// Request to the client: OfferParams -> OfferResult. An agent wants to change files: the client shows the change
	// and asks the person. The request is sent only if the client has `offers` in its initializationOptions; other
	// clients get window/showMessageRequest.
	MethodOffer = "aptix/offer"
	// Request: OfferPartsParams -> OfferParams. The person leaves parts of an offered change out, or includes them
	// again. The result is the new offer.
	MethodOfferParts = "aptix/offerParts"
	// Notification to the client: PreviewResult. An agent shows a possible change without a question. Like aptix/offer,
	// it is sent only if the client has `offers`.
	MethodShow = "aptix/show"
	// Notification to the client: AgentChange. An agent changed files. Like aptix/offer, it is sent only if the client
	// has `offers`.
	MethodAgentChange = "aptix/agentChange"
	// Notification: ActiveParams. The active document changed.
	MethodActive = "aptix/active"
)

// ToolParams calls a tool.
type ToolParams struct {
	Name string `json:"name"`
	// The arguments, as an object that conforms to the tool's schema.
	Arguments json.RawMessage `json:"arguments"`
}

// ToolResult is the result of every tool (rule R33). Every key is always present.
type ToolResult struct {
	// Whether the tool did its job. It is false after a mistake that the caller can correct, or a person's refusal:
	// neither is an error of the protocol.
	Successful bool `json:"successful"`
	// The reasons for the failure; empty if successful.
	Errors   []ToolMessage `json:"errors"`
	Warnings []ToolMessage `json:"warnings"`
	// A value that conforms to the tool's output schema; null if there is nothing to report.
	Result json.RawMessage `json:"result"`
}

// ToolMessage is a sentence for the model.
type ToolMessage struct {
	// Stable, and in kebab case. For a diagnostic, it is the code of the diagnostic.
	Code    string `json:"code"`
	Message string `json:"message"`
}

// OfferParams describes a change that an agent wants to make.
type OfferParams struct {
	// The name that the agent gives itself; may be empty.
	Agent   string        `json:"agent"`
	Preview PreviewResult `json:"preview"`
	// The text of the question, with the warnings.
	Question string `json:"question"`
	// The token of the offer for OfferPartsParams; empty if the change is made as a whole or not at all.
	Token string `json:"token"`
	// The blocks of the agent's text, whose parts can be left out.
	Blocks []ListedBlock `json:"blocks"`
}

// OfferPartsParams leaves parts of an offered change out, or includes them again. Document, Line and File name the
// parts by a place in the preview (see PartsAtParams). If Document is empty, Changes names the parts, and its URIs are
// ignored.
type OfferPartsParams struct {
	Token    string       `json:"token"`
	Document string       `json:"document"`
	Line     int          `json:"line"`
	File     bool         `json:"file"`
	Changes  []SkipParams `json:"changes"`
}

// OfferResult is the person's answer.
type OfferResult struct {
	Accepted bool `json:"accepted"`
}

// AgentChange describes a change that an agent made, either with the person's agreement or because the settings require
// none.
type AgentChange struct {
	// The name that the agent gives itself; may be empty.
	Agent string `json:"agent"`
	// The id of the change in the history, to revert it; empty if the history does not have the change.
	ID string `json:"id"`
	// A summary, such as `Applied 3 files +10 −2`.
	Message string `json:"message"`
}

// ActiveParams names the document in the active editor. The name is empty if no document is active.
type ActiveParams struct {
	URI string `json:"uri"`
}
