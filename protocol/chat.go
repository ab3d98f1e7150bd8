package protocol

// What the chat of VS Code needs.
const (
	// Request: ChatSession -> ChatAnswer: the last answer in a chat session.
	MethodChatAnswer = "aptix/chatAnswer"
	// Request: ChatAsk -> ChatPrompt: what the model is sent for a message to the participant @aptix.
	MethodChatPrompt = "aptix/chatPrompt"
	// Request: ChatDraft -> ChatCheck: what the model has answered so far.
	MethodChatCheck = "aptix/chatCheck"
	// ChatScheme is the URI scheme of documents that hold the answer of a chat.
	ChatScheme = "aptix-chat"
	// Commands of the editor, with a Target as their argument. CommandSendToChat puts the reply's problems into the chat
	// input, CommandFixChat lists the fixes of an answer.
	CommandSendToChat = "aptix.chat.send"
	CommandFixChat    = "aptix.chat.fix"
)

// ChatSession is a chat session as `workbench.action.chat.export` writes it.
type ChatSession struct {
	JSON string `json:"json"`
}

// ChatAnswer is the last answer in a chat session.
type ChatAnswer struct {
	// Of the request that is answered; empty where there is no answer.
	ID    string    `json:"id"`
	State ChatState `json:"state"`
	// The answer as Markdown; empty where there is nothing to open.
	Text string `json:"text"`
	// Why there is nothing to open, or what to know of the answer; else empty.
	Message string `json:"message"`
	// How many Aptix blocks it has, those that are still being written included.
	Blocks int `json:"blocks"`
}

// ChatState is how far an answer is.
type ChatState string

// The states of an answer. A stopped one was cancelled or failed, and may be cut off anywhere.
const (
	ChatStreaming ChatState = "streaming"
	ChatComplete  ChatState = "complete"
	ChatStopped   ChatState = "stopped"
)

// ChatRole is who wrote a message.
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
	// bundle, patch, git, ap or fix; empty for none.
	Command string `json:"command"`
	Prompt  string `json:"prompt"`
	// Earlier messages to the participant and its answers, oldest first.
	History []ChatMessage `json:"history"`
	// URIs of what the person named, then of what the editors show.
	Files []string `json:"files"`
	// How many tokens the model takes.
	MaxInputTokens int `json:"maxInputTokens"`
	// For fix, the session with the answer that is to be corrected.
	Session ChatSession `json:"session"`
}

// ChatPrompt is what the model is sent.
type ChatPrompt struct {
	// Empty where there is nothing to ask; Note says why.
	Messages []ChatMessage `json:"messages"`
	// URIs of the files whose text is in the messages.
	Files []string `json:"files"`
	// Markdown for the person, such as which files are not sent; empty where there is nothing to say.
	Note string `json:"note"`
	// An answer that is good as it is, where Messages is empty for that reason; else empty.
	Answer string `json:"answer"`
}

// ChatDraft is an answer of the model.
type ChatDraft struct {
	Text string `json:"text"`
	// Whether that is all of it.
	Complete bool `json:"complete"`
	// How often the model was asked to correct its answer.
	Repairs int `json:"repairs"`
}

// ChatCheck is what there is to know of a ChatDraft.
type ChatCheck struct {
	Blocks int `json:"blocks"`
	// For a status bar, such as `2 blocks, 1 error…`; empty without a block.
	Status string `json:"status"`
	// For the person, as Markdown, once the answer is complete; empty without a block.
	Note string `json:"note"`
	// The answer ends inside a block, so that a text after it would be shown as a part of the block.
	Open bool `json:"open"`
	// What the model is to be asked so that it corrects its answer; empty where it is good, or was corrected often enough.
	Feedback string `json:"feedback"`
}
