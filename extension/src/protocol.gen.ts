// Code generated from protocol/*.go by `make gen`. DO NOT EDIT.

/**
 * MethodAddress is a request: AddressParams -> AddressResult. For each code block of a text without edits, it returns
 * the files to which the block may belong.
 */
export const MethodAddress = "aptix/address";

/**
 * AddressParams names a text without edits. If Chosen is empty, the result lists the files to which its code blocks may
 * belong. Otherwise it is a copy of the text, in which each chosen block names its file.
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

/** AddressResult lists the code blocks of a text, or has the copy of the text that names the chosen files. */
export interface AddressResult {
  blocks: Unaddressed[];
  /** The copy of the text, for a preview; empty if nothing was chosen. */
  text: string;
}

/** Unaddressed is a code block that does not name a file. */
export interface Unaddressed {
  /** The block's first line, counted from 0. */
  line: number;
  /** The question for a person: which file is the block for? */
  title: string;
  /** The possible files, the likeliest first. */
  files: Addressee[];
}

/** Addressee is a file to which a code block may belong. */
export interface Addressee {
  path: string;
  /** The file in words for a person, such as `src/a.ts: has 3 of 5 lines`. */
  text: string;
}

/**
 * Batch describes a line patch with the ids that Aptix assigned to it (rules L24 and L25). The patch was applied, or
 * its changes were already in the files. Parts that a person left out are missing. Keys, labels and descriptions come
 * from the patch and are absent if the patch has none. Ids in the patch itself are ignored.
 */
export interface Batch {
  /** A UUIDv7 in lower case, like every id here. */
  batchId: string;
  batchKey?: string;
  batchLabel?: string;
  files: FilePatch[];
}

/** FilePatch has the changes of one file. */
export interface FilePatch {
  filePatchId: string;
  fileKey?: string;
  docPath: string;
  /** The file that the docPath names, relative to the workspace root, with forward slashes. */
  path: string;
  fileLabel?: string;
  /** The checksum that the patch gives for the file before the changes. */
  originalSha256: string;
  /** The checksum of the resulting file: of its bytes, or of the text that an editor has open. */
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
  /** For an insertion, the line after which the new lines are inserted; 0 for the top of the file. */
  afterLine?: number;
  /** For other operations, the first and the last of the old lines. */
  startLine?: number;
  endLine?: number;
  expectedOriginalLines?: string[];
  newLines?: string[];
}

/** PatchChangeInfo is the history's information about an id from a line patch: a batchId, a filePatchId or a changeId. */
export interface PatchChangeInfo {
  id: string;
  of: PatchPart;
  /**
   * The line patch, without the parts that ID does not name: for a filePatchId, Batch has only that file; for a
   * changeId, it has only that change in its file.
   */
  batch: Batch;
  status: PatchStatus;
  /** The id of the apply in the history, its time (RFC 3339, UTC), and the absolute path of the workspace root. */
  apply: string;
  time: string;
  root: string;
  /** The current state of the files in Batch, in the same order. */
  files: PatchedFile[];
}

/** PatchPart names a level of a line patch. */
export type PatchPart = "batch" | "file" | "change";

/** PatchStatus is the state of an apply. */
export type PatchStatus = "applied" | "reverted";

/** PatchedFile is the current state of a file that a line patch changed. */
export interface PatchedFile {
  /** Relative to the workspace root. */
  path: string;
  standing: PatchStanding;
}

/** PatchStanding compares a file with the results of an apply. */
export type PatchStanding = "left" | "undone" | "edited" | "unknown";

/** MethodBlocks is a request: BlocksParams -> Blocks. It returns the parts of a reply, to list them in a view. */
export const MethodBlocks = "aptix/blocks";

/** BlocksParams names an open document. */
export interface BlocksParams {
  uri: string;
}

/**
 * MethodPartsAt is a request: PartsAtParams -> PartsAt. It returns the parts of a reply that produce a hunk, or a file,
 * of its preview.
 */
export const MethodPartsAt = "aptix/partsAt";

/** PartsAtParams names a place in the preview of a reply. */
export interface PartsAtParams {
  target: Target;
  /** The URI of a side of a PreviewFile. */
  document: string;
  /** A line of Document, counted from 0. */
  line: number;
  /** Whether to return the parts for the whole file, instead of the parts for the hunk at Line. */
  file: boolean;
}

