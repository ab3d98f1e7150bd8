// Code generated from protocol/*.go by `make gen`. DO NOT EDIT.

/**
 * MethodAddress is a request: AddressParams -> AddressResult: for each code block of a text
 * without edits, the files that it may be for.
 */
export const MethodAddress = "aptix/address";

/**
 * AddressParams asks which files the code blocks of a text without edits may be for. If
 * choices are given, it asks for the text with these files written into it.
 */
export interface AddressParams {
  target: Target;
  chosen: Chosen[];
}

/** Chosen is the file that a person chose for a code block. */
export interface Chosen {
  /** The block's first line, counted from 0. */
  line: number;
  path: string;
}

/** AddressResult lists the code blocks of a text, or holds the text with their files. */
export interface AddressResult {
  blocks: Unaddressed[];
  /** The text, for a preview; empty if no choices are given. */
  text: string;
}

/** Unaddressed is a code block that names no file. */
export interface Unaddressed {
  /** Counted from 0. */
  line: number;
  /** A question that asks which file the block is for. */
  title: string;
  /** The likeliest first. */
  files: Addressee[];
}

/** Addressee is a file that a code block may be for. */
export interface Addressee {
  path: string;
  /** A text that shows the file to a person. */
  text: string;
}

/**
 * Batch describes a line patch that was applied or found done, with its assigned ids (rules
 * L24 and L25). It omits the parts that a person left out. Keys, labels and descriptions
 * come from the patch and are absent if the patch has none. Ids that a patch brings along
 * are ignored.
 */
export interface Batch {
  /** A UUIDv7 in lower case, like every id here. */
  batchId: string;
  batchKey?: string;
  batchLabel?: string;
  files: FilePatch[];
}

/** FilePatch holds the changes of one file. */
export interface FilePatch {
  filePatchId: string;
  fileKey?: string;
  docPath: string;
  /**
   * The file that the docPath names, relative to the workspace root, with forward
   * slashes.
   */
  path: string;
  fileLabel?: string;
  /** The checksum that the patch gives. */
  originalSha256: string;
  /**
   * The checksum of the resulting file: of its bytes, or of the text that an editor has
   * open.
   */
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
  /** For an insertion, the line after which the new lines go; 0 for the top of the file. */
  afterLine?: number;
  /** For other operations, the first and the last line. */
  startLine?: number;
  endLine?: number;
  expectedOriginalLines?: string[];
  newLines?: string[];
}

/**
 * PatchChangeInfo answers a query of the history by an id from a line patch: a batchId, a
 * filePatchId or a changeId.
 */
export interface PatchChangeInfo {
  id: string;
  of: PatchPart;
  /**
   * The named part with the levels above it. For a filePatchId, Batch has only that file;
   * for a changeId, only that change, too.
   */
  batch: Batch;
  status: PatchStatus;
  /**
   * The id of the apply in the history, its time (RFC 3339, UTC), and the absolute path
   * of the workspace root.
   */
  apply: string;
  time: string;
  root: string;
  /** The present state of the files in Batch, in the same order. */
  files: PatchedFile[];
}

/** PatchPart names a level of a line patch. */
export type PatchPart = "batch" | "file" | "change";

/** PatchStatus says whether an apply is in force. */
export type PatchStatus = "applied" | "reverted";

/** PatchedFile gives the present state of a file that a line patch changed. */
export interface PatchedFile {
  /** Relative to the workspace root. */
  path: string;
  standing: PatchStanding;
}

/** PatchStanding compares a file with the results of an apply. */
export type PatchStanding = "left" | "undone" | "edited" | "unknown";

/** MethodBlocks is a request: BlocksParams -> Blocks: lists the parts of a reply for a view. */
export const MethodBlocks = "aptix/blocks";

/** BlocksParams names an open document. */
export interface BlocksParams {
  uri: string;
}

/**
 * MethodPartsAt is a request: PartsAtParams -> PartsAt: the parts of a reply that make a hunk, or a file,
 * of its preview.
 */
