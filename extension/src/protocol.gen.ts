// Code generated from protocol/*.go by `make gen`. DO NOT EDIT.

/**
 * Batch is a line patch as it was applied, or found done, with the ids that it was given (rules L24 and L25). What a
 * person left out of it is not in it. Keys, labels and descriptions are those of the patch, and left out where it has
 * none; ids that a patch brings along are not taken.
 */
export interface Batch {
  /** A UUIDv7 in lower case, as all ids here. */
  batchId: string;
  batchKey?: string;
  batchLabel?: string;
  files: FilePatch[];
}

/** FilePatch is the changes of one file. */
export interface FilePatch {
  filePatchId: string;
  fileKey?: string;
  docPath: string;
  /** The file that the docPath is the key of, relative to the workspace root, with forward slashes. */
  path: string;
  fileLabel?: string;
  /** As the patch has it. */
  originalSha256: string;
  /** Of the file as it was left: of its bytes, or of the text that an editor has open. */
  sha256: string;
  changes: PatchChange[];
}

/** PatchChange is one change of whole lines. Lines count from 1, in the file before any of the changes. */
export interface PatchChange {
  changeId: string;
  changeKey?: string;
  /** One of insert, replace, delete. */
  operation: string;
  description?: string;
  /** Of an insertion: the line after which it is made, 0 for the top of the file. */
  afterLine?: number;
  /** Of the others: the first line and the last. */
  startLine?: number;
  endLine?: number;
  expectedOriginalLines?: string[];
  newLines?: string[];
}

/** PatchChangeInfo is what the history knows by an id of a line patch: a batchId, a filePatchId or a changeId. */
export interface PatchChangeInfo {
  id: string;
  of: PatchPart;
  /**
   * What the id names and the levels above it: of a filePatchId the only file is that one, of a changeId the only
   * change, too.
   */
  batch: Batch;
  status: PatchStatus;
  /** Of the apply: its id in the history, when it was (RFC 3339, UTC), and the absolute path of the workspace root. */
  apply: string;
  time: string;
  root: string;
  /** How the files of Batch are now, in the same order. */
  files: PatchedFile[];
}

/** PatchPart is the level of a line patch that an id is of. */
export type PatchPart = "batch" | "file" | "change";

/** PatchStatus is whether an apply is in force. */
export type PatchStatus = "applied" | "reverted";

/** PatchedFile is the present state of a file that a line patch changed. */
export interface PatchedFile {
  /** Relative to the workspace root. */
  path: string;
  standing: PatchStanding;
}

/** PatchStanding is how a file compares with what an apply made of it. */
export type PatchStanding = "left" | "undone" | "edited" | "unknown";

/** MethodBlocks is a request: BlocksParams -> Blocks: what a reply is made of, for a view that lists it. */
export const MethodBlocks = "aptix/blocks";

/** BlocksParams names an open document. */
export interface BlocksParams {
  uri: string;
}

/** Blocks are those of a document, in its order. */
export interface Blocks {
  blocks: ListedBlock[];
  /** What else in the document could change a file and is not read. */
  unread: ListedUnread[];
}

/** ListedUnread is a part of a reply that is not read, as a view lists it. The text is plain, and not escaped. */
export interface ListedUnread {
  /** Such as `a shell command that writes src/new.ts`. */
  text: string;
  /** Whether an apply of the rest asks first. */
  asks: boolean;
  /** On which it begins, counted from 0. */
  line: number;
}

/** ListedBlock is a block as a view lists it. The texts are plain, and not escaped. */
export interface ListedBlock {
  /** Counted from 1. */
  index: number;
  /** Of its format, such as `a file bundle`. */
  title: string;
  state: BlockState;
  /** As its code lens has it, such as `3 files +10 −2`. */
  text: string;
  /** On which it begins, counted from 0. */
  line: number;
  /** Its files, or its changes where it changes a file several times. */
  parts: ListedPart[];
}