/**
 * PartsAt lists the parts of the reply at a place in its preview. Each part is given as the argument with which
 * aptix.skip leaves it out.
 */
export interface PartsAt {
  parts: SkipParams[];
  /** If there are no parts, the reason in words for a person. */
  message: string;
}

/** Blocks lists the blocks of a document in order. */
export interface Blocks {
  blocks: ListedBlock[];
  /** Other parts of the document that could change a file but that no format reads. */
  unread: ListedUnread[];
}

/** ListedUnread is a row of the view for an unread part of a reply. Its text is plain and not escaped. */
export interface ListedUnread {
  /** A description, such as `a shell command that writes src/new.ts`. */
  text: string;
  /** Whether Aptix asks the person about this part before it applies the rest of the reply. */
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
  /** The text of the block's code lens, such as `3 files +10 −2`. */
  text: string;
  /** The line on which the block begins, counted from 0. */
  line: number;
  /** Skipped: the person left out all files of the block. Optional: the person may change this choice. */
  skipped: boolean;
  optional: boolean;
  /** The files of the block, or its changes if it changes a file several times. */
  parts: ListedPart[];
}

/** ListedPart is a row for a file of a block, or for a hunk of a file. */
export interface ListedPart {
  /** The number of the part, counted as in SkipParams. */
  part: number;
  /** The path of a file, or the kind and position of a hunk, such as `hunk 2, lines 9 to 10`. */
  name: string;
  /** Whether the person left the part out. If true, Text and Problem are empty. */
  skipped: boolean;
  /** Whether the person may leave the part out, or include it again. */
  optional: boolean;
  /** The effect of the part, such as `modify +3 −1`; empty if unknown. */
  text: string;
  /** The first error in the part, or else the first warning; empty if there is neither. */
  problem: string;
  /** Whether Problem is an error. */
  failed: boolean;
  /** The line on which the part begins, counted from 0. */
  line: number;
  /** The hunks of a file, if it has several. Some formats have a different name for their hunks. */
  parts: ListedPart[];
}

/** Request: ChatSession -> ChatAnswer: the last answer in a chat session. */
export const MethodChatAnswer = "aptix/chatAnswer";

/** Request: ChatAsk -> ChatPrompt: the messages for the model when a person writes to the participant @aptix. */
export const MethodChatPrompt = "aptix/chatPrompt";

/** Request: ChatDraft -> ChatCheck: checks the model's answer so far. */
export const MethodChatCheck = "aptix/chatCheck";

/** ChatScheme is the URI scheme of documents that contain the answer of a chat. */
export const ChatScheme = "aptix-chat";

/**
 * Commands of the editor, with a Target as their argument. CommandSendToChat puts the reply's problems into the
 * chat input. CommandFixChat lists the fixes of an answer.
 */
export const CommandSendToChat = "aptix.chat.send";

export const CommandFixChat = "aptix.chat.fix";

/** ChatSession is a chat session as exported by `workbench.action.chat.export`. */
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
  /** The number of Aptix blocks in the answer, including blocks that are still being written. */
  blocks: number;
}

/** ChatState is the progress of an answer. */
export type ChatState = "streaming" | "complete" | "stopped";

/** ChatRole is the writer of a message. */
export type ChatRole = "user" | "assistant";

/** ChatMessage is one message of a conversation with a model. */
export interface ChatMessage {
  role: ChatRole;
  text: string;
}

/** ChatAsk is a person's message to the participant @aptix. */
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
  /** For the command fix, the session with the answer to correct. */
  session: ChatSession;
}

/** ChatPrompt has the messages for the model. */
export interface ChatPrompt {
  /** Empty if nothing is sent to the model. Note or Answer then gives the reason. */
  messages: ChatMessage[];
  /** URIs of the files whose text is in the messages. */
  files: string[];
  /** Markdown for the person, such as the files that are not sent; may be empty. */
  note: string;
  /** An existing answer that needs no correction. If it is set, Messages is empty. */
  answer: string;
}

/** ChatDraft is an answer of the model, or the first part of an answer. */
export interface ChatDraft {
  text: string;
  /** Whether Text is the whole answer. */
  complete: boolean;
  /** The number of requests to the model to correct its answer. */
  repairs: number;
}

