package protocol

// The methods and commands for the chat of VS Code.
const (
	// Request: ChatSession -> ChatAnswer: the last answer in a chat session.
	MethodChatAnswer = "aptix/chatAnswer"
	// Request: ChatAsk -> ChatPrompt: the messages for the model when a person writes to the participant @aptix.
	MethodChatPrompt = "aptix/chatPrompt"
	// Request: ChatDraft -> ChatCheck: checks the model's answer so far.
	MethodChatCheck = "aptix/chatCheck"
	// ChatScheme is the URI scheme of documents that contain the answer of a chat.
	ChatScheme = "aptix-chat"
	// Commands of the editor, with a Target as their argument. CommandSendToChat puts the reply's problems into the
	// chat input. CommandFixChat lists the fixes of an answer.
	CommandSendToChat = "aptix.chat.send"
	CommandFixChat    = "aptix.chat.fix"
)

// ChatSession is a chat session as exported by `workbench.action.chat.export`.
type ChatSession struct {
	JSON string `json:"json"`
}

// ChatAnswer is the last answer in a chat session.
type ChatAnswer struct {
	// The id of the answered request; empty if there is no answer.
	ID    string    `json:"id"`
	State ChatState `json:"state"`
	// The answer as Markdown; empty if there is nothing to open.
	Text string `json:"text"`
	// The reason why there is nothing to open, or a remark about the answer; may be empty.
	Message string `json:"message"`
	// The number of Aptix blocks in the answer, including blocks that are still being written.
	Blocks int `json:"blocks"`
}

// ChatState is the progress of an answer.
type ChatState string

// A stopped answer was cancelled or failed, and may be cut off anywhere.
const (
	ChatStreaming ChatState = "streaming"
	ChatComplete  ChatState = "complete"
	ChatStopped   ChatState = "stopped"
)

// ChatRole is the writer of a message.
type ChatRole string

// The roles.
const (
	ChatUser      ChatRole = "user"
	ChatAssistant ChatRole = "assistant"
)

// ChatMessage is one message of a conversation with a model.
type ChatMessage struct {
	Role ChatRole `json:"role"`
	Text string   `json:"text"`
}

// ChatAsk is a person's message to the participant @aptix.
type ChatAsk struct {
	// The command after @aptix: bundle, patch, git, ap or fix. Empty if there is none.
	Command string `json:"command"`
	Prompt  string `json:"prompt"`
	// Earlier messages to the participant and its answers, oldest first.
	History []ChatMessage `json:"history"`
	// URIs of the files that the person named, followed by the files that the editors show.
	Files []string `json:"files"`
	// The number of tokens that the model accepts.
	MaxInputTokens int `json:"maxInputTokens"`
	// For the command fix, the session with the answer to correct.
	Session ChatSession `json:"session"`
}

// ChatPrompt has the messages for the model.
type ChatPrompt struct {
	// Empty if nothing is sent to the model. Note or Answer then gives the reason.
	Messages []ChatMessage `json:"messages"`
	// URIs of the files whose text is in the messages.
	Files []string `json:"files"`
	// Markdown for the person, such as the files that are not sent; may be empty.
	Note string `json:"note"`
	// An existing answer that needs no correction. If it is set, Messages is empty.
	Answer string `json:"answer"`
}

// ChatDraft is an answer of the model, or the first part of an answer.
type ChatDraft struct {
	Text string `json:"text"`
	// Whether Text is the whole answer.
	Complete bool `json:"complete"`
	// The number of requests to the model to correct its answer.
	Repairs int `json:"repairs"`
}

// ChatCheck describes a ChatDraft.
type ChatCheck struct {
	Blocks int `json:"blocks"`
	// A text for a status bar, such as `2 blocks, 1 error…`; empty if there is no block.
	Status string `json:"status"`
	// Markdown for the person, once the answer is complete; empty if there is no block.
	Note string `json:"note"`
	// Whether the answer ends inside a block, so that any text appended to it would be shown as part of the block.
	Open bool `json:"open"`
	// The request to the model to correct its answer; empty if the answer is good, or was corrected often enough.
	Feedback string `json:"feedback"`
}