export const MethodPartsAt = "aptix/partsAt";

/** PartsAtParams names a place in the preview of a reply. */
export interface PartsAtParams {
  target: Target;
  /** The URI of a side of a PreviewFile. */
  document: string;
  /** Counted from 0. */
  line: number;
  /** Ask for the whole file instead of the hunk at the line. */
  file: boolean;
}

/**
 * PartsAt lists the parts of the reply at a place in its preview, each as the argument with which
 * aptix.skip leaves it out.
 */
export interface PartsAt {
  parts: SkipParams[];
  /** If there are no parts, the reason for people. */
  message: string;
}

/** Blocks lists the blocks of a document in order. */
export interface Blocks {
  blocks: ListedBlock[];
  /** Other parts of the document that could change a file and are not read. */
  unread: ListedUnread[];
}

/**
 * ListedUnread is a row of the view for an unread part of a reply. Its text is plain and
 * not escaped.
 */
export interface ListedUnread {
  /** Such as `a shell command that writes src/new.ts`. */
  text: string;
  /** Whether an apply of the rest asks first. */
  asks: boolean;
  /** The line on which the part begins, counted from 0. */
  line: number;
}

/** ListedBlock is a row of the view for a block. Its texts are plain and not escaped. */
export interface ListedBlock {
  /** Counted from 1. */
  index: number;
  /** The title of the format, such as `a file bundle`. */
  title: string;
  state: BlockState;
  /** The text of its code lens, such as `3 files +10 −2`. */
  text: string;
  /** The line on which the block begins, counted from 0. */
  line: number;
  /** Whether the person left out all files of the block, and whether that may change. */
  skipped: boolean;
  optional: boolean;
  /** The files of the block, or its changes if it changes a file several times. */
  parts: ListedPart[];
}

/** ListedPart is a row for a file of a block, or for a hunk of a file. */
export interface ListedPart {
  /** The number of the part, counted as in SkipParams. */
  part: number;
  /**
   * The path of a file, or the kind and position of a hunk, such as `hunk 2, lines 9 to
   * 10`.
   */
  name: string;
  /** Whether the person left the part out. If so, nothing more is known about it. */
  skipped: boolean;
  /** Whether the person may leave the part out, or take it in again. */
  optional: boolean;
  /** The effect of the part, such as `modify +3 −1`; empty if unknown. */
  text: string;
  /** The first error in the part, or else the first warning; empty if there is neither. */
  problem: string;
  /** Whether Problem is an error. */
  failed: boolean;
  /** The line on which the part begins, counted from 0. */
  line: number;
  /**
   * The hunks of a file (by whatever name its format has for them), if the file has
   * several.
   */
  parts: ListedPart[];
}

/** Request: ChatSession -> ChatAnswer: the last answer in a chat session. */
export const MethodChatAnswer = "aptix/chatAnswer";

/**
 * Request: ChatAsk -> ChatPrompt: returns the messages for the model when a person
 * writes to the participant @aptix.
 */
export const MethodChatPrompt = "aptix/chatPrompt";

/** Request: ChatDraft -> ChatCheck: checks the model's answer so far. */
export const MethodChatCheck = "aptix/chatCheck";

/** ChatScheme is the URI scheme of documents that hold the answer of a chat. */
export const ChatScheme = "aptix-chat";

/**
 * Commands of the editor, with a Target as their argument. CommandSendToChat puts the
 * reply's problems into the chat input. CommandFixChat lists the fixes of an answer.
 */
export const CommandSendToChat = "aptix.chat.send";

export const CommandFixChat = "aptix.chat.fix";

/** ChatSession holds a chat session as exported by `workbench.action.chat.export`. */
export interface ChatSession {
  json: string;
}