/** ChatCheck describes a ChatDraft. */
export interface ChatCheck {
  blocks: number;
  /** A text for a status bar, such as `2 blocks, 1 error…`; empty if there is no block. */
  status: string;
  /** Markdown for the person, once the answer is complete; empty if there is no block. */
  note: string;
  /** Whether the answer ends inside a block, so that any text appended to it would be shown as part of the block. */
  open: boolean;
  /** The request to the model to correct its answer; empty if the answer is good, or was corrected often enough. */
  feedback: string;
}

/** CommandRevert takes RevertParams and returns RevertResult. */
export const CommandRevert = "aptix.revert";

/** Request: HistoryParams -> History. */
export const MethodHistory = "aptix/history";

/** Request: HistoryEntryParams -> History: one entry, or none if the history lacks it. */
export const MethodHistoryEntry = "aptix/historyEntry";

/**
 * Request: HistoryFilesParams -> PreviewResult: the files of an entry, in the order of the entry, as the entry
 * changed them or as a revert would change them.
 */
export const MethodHistoryFiles = "aptix/historyFiles";

/** Request: ReviewParams -> Review. */
export const MethodReview = "aptix/review";

/** Request: UnseenParams -> Unseen: the changed files that the person may not have looked at since. */
export const MethodUnseen = "aptix/unseen";

/**
 * Notification to the client, without params: the history of the open folders changed, or the state of an entry in
 * the latest result of MethodHistory changed.
 */
export const MethodHistoryChanged = "aptix/historyChanged";

/** History lists the applies and reverts, the latest first. */
export interface History {
  entries: HistoryEntry[];
  /**
   * If the entries are reverted in the listed order: the id of the first entry that cannot be reverted, because its
   * files have changed since. Why gives the reason in words for a person. Both are set only if HistoryParams.After is
   * set.
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
   * The front end: cli, lsp, mcp or agent. For agent, an agent requested the change and a person agreed to it in an
   * editor.
   */
  source: string;
  reverted: boolean;
  /** The current state of the entry's files. */
  state: EntryState;
  /** The id of the reverted entry; empty for the apply of a reply. */
  reverts: string;
  /** Whether only a part of the entry in Reverts was reverted. */
  part?: boolean;
  /**
   * Whether the reverted entry was itself a revert, so that the reply is applied again. Only the language server sets
   * it.
   */
  again?: boolean;
  /** The changed files, each with the state `done`. A rename is listed as a deletion and a creation. */
  files: File[];
}

/**
 * EntryState compares the files of an entry with their state after the entry. Its values can be shown to people as they
 * are.
 */
export type EntryState = "applied" | "undone" | "changed since" | "partly reverted" | "unknown";

/** HistoryParams selects entries of the history. */
export interface HistoryParams {
  /**
   * The URI of a document or a folder, to get only the entries of its workspace folder. Empty for the entries of all
   * open folders.
   */
  uri: string;
  /** The maximum number of entries over all folders; 0 for no limit. */
  limit: number;
  /** Words to search for, in upper or lower case. An entry must have each word in its label or in the path of a file. */
  words?: string;
  /**
   * The URI of a file or a folder. If it is set, the result has only entries that changed this file, or a file in
   * this folder.
   */
  changed?: string;
  /**
   * The id of an entry. If it is set, the result has only the entries that must be reverted to restore the state
   * after that entry, latest first.
   */
  after?: string;
}

/** HistoryEntryParams names one entry. */
export interface HistoryEntryParams {
  /** Empty for the latest apply that was not reverted, in any of the open folders. */
  id: string;
}

/** HistoryFilesParams selects the entry whose files are shown. */
export interface HistoryFilesParams {
  id: string;
  /** Whether to return the effect of a revert on the current files, instead of the effect of the entry. */
  revert: boolean;
  /** With revert: merge files that have been edited since, if possible. */
  merge: boolean;
}

/** RevertParams names the entry to revert. */
export interface RevertParams {
  /** Empty for the latest apply that was not reverted, in any of the open folders. */
  id: string;
  /**
   * Keep later edits in files that are no longer as the apply left them. If there are later edits, and merge is false
   * or any of these files cannot be merged, nothing is written.
   */
  merge: boolean;
  /** Whether the person has already agreed and has seen the files, so that no setting causes another question. */
  asked?: boolean;
  /** Revert only this part of the entry, and keep all later edits. */
  part?: EntryPart;
}