/** ListedPart is a file of a block, or a hunk of a file. */
export interface ListedPart {
  /** As SkipParams counts them. */
  part: number;
  /** The path of a file; of a hunk, what it is and where it goes, such as `hunk 2, lines 9 to 10`. */
  name: string;
  /** Whether the person left it out. Only then is there nothing else to know of it. */
  skipped: boolean;
  /** Whether the person may leave it out, or take it in again. */
  optional: boolean;
  /** What becomes of it, such as `modify +3 −1`; empty where that is not known. */
  text: string;
  /** The first error in it, or else the first warning; empty where there is neither. */
  problem: string;
  /** Whether Problem is an error. */
  failed: boolean;
  /** On which it begins, counted from 0. */
  line: number;
  /** The hunks of a file, or whatever its format calls them, if it has several. */
  parts: ListedPart[];
}

/** Request: ChatSession -> ChatAnswer: the last answer in a chat session. */
export const MethodChatAnswer = "aptix/chatAnswer";

/** Request: ChatAsk -> ChatPrompt: what the model is sent for a message to the participant @aptix. */
export const MethodChatPrompt = "aptix/chatPrompt";

/** Request: ChatDraft -> ChatCheck: what the model has answered so far. */
export const MethodChatCheck = "aptix/chatCheck";

/** ChatScheme is the URI scheme of documents that hold the answer of a chat. */
export const ChatScheme = "aptix-chat";

/**
 * Commands of the editor, with a Target as their argument. CommandSendToChat puts the reply's problems into the chat
 * input, CommandFixChat lists the fixes of an answer.
 */
export const CommandSendToChat = "aptix.chat.send";

export const CommandFixChat = "aptix.chat.fix";

/** ChatSession is a chat session as `workbench.action.chat.export` writes it. */
export interface ChatSession {
  json: string;
}

/** ChatAnswer is the last answer in a chat session. */
export interface ChatAnswer {
  /** Of the request that is answered; empty where there is no answer. */
  id: string;
  state: ChatState;
  /** The answer as Markdown; empty where there is nothing to open. */
  text: string;
  /** Why there is nothing to open, or what to know of the answer; else empty. */
  message: string;
  /** How many Aptix blocks it has, those that are still being written included. */
  blocks: number;
}

/** ChatState is how far an answer is. */
export type ChatState = "streaming" | "complete" | "stopped";

/** ChatRole is who wrote a message. */
export type ChatRole = "user" | "assistant";

/** ChatMessage is one message of a conversation with a model. */
export interface ChatMessage {
  role: ChatRole;
  text: string;
}

/** ChatAsk is a person's message to the participant @aptix. */
export interface ChatAsk {
  /** bundle, patch, git, ap or fix; empty for none. */
  command: string;
  prompt: string;
  /** Earlier messages to the participant and its answers, oldest first. */
  history: ChatMessage[];
  /** URIs of what the person named, then of what the editors show. */
  files: string[];
  /** How many tokens the model takes. */
  maxInputTokens: number;
  /** For fix, the session with the answer that is to be corrected. */
  session: ChatSession;
}

/** ChatPrompt is what the model is sent. */
export interface ChatPrompt {
  /** Empty where there is nothing to ask; Note says why. */
  messages: ChatMessage[];
  /** URIs of the files whose text is in the messages. */
  files: string[];
  /** Markdown for the person, such as which files are not sent; empty where there is nothing to say. */
  note: string;
  /** An answer that is good as it is, where Messages is empty for that reason; else empty. */
  answer: string;
}

/** ChatDraft is an answer of the model. */
export interface ChatDraft {
  text: string;
  /** Whether that is all of it. */
  complete: boolean;
  /** How often the model was asked to correct its answer. */
  repairs: number;
}

/** ChatCheck is what there is to know of a ChatDraft. */
export interface ChatCheck {
  blocks: number;
  /** For a status bar, such as `2 blocks, 1 error…`; empty without a block. */
  status: string;
  /** For the person, as Markdown, once the answer is complete; empty without a block. */
  note: string;
  /** The answer ends inside a block, so that a text after it would be shown as a part of the block. */
  open: boolean;
  /** What the model is to be asked so that it corrects its answer; empty where it is good, or was corrected often enough. */
  feedback: string;
}

/** CommandRevert takes RevertParams and answers RevertResult. */
export const CommandRevert = "aptix.revert";