/** ChatAnswer is the last answer in a chat session. */
export interface ChatAnswer {
  /** The id of the answered request; empty if there is no answer. */
  id: string;
  state: ChatState;
  /** The answer as Markdown; empty if there is nothing to open. */
  text: string;
  /** The reason why there is nothing to open, or a remark about the answer; may be empty. */
  message: string;
  /** The number of Aptix blocks in the answer, with those still being written. */
  blocks: number;
}

/** ChatState says how far an answer has come. */
export type ChatState = "streaming" | "complete" | "stopped";

/** ChatRole says who wrote a message. */
export type ChatRole = "user" | "assistant";

/** ChatMessage is one message of a conversation with a model. */
export interface ChatMessage {
  role: ChatRole;
  text: string;
}

/** ChatAsk carries a person's message to the participant @aptix. */
export interface ChatAsk {
  /** The command after @aptix: bundle, patch, git, ap or fix. Empty if there is none. */
  command: string;
  prompt: string;
  /** Earlier messages to the participant and its answers, oldest first. */
  history: ChatMessage[];
  /** URIs of the files that the person named, followed by the files that the editors show. */
  files: string[];
  /** The number of tokens that the model accepts. */
  maxInputTokens: number;
  /** For fix, the session with the answer to correct. */
  session: ChatSession;
}

/** ChatPrompt holds the messages for the model. */
export interface ChatPrompt {
  /** Empty if there is nothing to ask; Note gives the reason. */
  messages: ChatMessage[];
  /** URIs of the files whose text is in the messages. */
  files: string[];
  /** Markdown for the person, such as the files that are not sent; may be empty. */
  note: string;
  /**
   * An existing answer that needs no correction, which is why Messages is empty;
   * otherwise empty.
   */
  answer: string;
}

/** ChatDraft holds an answer of the model, or the first part of one. */
export interface ChatDraft {
  text: string;
  /** Whether Text is the whole answer. */
  complete: boolean;
  /** The number of times the model was asked to correct its answer. */
  repairs: number;
}

/** ChatCheck describes a ChatDraft. */
export interface ChatCheck {
  blocks: number;
  /** For a status bar, such as `2 blocks, 1 error…`; empty without a block. */
  status: string;
  /** Markdown for the person once the answer is complete; empty without a block. */
  note: string;
  /**
   * Whether the answer ends inside a block. If so, any text appended to it would be shown
   * as part of the block.
   */
  open: boolean;
  /**
   * The request to the model to correct its answer; empty if the answer is good, or was
   * corrected often enough.
   */
  feedback: string;
}

/** CommandRevert takes RevertParams and returns RevertResult. */
export const CommandRevert = "aptix.revert";

/** Request: HistoryParams -> History. */
export const MethodHistory = "aptix/history";

/** Request: HistoryEntryParams -> History: one entry, or none if the history lacks it. */
export const MethodHistoryEntry = "aptix/historyEntry";

/**
 * Request: HistoryFilesParams -> PreviewResult: the effect of an apply with its files
 * in the order of the entry, or the effect of reverting it.
 */
export const MethodHistoryFiles = "aptix/historyFiles";

/** Request: ReviewParams -> Review. */
export const MethodReview = "aptix/review";

/**
 * Request: UnseenParams -> Unseen: the files that a person may not have seen since they were
 * changed.
 */
export const MethodUnseen = "aptix/unseen";

/**
 * Notification to the client, without params: the history of the open folders changed,
 * or the state of an entry in the latest answer to MethodHistory.
 */
export const MethodHistoryChanged = "aptix/historyChanged";

/** History lists the applies and reverts, the latest first. */
export interface History {
  entries: HistoryEntry[];
  /**
   * If HistoryParams.After is set and an entry cannot be reverted after those before it,
   * because its files have changed since: the id of that entry, and the reason for people.
   */
  clash?: string;
  why?: string;
}