/** EntryPart is a hunk of an entry: a run of changed lines, or a file that was created. */
export interface EntryPart {
  path: string;
  /** The number of the hunk in the file, counted from 0. */
  hunk: number;
}

/** ReviewParams names the entry whose hunks are listed. */
export interface ReviewParams {
  /** Empty for the latest apply that was not reverted, in any of the open folders. */
  id: string;
}

/** Review lists the hunks of an entry that are still in the files as the entry made them. */
export interface Review {
  /** Empty if there is no entry. */
  id: string;
  hunks: ReviewHunk[];
  /**
   * The changes of the entry that have no place in a file, such as deletions, in words for a person. Empty if there
   * are none.
   */
  elsewhere: string;
}

/** ReviewHunk is a hunk at its place in the current file. */
export interface ReviewHunk {
  uri: string;
  part: EntryPart;
  /**
   * The first line of the hunk and the line after its last line, counted from 0. They are the same if the hunk only
   * removed lines.
   */
  line: number;
  end: number;
  /** The lines that the hunk replaced; empty if it only added lines. */
  was: string;
}

/** UnseenParams selects changed files. */
export interface UnseenParams {
  /** The id of an entry. Only changes after that entry count. If the id is empty, all changes count. */
  since: string;
}

/**
 * Unseen lists the files that were created or modified after an entry by applies that are still in force. Each file has
 * the latest of these applies.
 */
export interface Unseen {
  /** The id of the latest entry; empty if there is none. */
  last: string;
  files: UnseenFile[];
}

/**
 * UnseenFile is a changed file that the person has not looked at since. ID is the id of the apply that changed the
 * file.
 */
export interface UnseenFile {
  uri: string;
  id: string;
}

/** RevertResult reports on a revert. Every key except lasting and warnings is always present. */
export interface RevertResult {
  /** Whether this call changed files, and the changes were not rolled back. */
  applied: boolean;
  /** Whether every file was read back and is as it was before the apply. */
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
  /** Files that are not as the apply left them. If there are any, nothing was written unless they were merged. */
  conflicts: RevertConflict[];
  message: string;
  /**
   * The part of Message about effects that an undo in the editor does not revert; absent if an undo reverts
   * everything.
   */
  lasting?: string;
  /** As in ApplyResult. */
  warnings?: ToolMessage[];
}

/** RevertConflict is a file that is not as an apply left it. */
export interface RevertConflict {
  path: string;
  /** The reason for the conflict, worded to follow the path in a sentence. */
  why: string;
  /** Whether the revert is still possible if it keeps the later edits of the file. */
  mergeable: boolean;
  /** The ranges of whole lines that the apply changed and that have been edited since. */
  clashes: Range[];
}

export const CommandApply = "aptix.apply";

export const CommandPreview = "aptix.preview";

/**
 * CommandCheck shows the blocks of all formats in a document until it is closed, even if the document does not
 * count as a reply. It returns nothing.
 */
export const CommandCheck = "aptix.check";

/**
 * CommandDismiss hides the blocks and problems of an open document until the document is closed or CommandCheck
 * shows them again. It returns nothing.
 */
export const CommandDismiss = "aptix.dismiss";

/** CommandFeedback returns a FeedbackResult: the reply's problems, as text to send to the model that wrote it. */
export const CommandFeedback = "aptix.feedback";

/** CommandSkip takes SkipParams and returns nothing. */
export const CommandSkip = "aptix.skip";

/** Request: Target -> PreviewResult: the changes that an apply of the target would make. */
export const MethodPreview = "aptix/preview";

/** Request: ContentParams -> ContentResult: the text of a virtual document of a preview. */
export const MethodContent = "aptix/content";

/** Notification to the client: Status, after each check of a document. */
export const MethodStatus = "aptix/status";

/**
 * Request to the client: QuestionParams -> QuestionResult. The person requested a change and must agree to it
 * first. The request is sent only if the client has `offers` in its initializationOptions; other clients get
 * window/showMessageRequest.
 */
export const MethodQuestion = "aptix/question";