/** Request: HistoryParams -> History. */
export const MethodHistory = "aptix/history";

/** Request: HistoryEntryParams -> History: one entry, or none where the history has no such one. */
export const MethodHistoryEntry = "aptix/historyEntry";

/**
 * Request: HistoryFilesParams -> PreviewResult: what an apply did, its files in the order of the entry, or what
 * taking it back would do.
 */
export const MethodHistoryFiles = "aptix/historyFiles";

/**
 * Notification to the client, without params: the history of the open folders changed, or the state of an entry that
 * MethodHistory gave last.
 */
export const MethodHistoryChanged = "aptix/historyChanged";

/** History is what was applied, the latest first. */
export interface History {
  entries: HistoryEntry[];
}

/** HistoryEntry is one apply, or one revert of an apply. */
export interface HistoryEntry {
  id: string;
  /** RFC 3339, UTC. */
  time: string;
  /** The absolute path of the workspace root. */
  root: string;
  /** The name of the reply for people, or what a line patch calls itself. */
  label: string;
  /** The front end: cli, lsp, mcp, or agent: asked for by an agent, and agreed to in an editor. */
  source: string;
  /** Whether it was taken back. */
  reverted: boolean;
  /** How its files compare with it now. */
  state: EntryState;
  /** The id of the entry that this one took back; empty for the apply of a reply. */
  reverts: string;
  /** Whether what it took back was a revert, so that the reply is applied again. Only the language server tells. */
  again?: boolean;
  /** Their state is always `done`; a rename is a deletion and a creation. */
  files: File[];
}

/** EntryState is how the files that an entry changed compare with it now. It is in words for people. */
export type EntryState = "in force" | "undone" | "changed since" | "unknown";

/** HistoryParams asks for entries. */
export interface HistoryParams {
  /** A document or a folder: only entries of its workspace folder. Empty for those of all open folders. */
  uri: string;
  /** At most so many entries, over all folders; 0 for all. */
  limit: number;
}

/** HistoryEntryParams asks for one entry. */
export interface HistoryEntryParams {
  /** Empty for the latest apply of an open folder that was not taken back. */
  id: string;
}

/** HistoryFilesParams asks for the files of an entry. */
export interface HistoryFilesParams {
  id: string;
  /** Not what the entry did, but what taking it back would do to the files as they are now. */
  revert: boolean;
  /** With revert: files that were edited since are merged, where they can be. */
  merge: boolean;
}

/** RevertParams takes an entry back. */
export interface RevertParams {
  /** Empty for the latest apply of an open folder that was not taken back. */
  id: string;
  /**
   * Keep what was edited since in files that are not as they were left. Without it, or where that cannot be
   * done for every such file, nothing is written.
   */
  merge: boolean;
  /** The person was asked already and knows the files, so that no setting asks again. */
  asked?: boolean;
}

/** RevertResult is what became of a revert. Every key but lasting is always there. */
export interface RevertResult {
  /** Whether the tree was changed by this call, and stays so. */
  applied: boolean;
  /** Whether every file was seen to be as before the apply. */
  verified: boolean;
  /** Whether a partial result was taken back. */
  rolledBack: boolean;
  /** The id of the revert itself in the history; empty where nothing was written. */
  id: string;
  /** The id of the entry that is taken back. */
  reverts: string;
  files: File[];
  /** Paths of files that are not as planned and were left as they are. */
  left: string[];
  /** Files that are not as the apply left them. Where there are any, nothing was written, unless they were merged. */
  conflicts: RevertConflict[];
  message: string;
  /** What an undo in the editor does not take back, as a part of Message; left out where it takes back all. */
  lasting?: string;
  /** As in ApplyResult. */
  warnings?: ToolMessage[];
}

/** RevertConflict is a file that is not as an apply left it. */
export interface RevertConflict {
  path: string;
  /** For people, to be read after the path. */
  why: string;
  /** Whether the revert can be made all the same, with later edits kept. */
  mergeable: boolean;
  /** Whole lines of the file as it is now that were edited where the apply had. */
  clashes: Range[];
}

export const CommandApply = "aptix.apply";

export const CommandPreview = "aptix.preview";