/** HistoryEntry describes one apply, or one revert of an apply. */
export interface HistoryEntry {
  id: string;
  /** RFC 3339, UTC. */
  time: string;
  /** The absolute path of the workspace root. */
  root: string;
  /** A name of the reply for people, or the label of a line patch. */
  label: string;
  /**
   * The front end: cli, lsp, mcp or agent. For agent, an agent asked for the change and a
   * person agreed to it in an editor.
   */
  source: string;
  /** Whether the apply was reverted. */
  reverted: boolean;
  /** The state of the entry's files compared with now. */
  state: EntryState;
  /** The id of the reverted entry; empty for the apply of a reply. */
  reverts: string;
  /** Whether only a part of that entry was reverted. */
  part?: boolean;
  /**
   * Whether the reverted entry was itself a revert, so that the reply is applied again.
   * Only the language server sets it.
   */
  again?: boolean;
  /** Every file has the state `done`; a rename is a deletion and a creation. */
  files: File[];
}

/**
 * EntryState compares the files that an entry changed with now. Its values are words for
 * people.
 */
export type EntryState = "applied" | "undone" | "changed since" | "partly reverted" | "unknown";

/** HistoryParams asks for entries. */
export interface HistoryParams {
  /**
   * A document or a folder, to get only the entries of its workspace folder. Empty for
   * the entries of all open folders.
   */
  uri: string;
  /** The maximum number of entries over all folders; 0 for no limit. */
  limit: number;
  /**
   * Words to search for, in upper or lower case. An entry must have each of them in its label or in
   * the path of a file.
   */
  words?: string;
  /**
   * The URI of a file or a folder. If it is set, the answer has only entries that changed this file,
   * or a file in this folder.
   */
  changed?: string;
  /**
   * The id of an entry. If it is set, the answer has only the entries that must be reverted to get
   * back to the state after that entry, latest first.
   */
  after?: string;
}

/** HistoryEntryParams asks for one entry. */
export interface HistoryEntryParams {
  /** Empty for the latest apply of an open folder that was not reverted. */
  id: string;
}

/** HistoryFilesParams asks for the files of an entry. */
export interface HistoryFilesParams {
  id: string;
  /**
   * Ask for the effect that a revert would have on the files now, instead of the effect
   * of the entry.
   */
  revert: boolean;
  /** With revert: merge files that were edited since, if possible. */
  merge: boolean;
}

/** RevertParams names the entry to revert. */
export interface RevertParams {
  /** Empty for the latest apply of an open folder that was not reverted. */
  id: string;
  /**
   * Keep later edits in files that are not as the apply left them. Without merge, or if
   * some such file cannot be merged, nothing is written.
   */
  merge: boolean;
  /** The person was asked already and knows the files, so no setting asks again. */
  asked?: boolean;
  /** Revert only this part of the entry, and keep all later edits. */
  part?: EntryPart;
}

/** EntryPart is a hunk of an entry: a run of changed lines, or a file that was created. */
export interface EntryPart {
  path: string;
  /** Counted from 0 in the file. */
  hunk: number;
}

/** ReviewParams asks for the hunks of an entry. */
export interface ReviewParams {
  /** Empty for the latest apply of an open folder that was not reverted. */
  id: string;
}

/** Review lists the hunks of an entry that are still in the files as the entry made them. */
export interface Review {
  /** Empty if there is no such entry. */
  id: string;
  hunks: ReviewHunk[];
  /**
   * The changes of the entry that have no place in a file, such as deletions, in words for a person.
   * Empty if there are none.
   */
  elsewhere: string;
}

/** ReviewHunk is a hunk at its place in the present file. */
export interface ReviewHunk {
  uri: string;
  part: EntryPart;
  /**
   * The first line of the hunk and the line after its last one, counted from 0. They are
   * the same if the hunk only removed lines.
   */
  line: number;
  end: number;
  /** The lines that it replaced; empty if it only added lines. */
  was: string;
}

/** UnseenParams asks for changed files. */
export interface UnseenParams {
  /** The id of the entry after which changes count; empty if all count. */
  since: string;
}

/**
 * Unseen lists the files that the applies in force after an entry created or modified, each
 * with the latest such apply.
 */