/**
 * Request to the client: DocumentsParams -> DocumentsResult: the open documents among the named files, with the
 * version and checksum of each. It is sent after an edit, for the edited files, and only if the client has
 * `documents` in its initializationOptions.
 */
export const MethodDocuments = "aptix/documents";

/** Request: no params -> InstallResult: installs the program as the shell command `aptix`. */
export const MethodInstallCommand = "aptix/installCommand";

/** PreviewScheme is the URI scheme of the virtual documents of a preview. */
export const PreviewScheme = "aptix-preview";

/**
 * Target is the object of a command: a block of an open document, or a text outside any document, such as the clipboard
 * or a selection.
 */
export interface Target {
  /** The reply's document. If Text is set, URI only selects the workspace folder and may be empty. */
  uri: string;
  /** The number of the block, counted from 1; null for all blocks, as one transaction. */
  block: number | null;
  /**
   * A place in the document, instead of Block. It selects the block at that place, or all blocks if there is no block
   * at that place. Messages name the selected blocks.
   */
  at?: Position;
  /** The reply itself, if it does not come from a document. */
  text?: string;
  /**
   * Leave out the parts that cannot be applied: replacements whose find is not in the file, as with the setting
   * aptix.missingFind, and blocks with errors. The person is asked before the apply, and the question names these
   * parts.
   */
  skipMissing?: boolean;
  /** Make all certain fixes first, in the document if the editor allows edits in it. */
  fix?: boolean;
  /** Whether no editor shows the text, so that the person is asked before the text is applied. */
  unseen?: boolean;
  /** The id of an apply, for a preview: shows the effect of that apply instead of the effect of the document. */
  applied?: string;
  /**
   * The token of an earlier QuestionParams whose question the person answered with yes. It answers the same question
   * about the same reply, but only once.
   */
  agreed?: string;
  /** Texts that the person wrote in a preview, to apply in place of the reply's. */
  edited?: EditedFile[];
}

/** EditedFile is the text of a file after an apply, as a person edited it. */
export interface EditedFile {
  /** The path, as in the URI of the right side of a PreviewFile. */
  path: string;
  /**
   * The text on the right side before the person edited it. If the reply would produce a different text now, nothing
   * is applied.
   */
  was: string;
  text: string;
}

/** QuestionParams asks a person about a change. The texts are plain and safe to show. */
export interface QuestionParams {
  /** The whole question, as clients without `offers` show it. */
  question: string;
  /** The token for Target.Agreed that identifies this question. Only this request reveals it. */
  token: string;
  /** The first line of the question, such as `Apply 3 files +10 −2?`. */
  title: string;
  files: File[];
  /** The reasons for the question, one sentence each; empty if only the setting or the kind of the change requires it. */
  reasons: string[];
  /** The label of the button that agrees, such as `Apply`. */
  button: string;
}

/** DocumentsParams names files that may be open. */
export interface DocumentsParams {
  uris: string[];
}

/** DocumentsResult has the requested documents that are open. */
export interface DocumentsResult {
  documents: OpenDocument[];
}

/** OpenDocument identifies the text of a document at the time of the editor's response. */
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

/** SkipMode is a choice about a part of a block, or about all its other parts. */
export type SkipMode = "skip" | "only" | "include" | "missing" | "required" | "allow" | "ask";

/**
 * SkipParams leaves a part of a block out, such as a file or a hunk, or includes it again. The choice holds for every
 * preview and apply of the block's text in the workspace, even by an agent, until the part is included again.
 * SkipNoQuestion holds until the block is applied.
 */
export interface SkipParams {
  uri: string;
  /** Counted from 1. */
  block: number;
  /**
   * Counted from 0 over the files of the block and the hunks in each, as in code lenses; -1 for all files of the
   * block.
   */
  part: number;
  mode: SkipMode;
}

/**
 * ApplyResult is the result of aptix.apply. Lasting, batches, warnings and the keys of Ways are absent if they are
 * empty or false. Every other key is always present.
 */