/** CommandCheck shows the blocks of all formats in a document until it is closed, also where it is not taken for a reply. It answers nothing. */
export const CommandCheck = "aptix.check";

/** CommandFeedback answers a FeedbackResult: the reply's problems as a text for the model that wrote it. */
export const CommandFeedback = "aptix.feedback";

/** CommandSkip takes SkipParams, and answers nothing. */
export const CommandSkip = "aptix.skip";

/** Request: PreviewParams -> PreviewResult. */
export const MethodPreview = "aptix/preview";

/** Request: ContentParams -> ContentResult: the text of a virtual document of a preview. */
export const MethodContent = "aptix/content";

/** Notification to the client: Status, after each check of a document. */
export const MethodStatus = "aptix/status";

/**
 * Request to the client: QuestionParams -> QuestionResult. A person asked for a change, and has to agree to it first.
 * Only for clients that say `offers` in their initializationOptions; others are asked by window/showMessageRequest.
 */
export const MethodQuestion = "aptix/question";

/**
 * Request to the client: DocumentsParams -> DocumentsResult: what the editor holds of the files of an edit that it has
 * answered. Only for clients that say `documents` in their initializationOptions.
 */
export const MethodDocuments = "aptix/documents";

/** Request: no params -> InstallResult: makes the program the command `aptix` of the shell. */
export const MethodInstallCommand = "aptix/installCommand";

/** PreviewScheme is the URI scheme of the virtual documents of a preview. */
export const PreviewScheme = "aptix-preview";

/**
 * Target names what a command is about: a block of an open document, or a text
 * that is in no document (the clipboard, a selection).
 */
export interface Target {
  /** The reply's document. With Text, it only tells which workspace folder is meant, and may be empty. */
  uri: string;
  /** Counted from 1; null for all blocks, as one transaction. */
  block: number | null;
  /** A place in the document, instead of Block: the block there is meant, or all blocks where there is none. Messages say which. */
  at?: Position;
  /** The reply itself, where it is in no document. */
  text?: string;
  /** Leave out replacements whose find is missing, as the setting aptix.missingFind does; it asks. */
  skipMissing?: boolean;
  /** Make all certain fixes first, in the document where the editor lets it be changed. */
  fix?: boolean;
  /** No editor shows the text, so that the person is asked before it is applied. */
  unseen?: boolean;
  /** The id of an apply, for a preview: what it did is shown, and not what the document would do. */
  applied?: string;
  /** The token of an earlier QuestionParams to which the person agrees: the same question about the same reply is not asked again, once. */
  agreed?: string;
}

/** QuestionParams asks a person about a change. The texts are plain, and safe to show. */
export interface QuestionParams {
  /** All of it, as other editors show it. */
  question: string;
  /** Names this question in Target.Agreed. Nothing but this request tells it. */
  token: string;
  /** Its first line, such as `Apply 3 files +10 −2?`. */
  title: string;
  files: File[];
  /** Why it is asked, one sentence each; empty where only the setting or the kind of the change asks. */
  reasons: string[];
  /** What agrees, such as `Apply`. */
  button: string;
}

/** DocumentsParams asks for documents. */
export interface DocumentsParams {
  uris: string[];
}

/** DocumentsResult has those of the documents that are open. */
export interface DocumentsResult {
  documents: OpenDocument[];
}

/** OpenDocument is a document as the editor holds it when it answers. */
export interface OpenDocument {
  /** As it was asked for. */
  uri: string;
  /** As textDocument/didOpen and didChange count it. */
  version: number;
  /** Of the text in UTF-8, each CRLF as LF; in lower-case hex. */
  sha256: string;
}

/** QuestionResult is the person's answer. */
export interface QuestionResult {
  accepted: boolean;
}

/** SkipMode is what is to become of a part of a block, and of the others. */
export type SkipMode = "skip" | "only" | "include" | "missing" | "required" | "allow" | "ask";

/**
 * SkipParams leaves a part out of a block, or takes it in again: a file or a hunk. It holds for previews and applies,
 * until the block is applied or its text changes.
 */