export interface Unseen {
  /** The id of the latest entry; empty if there is none. */
  last: string;
  files: UnseenFile[];
}

/** UnseenFile is a changed file. */
export interface UnseenFile {
  uri: string;
  id: string;
}

/** RevertResult reports on a revert. Every key but lasting is always present. */
export interface RevertResult {
  /** Whether this call changed the tree, and the change stays. */
  applied: boolean;
  /** Whether every file was read back and is as before the apply. */
  verified: boolean;
  /** Whether a partial result was rolled back. */
  rolledBack: boolean;
  /** The id of the revert itself in the history; empty if nothing was written. */
  id: string;
  /** The id of the reverted entry. */
  reverts: string;
  files: File[];
  /** Paths of files that are not as planned and were left as they are. */
  left: string[];
  /**
   * Files that are not as the apply left them. If there are any, nothing was written
   * unless they were merged.
   */
  conflicts: RevertConflict[];
  message: string;
  /**
   * The part of Message about effects that an undo in the editor does not revert; absent
   * if an undo reverts everything.
   */
  lasting?: string;
  /** As in ApplyResult. */
  warnings?: ToolMessage[];
}

/** RevertConflict is a file that is not as an apply left it. */
export interface RevertConflict {
  path: string;
  /** The reason, in words that follow the path. */
  why: string;
  /** Whether the revert is still possible with later edits kept. */
  mergeable: boolean;
  /** Whole lines of the file that were edited since, at places that the apply had edited. */
  clashes: Range[];
}

export const CommandApply = "aptix.apply";

export const CommandPreview = "aptix.preview";

/**
 * CommandCheck shows the blocks of all formats in a document until it is closed, even
 * if the document is not taken for a reply. It returns nothing.
 */
export const CommandCheck = "aptix.check";

/**
 * CommandDismiss hides the blocks and problems of an open document until the document is closed or
 * CommandCheck shows them again. It returns nothing.
 */
export const CommandDismiss = "aptix.dismiss";

/** CommandFeedback returns a FeedbackResult: the reply's problems as a text for the model that wrote it. */
export const CommandFeedback = "aptix.feedback";

/** CommandSkip takes SkipParams and returns nothing. */
export const CommandSkip = "aptix.skip";

/** Request: PreviewParams -> PreviewResult. */
export const MethodPreview = "aptix/preview";

/** Request: ContentParams -> ContentResult: the text of a virtual document of a preview. */
export const MethodContent = "aptix/content";

/** Notification to the client: Status, after each check of a document. */
export const MethodStatus = "aptix/status";

/**
 * Request to the client: QuestionParams -> QuestionResult. The person asked for a
 * change and has to agree to it first. It is sent only if the client has `offers` in
 * its initializationOptions; other clients get window/showMessageRequest.
 */
export const MethodQuestion = "aptix/question";

/**
 * Request to the client: DocumentsParams -> DocumentsResult: returns the open documents
 * among the files of an edit that the client has answered. It is sent only if the
 * client has `documents` in its initializationOptions.
 */
export const MethodDocuments = "aptix/documents";

/**
 * Request: no params -> InstallResult: installs the program as the shell command
 * `aptix`.
 */
export const MethodInstallCommand = "aptix/installCommand";

/** PreviewScheme is the URI scheme of the virtual documents of a preview. */
export const PreviewScheme = "aptix-preview";

/**
 * Target names the object of a command: a block of an open document, or a text outside any
 * document (the clipboard, a selection).
 */