export interface ApplyResult extends Ways {
  /** Whether this call changed files, and the changes were not rolled back. */
  applied: boolean;
  /** Whether every file was read back and is as planned. */
  verified: boolean;
  /** Whether a partial result was rolled back. */
  rolledBack: boolean;
  id: string;
  files: File[];
  /**
   * Paths of files that are not as planned and were left as they are, because another program or a person changed
   * them.
   */
  left: string[];
  message: string;
  /**
   * The part of Message about effects that an undo in the editor does not revert; absent if an undo reverts
   * everything.
   */
  lasting?: string;
  /**
   * The line patches that were applied or whose changes were already in the files, with their ids; absent if there
   * are none.
   */
  batches?: Batch[];
  /** Problems that are not about the change itself, such as a failed upload to the file set; absent if there are none. */
  warnings?: ToolMessage[];
}

/**
 * Ways lists what a person can do after a refusal, or next to a preview. After a refusal, it is set only if the client
 * has `offers` in its initializationOptions; other clients get window/showMessageRequest.
 */
export interface Ways {
  /** Whether a part of the reply can be applied with skipMissing in the target. */
  rest?: boolean;
  /**
   * Whether the reply can be applied with fix in the target, because each error of the refused blocks has a certain
   * fix.
   */
  fixable?: boolean;
  /** Whether the reply has problems, so that aptix.feedback returns a text about them for the model. */
  problems?: boolean;
  /** Whether the text has no block, so that aptix.feedback returns a request for a bundle. */
  noBlock?: boolean;
  /** Whether the text has code but no block, so that aptix/address returns the files to which the code may belong. */
  code?: boolean;
}

/** FeedbackResult is the result of aptix.feedback. */
export interface FeedbackResult {
  /** A text for the clipboard; empty if there is no problem. */
  text: string;
}

/** PreviewResult is a multi-file diff. */
export interface PreviewResult extends Ways {
  title: string;
  /** The reason why there is nothing to show, or the blocks that are not shown; empty otherwise. */
  message: string;
  files: PreviewFile[];
  /** Whether the files show a finished apply, so that there is nothing to apply. */
  applied?: boolean;
}

/**
 * PreviewFile is one row of a multi-file diff. Left and Right are URIs of virtual documents. Left is empty for a
 * created file, Right for a deleted file.
 */
export interface PreviewFile {
  /** The URI of the real file. The editor takes the name and the language of the row from it. */
  resource: string;
  left: string;
  right: string;
  /**
   * The URI of a virtual document with the text that the apply left. It is set if later edits of the file clash with
   * the revert of the apply.
   */
  base?: string;
}

/** ContentParams names a virtual document. */
export interface ContentParams {
  uri: string;
}

/** ContentResult is the text of a virtual document. */
export interface ContentResult {
  text: string;
}

/** InstallResult is the result of aptix/installCommand. */
export interface InstallResult {
  /** Whether a shell now finds the link: its folder is in PATH, and no folder before it has another `aptix`. */
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
  /** The number of blocks that are cut off, or still being written. */
  incomplete: number;
  /**
   * A text for people, such as `3 files +10 −2`. It also tells how the files have changed since the apply: `3 files
   * +10 −2 (undone)`, `already applied (changed since)`.
   */
  text: string;
  /** Whether an editor may mistake marks of the blocks for marks of merge conflicts. */
  conflicts: boolean;
}

/** Report is the output of `--json`: the contents of a reply and the results. */
export interface Report {
  /** Whether this run changed files, and the changes were not rolled back. */
  applied: boolean;
  /** The id of this apply in the history; empty if nothing was applied. */
  id: string;
  blocks: Block[];
  /** Other parts of the reply that could change a file but that no format reads; empty if the reply has no block. */
  unread: Unread[];
  /** Whether the reply has no block, but states that no safe edit can be made. */
  declined: boolean;
}

/** UnreadKind is the apparent kind of an unread part of a reply. */
export type UnreadKind = "shell" | "fence" | "diff" | "tool-call" | "tag" | "pair" | "instruction";

/** Unread is a part of a reply that could change a file but that no format reads. */
export interface Unread {
  /** The 1-based line of the reply on which the part begins. */
  line: number;
  kind: UnreadKind;
  /** Relative to the workspace root, with forward slashes; empty if the part names no file. */
  path: string;
  /** A message, such as `not read: line 40, a shell command that writes src/new.ts`. */
  message: string;
  /** Whether the part certainly changes a file, so that Aptix asks the person before it applies the rest of the reply. */
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
  /** The 1-based line on which the block begins. If it has a fence, that is the line of the fence. */
  line: number;
  state: BlockState;
  files: File[];
  diagnostics: Diagnostic[];
  /** The line patch with its ids, if it was applied or its changes were already in the files; otherwise absent. */
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
  /** The number of lines that a line diff adds and removes. */
  added: number;
  removed: number;
}