export interface SkipParams {
  uri: string;
  /** Counted from 1. */
  block: number;
  /** Counted from 0, over the files of the block and the hunks in each, as code lenses name them. */
  part: number;
  mode: SkipMode;
}

/** ApplyResult is the answer to aptix.apply. Every key is always there. */
export interface ApplyResult {
  /** Whether the tree was changed by this call, and stays so. */
  applied: boolean;
  /** Whether every file was seen to be as planned. */
  verified: boolean;
  /** Whether a partial result was taken back. */
  rolledBack: boolean;
  id: string;
  files: File[];
  /** Paths of files that are not as planned and were left alone, because someone else changed them. */
  left: string[];
  message: string;
  /** What an undo in the editor does not take back, as a part of Message; left out where it takes back all. */
  lasting?: string;
  /** The line patches that were applied, or found done, with their ids; left out where there are none. */
  batches?: Batch[];
  /**
   * What went otherwise than it should beside the change itself, such as an upload to the file set; left out where there
   * is nothing to say.
   */
  warnings?: ToolMessage[];
  /**
   * The reply was refused only because some finds are missing; with skipMissing in the target, the rest can be applied.
   * Only for clients that say `offers` in their initializationOptions; others are asked by window/showMessageRequest.
   */
  rest?: boolean;
  /** As Rest: each error of the refused blocks has a certain fix, so that it may be applied with fix in the target. */
  fixable?: boolean;
}

/** FeedbackResult is the answer to aptix.feedback. */
export interface FeedbackResult {
  /** For the clipboard; empty where there is nothing to complain of. */
  text: string;
}

/** PreviewResult is a multi-file diff. */
export interface PreviewResult {
  title: string;
  /** Why there is nothing to show; empty where there is. */
  message: string;
  files: PreviewFile[];
  /** Whether the files are what was applied, so that there is nothing to apply. */
  applied?: boolean;
}

/**
 * PreviewFile is one row of a multi-file diff. Left and Right are URIs of virtual documents; Left is empty
 * for a file that is created, Right for one that is deleted.
 */
export interface PreviewFile {
  /** The URI of the file itself, for its name and language. */
  resource: string;
  left: string;
  right: string;
}

/** ContentParams asks for a virtual document. */
export interface ContentParams {
  uri: string;
}

/** ContentResult is the text of a virtual document. */
export interface ContentResult {
  text: string;
}

/** InstallResult is the answer to aptix/installCommand. */
export interface InstallResult {
  /** Whether the link is there, in a folder of PATH, and first in it. */
  installed: boolean;
  /** What was done, or what the person has to do. */
  message: string;
}

/** Status is the state of one document's blocks, for a status bar. */
export interface Status {
  uri: string;
  /** Whether the document is a reply, and not documentation that shows blocks. */
  reply: boolean;
  /** How many Aptix blocks the document holds. */
  blocks: number;
  /** How many of them can be applied now. */
  ready: number;
  errors: number;
  /**
   * For people, such as `3 files +10 −2`, and what became of the files since the document was applied:
   * `3 files +10 −2 (undone)`, `already applied (changed since)`.
   */
  text: string;
}

/** Report is what `--json` prints: what a reply holds and what became of it. */
export interface Report {
  /** Whether this run changed the tree. */
  applied: boolean;
  /** The id of this apply in the history; empty where nothing was applied. */
  id: string;
  blocks: Block[];
  /** What else in the reply could change a file and is not read; empty without a block. */
  unread: Unread[];
  /** Whether the reply holds no block but says that no safe edit can be made. */
  declined: boolean;
}

/** UnreadKind is what an unread part of a reply seems to be. */
export type UnreadKind = "shell" | "fence" | "diff" | "tool-call" | "tag" | "pair" | "instruction";

/** Unread is a part of a reply that could change a file, and that no format reads. */
export interface Unread {
  /** The 1-based line of the reply on which it begins. */
  line: number;
  kind: UnreadKind;
  /** Relative to the workspace root, with forward slashes; empty where the part names none. */
  path: string;
  /** Such as `not read: line 40, a shell command that writes src/new.ts`. */
  message: string;
  /** Whether it surely changes a file, so that an apply of the rest asks first. */
  asks: boolean;
}