export interface Target {
  /**
   * The reply's document. If Text is set, URI only selects the workspace folder and may
   * be empty.
   */
  uri: string;
  /** Counted from 1; null for all blocks, as one transaction. */
  block: number | null;
  /**
   * A place in the document, instead of Block. It selects the block there, or all blocks
   * if there is none. Messages say which.
   */
  at?: Position;
  /** The reply itself, if it is in no document. */
  text?: string;
  /**
   * Leave out the parts that cannot be applied: replacements whose find is not in the file, as with the
   * setting aptix.missingFind, and blocks with errors. The person is asked before the apply, and the
   * question names these parts.
   */
  skipMissing?: boolean;
  /** Make all certain fixes first, in the document if the editor allows edits there. */
  fix?: boolean;
  /** No editor shows the text, so the person is asked before it is applied. */
  unseen?: boolean;
  /**
   * The id of an apply, for a preview: shows the effect of that apply instead of the
   * effect of the document.
   */
  applied?: string;
  /**
   * The token of an earlier QuestionParams that the person agreed to. It replaces the answer to
   * the same question about the same reply, once.
   */
  agreed?: string;
  /** Texts that the person wrote in a preview, to apply in place of the reply's. */
  edited?: EditedFile[];
}

/** EditedFile is the text of a file after an apply, as a person edited it. */
export interface EditedFile {
  /** As in the URI of the right side of a PreviewFile. */
  path: string;
  /**
   * The text of that side, which the person edited. If the reply would give another one now,
   * nothing is applied.
   */
  was: string;
  text: string;
}

/** QuestionParams asks a person about a change. The texts are plain and safe to show. */
export interface QuestionParams {
  /** The whole question, as other editors show it. */
  question: string;
  /**
   * The token for Target.Agreed that identifies this question. Only this request reveals
   * it.
   */
  token: string;
  /** The first line of the question, such as `Apply 3 files +10 −2?`. */
  title: string;
  files: File[];
  /**
   * The reasons for the question, one sentence each; empty if only the setting or the
   * kind of the change requires it.
   */
  reasons: string[];
  /** The label of the button that agrees, such as `Apply`. */
  button: string;
}

/** DocumentsParams asks for documents. */
export interface DocumentsParams {
  uris: string[];
}

/** DocumentsResult holds the requested documents that are open. */
export interface DocumentsResult {
  documents: OpenDocument[];
}

/** OpenDocument describes a document as the editor has it when it responds. */
export interface OpenDocument {
  /** The URI from the request. */
  uri: string;
  /** The version, as counted by textDocument/didOpen and didChange. */
  version: number;
  /** The checksum of the text in UTF-8, with each CRLF as LF, in lower-case hex. */
  sha256: string;
}

/** QuestionResult is the person's answer. */
export interface QuestionResult {
  accepted: boolean;
}

/** SkipMode says how to treat a part of a block, and the other parts. */
export type SkipMode = "skip" | "only" | "include" | "missing" | "required" | "allow" | "ask";

/**
 * SkipParams leaves a part of a block out, such as a file or a hunk, or takes it in again. The choice holds
 * for every preview and apply of the block's text in the workspace, even by an agent, until the part is taken
 * in again. SkipNoQuestion holds until the block is applied.
 */
export interface SkipParams {
  uri: string;
  /** Counted from 1. */
  block: number;
  /**
   * Counted from 0 over the files of the block and the hunks in each, as numbered in code
   * lenses; -1 for all files of the block.
   */
  part: number;
  mode: SkipMode;
}

/** ApplyResult is the result of aptix.apply. Every key is always present. */
export interface ApplyResult extends Ways {
  /** Whether this call changed the tree, and the change stays. */
  applied: boolean;
  /** Whether every file was read back and is as planned. */
  verified: boolean;
  /** Whether a partial result was rolled back. */
  rolledBack: boolean;
  id: string;
  files: File[];
  /**
   * Paths of files that are not as planned and were left alone, because someone else
   * changed them.
   */
  left: string[];
  message: string;
  /**
   * The part of Message about effects that an undo in the editor does not revert; absent
   * if an undo reverts everything.
   */
  lasting?: string;
  /**
   * The line patches that were applied or found done, with their ids; absent if there are
   * none.
   */
  batches?: Batch[];
  /**
   * Problems beside the change itself, such as a failed upload to the file set; absent if
   * there are none.
   */
  warnings?: ToolMessage[];
}

