// Code generated from protocol/*.go by `make gen`. DO NOT EDIT.

export const CommandApply = "aptix.apply";

export const CommandPreview = "aptix.preview";

/** CommandFeedback answers a FeedbackResult: the reply's problems as a text for the model that wrote it. */
export const CommandFeedback = "aptix.feedback";

/** Request: PreviewParams -> PreviewResult. */
export const MethodPreview = "aptix/preview";

/** Request: ContentParams -> ContentResult: the text of a virtual document of a preview. */
export const MethodContent = "aptix/content";

/** Notification to the client: Status, after each check of a document. */
export const MethodStatus = "aptix/status";

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
  /** The reply itself, where it is in no document. */
  text?: string;
}

/** ApplyResult is the answer to aptix.apply. Every key is always there. */
export interface ApplyResult {
  /** Whether the tree was changed by this call, and stays so. */
  applied: boolean;
  /** Whether every file was seen to stand as planned. */
  verified: boolean;
  /** Whether a partial result was taken back. */
  rolledBack: boolean;
  id: string;
  files: File[];
  /** Paths of files that do not stand as planned and were left as they are, because somebody else changed them. */
  left: string[];
  message: string;
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

/** Status is the state of one document's blocks, for a status bar. */
export interface Status {
  uri: string;
  /** How many Aptix blocks the document holds. */
  blocks: number;
  /** How many of them can be applied now. */
  ready: number;
  errors: number;
  /** For people, such as `3 files +10 −2`. */
  text: string;
}

/** Report is what `--json` prints: what a reply holds and what became of it. */
export interface Report {
  /** Whether this run changed the tree. */
  applied: boolean;
  /** The id of this apply in the history; empty where nothing was applied. */
  id: string;
  blocks: Block[];
  /** Whether the reply holds no block but says that no safe edit can be made. */
  declined: boolean;
}

/** BlockState is the state of a block. */
export type BlockState = "ready" | "done" | "incomplete" | "error";

/** Block is one Aptix block of a reply. */
export interface Block {
  /** Counted from 1, over the Aptix blocks of the reply only. */
  index: number;
  /** One of bundle, structured, git, ap, lines. */
  format: string;
  /** The 1-based line on which the block begins: its fence, where it has one. */
  line: number;
  state: BlockState;
  files: File[];
  diagnostics: Diagnostic[];
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