/** Diagnostic is one message about a block. */
export interface Diagnostic {
  severity: string;
  /** Whether the diagnostic is a doubt: a warning about which Aptix asks the person before an apply. */
  asks: boolean;
  code: string;
  message: string;
  /** The reply's own file name, or "-" for standard input. */
  file: string;
  range: Range;
  fixes: Fix[];
}

/** Fix is the title of a possible repair of the block. */
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

/** Range is half-open: the end is not part of it. */
export interface Range {
  start: Position;
  end: Position;
}

/** Request: ToolParams -> ToolResult. */
export const MethodTool = "aptix/tool";

/**
 * Request to the client: OfferParams -> OfferResult. An agent wants to change files: the client shows the change
 * and asks the person. The request is sent only if the client has `offers` in its initializationOptions; other
 * clients get window/showMessageRequest.
 */
export const MethodOffer = "aptix/offer";

/**
 * Request: OfferPartsParams -> OfferParams. The person leaves parts of an offered change out, or includes them
 * again. The result is the new offer.
 */
export const MethodOfferParts = "aptix/offerParts";

/**
 * Notification to the client: PreviewResult. An agent shows a possible change without a question. Like aptix/offer,
 * it is sent only if the client has `offers`.
 */
export const MethodShow = "aptix/show";

/**
 * Notification to the client: AgentChange. An agent changed files. Like aptix/offer, it is sent only if the client
 * has `offers`.
 */
export const MethodAgentChange = "aptix/agentChange";

/** Notification: ActiveParams. The active document changed. */
export const MethodActive = "aptix/active";

/** ToolParams calls a tool. */
export interface ToolParams {
  name: string;
  /** The arguments, as an object that conforms to the tool's schema. */
  arguments: unknown;
}

/** ToolResult is the result of every tool (rule R33). Every key is always present. */
export interface ToolResult {
  /**
   * Whether the tool did its job. It is false after a mistake that the caller can correct, or a person's refusal:
   * neither is an error of the protocol.
   */
  successful: boolean;
  /** The reasons for the failure; empty if successful. */
  errors: ToolMessage[];
  warnings: ToolMessage[];
  /** A value that conforms to the tool's output schema; null if there is nothing to report. */
  result: unknown;
}

/** ToolMessage is a sentence for the model. */
export interface ToolMessage {
  /** Stable, and in kebab case. For a diagnostic, it is the code of the diagnostic. */
  code: string;
  message: string;
}

/** OfferParams describes a change that an agent wants to make. */
export interface OfferParams {
  /** The name that the agent gives itself; may be empty. */
  agent: string;
  preview: PreviewResult;
  /** The text of the question, with the warnings. */
  question: string;
  /** The token of the offer for OfferPartsParams; empty if the change is made as a whole or not at all. */
  token: string;
  /** The blocks of the agent's text, whose parts can be left out. */
  blocks: ListedBlock[];
}

/**
 * OfferPartsParams leaves parts of an offered change out, or includes them again. Document, Line and File name the
 * parts by a place in the preview (see PartsAtParams). If Document is empty, Changes names the parts, and its URIs are
 * ignored.
 */
export interface OfferPartsParams {
  token: string;
  document: string;
  line: number;
  file: boolean;
  changes: SkipParams[];
}

/** OfferResult is the person's answer. */
export interface OfferResult {
  accepted: boolean;
}

/**
 * AgentChange describes a change that an agent made, either with the person's agreement or because the settings require
 * none.
 */
export interface AgentChange {
  /** The name that the agent gives itself; may be empty. */
  agent: string;
  /** The id of the change in the history, to revert it; empty if the history does not have the change. */
  id: string;
  /** A summary, such as `Applied 3 files +10 −2`. */
  message: string;
}

/** ActiveParams names the document in the active editor. The name is empty if no document is active. */
export interface ActiveParams {
  uri: string;
}