/** BlockState is the state of a block. */
export type BlockState = "ready" | "done" | "incomplete" | "error";

/** Block is one Aptix block of a reply. */
export interface Block {
  /** Counted from 1, over the Aptix blocks of the reply only. */
  index: number;
  /** The name of the format, as --format takes it: bundle, git, ap, ... */
  format: string;
  /** The 1-based line on which the block begins: its fence, where it has one. */
  line: number;
  state: BlockState;
  files: File[];
  diagnostics: Diagnostic[];
  /** A line patch that was applied, or found done by apply, with its ids; left out otherwise. */
  batch?: Batch;
}

/** Operation is what happens to a file as a whole. */
export type Operation = "create" | "modify" | "delete" | "rename";

/** FileState is the state of a file within a block. */
export type FileState = "change" | "done" | "error";

/** File is what a block does to one file. */
export interface File {
  /** Relative to the workspace root, with forward slashes. */
  path: string;
  operation: Operation;
  /** The new path of a rename, else empty. */
  to: string;
  state: FileState;
  /** Lines of a line diff. */
  added: number;
  removed: number;
}

/** Diagnostic is one thing to know about a block. */
export interface Diagnostic {
  severity: string;
  /** A doubt: a warning that asks before an apply. */
  asks: boolean;
  code: string;
  message: string;
  /** The reply's own file name, or "-" for standard input. */
  file: string;
  range: Range;
  fixes: Fix[];
}

/** Fix is the title of a repair that can be made to the block. */
export interface Fix {
  title: string;
  /** Certain: `--fix` makes it unasked. */
  preferred: boolean;
}

/** Position counts lines from 0 and characters from 0 in UTF-16 units. */
export interface Position {
  line: number;
  character: number;
}

/** Range is half-open. */
export interface Range {
  start: Position;
  end: Position;
}

/** Request: ToolParams -> ToolResult. */
export const MethodTool = "aptix/tool";

/**
 * Request to the client: OfferParams -> OfferResult. An agent wants to change files: the client shows what, and asks the
 * person. Only for clients that say `offers` in their initializationOptions; others are asked by window/showMessageRequest.
 */
export const MethodOffer = "aptix/offer";

/**
 * Notification to the client: PreviewResult. An agent shows what it would change, and asks nothing. As aptix/offer, only
 * for clients that say so.
 */
export const MethodShow = "aptix/show";

/** Notification to the client: AgentChange. An agent changed files. As aptix/offer, only for clients that say so. */
export const MethodAgentChange = "aptix/agentChange";

/** Notification: ActiveParams. Which document has the person's attention. */
export const MethodActive = "aptix/active";

/** ToolParams calls a tool. */
export interface ToolParams {
  name: string;
  /** An object, as the tool's schema says. */
  arguments: unknown;
}

/** ToolResult is the answer of every tool (rule R33). Every key is always there. */
export interface ToolResult {
  /** Whether the tool did what was asked. What the caller can mend, and what a person refused, is an answer too. */
  successful: boolean;
  /** Why not; empty where successful. */
  errors: ToolMessage[];
  warnings: ToolMessage[];
  /** What the tool's output schema says; null where there is nothing to tell. */
  result: unknown;
}

/** ToolMessage is a sentence for the model. */
export interface ToolMessage {
  /** Stable, in kebab case; that of a diagnostic where it is one. */
  code: string;
  message: string;
}

/** OfferParams is a change that an agent wants to make. */
export interface OfferParams {
  /** The agent's name, as it gives it; may be empty. */
  agent: string;
  preview: PreviewResult;
  /** What to ask, with the warnings. */
  question: string;
}

/** OfferResult is the person's answer. */
export interface OfferResult {
  accepted: boolean;
}

/** AgentChange is a change that an agent made, with the person's agreement or because the settings ask for none. */
export interface AgentChange {
  /** The agent's name, as it gives it; may be empty. */
  agent: string;
  /** Of the change in the history, to revert it; empty where it is not there. */
  id: string;
  /** What was done, such as `Applied 3 files +10 −2`. */
  message: string;
}

/** ActiveParams names the document in the active editor; empty for none. */
export interface ActiveParams {
  uri: string;
}