/**
 * Ways are the possible actions after a refusal, or beside a preview. After a refusal they are
 * set only if the client has `offers` in its initializationOptions; other clients get
 * window/showMessageRequest.
 */
export interface Ways {
  /** A part of the reply can be applied, with skipMissing in the target. */
  rest?: boolean;
  /**
   * Each error of the refused blocks has a certain fix, so the reply can be applied with
   * fix in the target.
   */
  fixable?: boolean;
  /** The reply has problems; aptix.feedback has a text about them for the model. */
  problems?: boolean;
  /** The text has no block; aptix.feedback has a request for one. */
  noBlock?: boolean;
  /** The text has no block, but code; aptix/address has files that it may be for. */
  code?: boolean;
}

/** FeedbackResult is the result of aptix.feedback. */
export interface FeedbackResult {
  /** For the clipboard; empty if there is no problem. */
  text: string;
}

/** PreviewResult is a multi-file diff. */
export interface PreviewResult extends Ways {
  title: string;
  /**
   * The reason why there is nothing to show, or the blocks that are not shown; empty
   * otherwise.
   */
  message: string;
  files: PreviewFile[];
  /** Whether the files show a finished apply, so that there is nothing to apply. */
  applied?: boolean;
}

/**
 * PreviewFile is one row of a multi-file diff. Left and Right are URIs of virtual
 * documents. Left is empty for a created file, Right for a deleted one.
 */
export interface PreviewFile {
  /** The URI of the file itself, for its name and language. */
  resource: string;
  left: string;
  right: string;
  /**
   * A virtual document with the text that the apply left, if later edits of the file clash
   * with its revert.
   */
  base?: string;
}

/** ContentParams asks for a virtual document. */
export interface ContentParams {
  uri: string;
}

/** ContentResult is the text of a virtual document. */
export interface ContentResult {
  text: string;
}

/** InstallResult is the result of aptix/installCommand. */
export interface InstallResult {
  /** Whether the link exists in a folder of PATH and is the first match there. */
  installed: boolean;
  /** A summary of the installation, or the steps left for the person. */
  message: string;
}

/** Status describes one document's blocks for a status bar. */
export interface Status {
  uri: string;
  /** Whether the document is a reply, as opposed to documentation with blocks in it. */
  reply: boolean;
  /** The number of Aptix blocks in the document. */
  blocks: number;
  /** The number of blocks that can be applied now. */
  ready: number;
  errors: number;
  /**
   * For people, such as `3 files +10 −2`, with the fate of the files since the apply: `3
   * files +10 −2 (undone)`, `already applied (changed since)`.
   */
  text: string;
  /** Whether an editor may take marks of the blocks for those of merge conflicts. */
  conflicts: boolean;
}

/** Report is the output of `--json`: the contents of a reply and the results. */
export interface Report {
  /** Whether this run changed the tree. */
  applied: boolean;
  /** The id of this apply in the history; empty if nothing was applied. */
  id: string;
  blocks: Block[];
  /**
   * Other parts of the reply that could change a file and are not read; empty without a
   * block.
   */
  unread: Unread[];
  /** Whether the reply holds no block but says that no safe edit can be made. */
  declined: boolean;
}

/** UnreadKind is the apparent kind of an unread part of a reply. */
export type UnreadKind = "shell" | "fence" | "diff" | "tool-call" | "tag" | "pair" | "instruction";

/** Unread is a part of a reply that could change a file but that no format reads. */
export interface Unread {
  /** The 1-based line of the reply on which the part begins. */
  line: number;
  kind: UnreadKind;
  /**
   * Relative to the workspace root, with forward slashes; empty if the part names no
   * file.
   */
  path: string;
  /** Such as `not read: line 40, a shell command that writes src/new.ts`. */
  message: string;
  /** Whether the part surely changes a file, so that an apply of the rest asks first. */
  asks: boolean;
}

/** BlockState is the state of a block. */
export type BlockState = "ready" | "done" | "incomplete" | "error";

