package protocol

// What the chat of VS Code needs.
const (
	// Request: ChatSession -> ChatAnswer: the last answer in a chat session.
	MethodChatAnswer = "aptix/chatAnswer"
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