/** Block is one Aptix block of a reply. */
export interface Block {
  /** Counted from 1, over the Aptix blocks of the reply only. */
  index: number;
  /** The name of the format, as in --format: bundle, git, ap, ... */
  format: string;
  /**
   * The 1-based line on which the block begins. If it has a fence, that is the line of
   * the fence.
   */
  line: number;
  state: BlockState;
  files: File[];
  diagnostics: Diagnostic[];
  /**
   * A line patch that was applied, or found done by apply, with its ids; absent
   * otherwise.
   */
  batch?: Batch;
}

/** Operation names the change of a file as a whole. */
export type Operation = "create" | "modify" | "delete" | "rename";

/** FileState is the state of a file within a block. */
export type FileState = "change" | "done" | "error";

/** File describes the change of one file by a block. */
export interface File {
  /** Relative to the workspace root, with forward slashes. */
  path: string;
  operation: Operation;
  /** The new path of a rename; otherwise empty. */
  to: string;
  state: FileState;
  /** Lines of a line diff. */
  added: number;
  removed: number;
}

/** Diagnostic is one message about a block. */
export interface Diagnostic {
  severity: string;
  /** Whether it is a doubt: a warning that asks before an apply. */
  asks: boolean;
  code: string;
  message: string;
  /** The reply's own file name, or "-" for standard input. */
  file: string;
  range: Range;
  fixes: Fix[];
}

/** Fix gives the title of a possible repair of the block. */
export interface Fix {
  title: string;
  /** Whether the fix is certain, so that `--fix` makes it without a question. */
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
 * Request to the client: OfferParams -> OfferResult. An agent wants to change files:
 * the client shows the change and asks the person. It is sent only if the client has
 * `offers` in its initializationOptions; other clients get window/showMessageRequest.
 */
export const MethodOffer = "aptix/offer";

/**
 * Notification to the client: PreviewResult. An agent shows a possible change without a
 * question. Like aptix/offer, only for clients with `offers`.
 */
export const MethodShow = "aptix/show";

/**
 * Notification to the client: AgentChange. An agent changed files. Like aptix/offer,
 * only for clients with `offers`.
 */
export const MethodAgentChange = "aptix/agentChange";

/** Notification: ActiveParams. The active document changed. */
export const MethodActive = "aptix/active";

/** ToolParams calls a tool. */
export interface ToolParams {
  name: string;
  /** An object that conforms to the tool's schema. */
  arguments: unknown;
}

/** ToolResult is the result of every tool (rule R33). Every key is always present. */
export interface ToolResult {
  /**
   * Whether the tool did its job. Errors that the caller can fix, and a person's refusal,
   * count as results, too.
   */
  successful: boolean;
  /** The reasons for the failure; empty if successful. */
  errors: ToolMessage[];
  warnings: ToolMessage[];
  /**
   * A value that conforms to the tool's output schema; null if there is nothing to
   * report.
   */
  result: unknown;
}

/** ToolMessage is a sentence for the model. */
export interface ToolMessage {
  /** Stable, in kebab case. If the message is a diagnostic, the code of the diagnostic. */
  code: string;
  message: string;
}

/** OfferParams describes a change that an agent wants to make. */
export interface OfferParams {
  /** The name that the agent gives; may be empty. */
  agent: string;
  preview: PreviewResult;
  /** The text of the question, with the warnings. */
  question: string;
}

/** OfferResult is the person's answer. */
export interface OfferResult {
  accepted: boolean;
}

/**
 * AgentChange describes a change that an agent made, either with the person's agreement or
 * because the settings require none.
 */
export interface AgentChange {
  /** The name that the agent gives; may be empty. */
  agent: string;
  /** The id of the change in the history, to revert it; empty if the change is not there. */
  id: string;
  /** A summary, such as `Applied 3 files +10 −2`. */
  message: string;
}

/** ActiveParams names the document in the active editor; empty for none. */
export interface ActiveParams {
  uri: string;
}

