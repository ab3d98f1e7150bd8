package diag

// The problems of paths, roots and files in any format.
const (
	PathEmpty        Code = "path-empty"
	PathControl      Code = "path-control-character"
	PathAbsolute     Code = "path-absolute"
	PathBackslash    Code = "path-backslash"
	PathParent       Code = "path-parent"
	PathGit          Code = "path-git"
	PathDirectory    Code = "path-is-directory"
	PathNotClean     Code = "path-not-clean"
	PathBlanks       Code = "path-blanks"
	PathInvisible    Code = "path-invisible"
	PathTwice        Code = "path-twice"
	PathOutside      Code = "path-outside-root"
	PathParentFile   Code = "path-parent-is-file"
	PathUnusable     Code = "path-unusable"
	PathSameFile     Code = "path-same-file"
	PathNotRegular   Code = "path-not-regular"
	PathSymlink      Code = "path-is-symlink"
	PathRepeatsRoot  Code = "path-repeats-root"
	PathProtected    Code = "path-protected"
	RootInvalid      Code = "root-invalid"
	RootNotWorkspace Code = "root-not-workspace"
	FileExists       Code = "file-exists"
	FileMissing      Code = "file-missing"
	ReplaceMissing   Code = "replace-missing"
	FileBinary       Code = "file-binary"
	FileTooLarge     Code = "file-too-large"
	ReplyTooLarge    Code = "reply-too-large"
	Overlap          Code = "overlap"
	UnsavedText      Code = "unsaved-text"
	NotebookBroken   Code = "notebook-broken"
	NotebookOpen     Code = "notebook-open"
	PathCase         Code = "path-case"
	PathProject      Code = "path-project-prefix"
	CopiedText       Code = "copied-text"
	TextArtifact     Code = "text-artifact"
	Omission         Code = "omission-placeholder"
	Declined         Code = "declined"
	Unread           Code = "unread"
	NoWorkspace      Code = "no-workspace"
	MixedEndings     Code = "mixed-line-endings"
	FileType         Code = "file-type"
	FileMode         Code = "file-mode"
	FileSetuid       Code = "file-setuid"
	FileGone         Code = "file-gone"
	DeleteLeaves     Code = "delete-leaves-content"
	DeleteChanged    Code = "delete-after-change"
	LinkOutside      Code = "link-outside-root"
	SourceUnsure     Code = "source-unsure"
	BaseRecovered    Code = "made-for-earlier-text"
	BaseConflict     Code = "earlier-text-conflict"
	DocPathUnknown   Code = "doc-path-unknown"
	DocPathAmbiguous Code = "doc-path-ambiguous"
)

var planDocs = []Doc{
	{PathEmpty, Error, "A path is empty ([R13](formats/README.md#r13)).", `"path": ""`, `"path": "src/app.ts"`, ""},
	{PathControl, Error, "A path has a control character, mostly because JSON reads a backslash as the beginning of an escape ([R13](formats/README.md#r13)).", `"path": "src\new.ts"`, `"path": "src/new.ts"`, ""},
	{PathAbsolute, Error, "A path is absolute, or begins with a drive, a share, `~` or a URL's scheme ([R13](formats/README.md#r13)). Paths are relative to the root.", `"path": "/home/me/project/a.txt"`, `"path": "a.txt"`, "Writes the path relative to the root, if it is below the root."},
	{PathBackslash, Error, "A path has backslashes; names are separated by `/` ([R13](formats/README.md#r13)).", `"path": "src\\app.ts"`, `"path": "src/app.ts"`, "Writes slashes."},
	{PathParent, Error, "A path has `..` ([R13](formats/README.md#r13)).", `"path": "src/../a.txt"`, `"path": "a.txt"`, "Writes the path without `..`, if it stays below the root."},
	{PathGit, Error, "A path is below `.git`, or in another folder that is or would become a git repository: one with `HEAD`, `objects` and `refs`, or one to which a file `.git` leads ([R16](formats/README.md#r16)). Such a folder is never written, because git runs programs that its configuration names.", `"path": ".git/config"`, "", ""},
	{PathDirectory, Error, "A path names a folder where a file is needed ([R13](formats/README.md#r13)).", `"path": "src/"`, `"path": "src/app.ts"`, ""},
	{PathNotClean, Warning, "A path has a leading `./` or a doubled slash ([R14](formats/README.md#r14)).", `"path": "./a.txt"`, `"path": "a.txt"`, "Writes the plain path."},
	{PathBlanks, Warning, "A path begins or ends with white space ([R14](formats/README.md#r14)).", `"path": "a.txt "`, `"path": "a.txt"`, "Removes the white space."},
	{PathInvisible, Warning, "A path has invisible characters: bidirectional controls, which show the path in another order, or characters of no width ([R40](formats/README.md#r40)). Messages show them as escapes.", `"path": "src/\u202egpj.exe"`, `"path": "src/exe.jpg"`, ""},
	{PathTwice, Warning, "A block has the same path twice ([B12](formats/bundle.md#b12)). Its entries apply in order.", "two entries for `a.txt`", "one entry for `a.txt`", ""},
	{PathOutside, Error, "A symbolic link on the path leads out of the root, or the path is in the folder in which Aptix keeps its own state ([R15](formats/README.md#r15)).", `"path": "link/passwd"`, "", ""},
	{PathParentFile, Error, "A folder on the path is a file ([R13](formats/README.md#r13)).", `"path": "README.md/a.txt"`, "", ""},
	{PathUnusable, Error, "The file system cannot use the path: a name is too long, links form a circle, or Windows has a device or a stream of that name ([R48](formats/README.md#r48)).", `"path": "src/aux.ts"` + " on Windows", `"path": "src/auxiliary.ts"`, ""},
	{PathSameFile, Error, "Two new paths of a reply are the same file or folder on this file system, which ignores case, or the encoding of accents ([R48](formats/README.md#r48)). The other path is shown, too. A rename to such another spelling would do nothing.", `"path": "src/App.ts"` + "\n" + `"path": "src/app.ts"`, `"path": "src/App.ts"`, "Writes the spelling of the path that comes first."},
	{PathNotRegular, Error, "The path names a pipe, a socket or a device.", "", "", ""},
	{PathSymlink, Error, "A delete names a symbolic link ([R15](formats/README.md#r15)).", "", "", ""},
	{PathRepeatsRoot, Error, "The path repeats the root, and there is no such doubled folder ([R25](formats/README.md#r25)).", `"root": "./src"` + "\n" + `"path": "src/a.txt"`, `"root": "."` + "\n" + `"path": "src/a.txt"`, "Makes the root the workspace, or removes the root from the path."},
	{PathProtected, Error, "A program may run the file, or git ignores it: see the [protected files](protected.md) and [R17](formats/README.md#r17). The message says why; one diagnostic can be for several files of a folder. An editor asks before it writes them, unless the person chose *Allow for this reply*. In a folder that git ignores as a whole, the editor asks but underlines nothing. The command line needs `--allow-protected`.", `"path": ".vscode/tasks.json"`, "", ""},
	{RootInvalid, Error, "The root is not a relative path below the workspace ([R24](formats/README.md#r24)).", `"root": "/home/me/project"`, `"root": "."`, "Writes the root, or the paths below it, relative to the workspace."},
	{RootNotWorkspace, Warning, "The root is neither `.` nor `./src`, or it is `./src` and paths are below `tests/` ([R25](formats/README.md#r25)).", `"root": "docs"` + "\n" + `"path": "a.md"`, `"root": "."` + "\n" + `"path": "docs/a.md"`, "Makes the root `.` and puts the folder before every path."},
	{FileExists, Error, "`create` names a file that exists with other content ([B4](formats/bundle.md#b4)).", `"operation": "create"`, `"operation": "replace"`, "Changes the operation to `replace`."},
	{FileMissing, Error, "The patch is for a file that does not exist ([B7](formats/bundle.md#b7), [S2](formats/structured.md#s2), [G37](formats/git.md#g37)), or nothing says that a whole file is new ([F11](formats/file-tags.md#f11)).", `"path": "SRC/app.ts"`, `"path": "src/app.ts"`, "Writes the path of a file that is probably meant: its path differs only in case or in few letters, lacks the project folder, or has the same name in another folder."},
	{ReplaceMissing, Warning, "`replace` names a file that does not exist; the file is created ([B5](formats/bundle.md#b5)).", `"operation": "replace"`, `"operation": "create"`, "Changes the operation to `create`."},
	{FileBinary, Error, "The file is not text in UTF-8, or in UTF-16 with a byte order mark ([R20](formats/README.md#r20)). A file in another encoding can be edited while it is open in an editor that knows the encoding.", "", "", ""},
	{FileTooLarge, Error, "The file is larger than the size that can be edited.", "", "", ""},
	{ReplyTooLarge, Error, "The reply exceeds a limit: it has too many blocks, its files together are too large, or searching them takes too much work ([R45](formats/README.md#r45)). The message says where the reply was cut off. Nothing is applied; send the reply in parts.", "", "", ""},
	{NoWorkspace, Error, "The paths have no root, because the editor has no folder open, or the folder of the reply is not on a disk of this machine (as with `vscode-vfs:`, a repository on a server).", "", "", ""},
	{Declined, Info, "The reply has no block, but it says that no safe edit can be made ([R7](formats/README.md#r7)).", "A patch cannot be safely generated with the information provided.", "", "Copies a request for a full file bundle."},
	{Unread, Warning, "Besides its blocks, the reply has a part that could change a file but that no format reads: a code block for a file, a diff that names no file, a shell command, a call of an unknown tool, a pair of an old and a new text, or a sentence that asks for an edit ([R55](formats/README.md#r55)). The message asks if the part surely changes a file of the workspace, and only informs if it may be a sample.", "`rm src/old.ts` in a `sh` fence, beside a patch", "`src/old.ts` deleted by the patch", ""},
	{PathCase, Warning, "A new file would be next to one whose name differs only in case.", `"path": "SRC/app.ts"`, `"path": "src/app.ts"`, "Writes the path of the file that exists."},
	{PathProject, Warning, "The path begins with the name of the project folder, and the project has no folder with that name.", `"path": "myproject/src/app.ts"`, `"path": "src/app.ts"`, "Removes the folder's name."},
	{TextArtifact, Warning, "Something on its way has probably changed the new text: it has line numbers, quote marks, colors of a terminal, entities, escapes, a fence, signs of a diff or another indentation. The evidence is a comparison with the replaced lines; a new file asks only if nothing else explains its text ([R56](formats/README.md#r56), [the table](matching.md)).", "src/app.py\n```python\n1 | def f():\n2 |     return 1\n```", "src/app.py\n```python\ndef f():\n    return 1\n```", "Writes the text of a whole file without these changes."},
	{CopiedText, Warning, "The new text was copied from a web page: it has no-break spaces in its indentation, or characters of no width, and the file has none; or a whole file begins with buttons such as `Copy` ([R50](formats/README.md#r50), [R54](formats/README.md#r54)).", "src/app.py\n```python\ndef f():\n\u00a0\u00a0\u00a0\u00a0return 1\n```", "src/app.py\n```python\ndef f():\n    return 1\n```", "Writes plain spaces in the text of a whole file, or leaves out the buttons."},
	{Omission, Warning, "A line of the new text may stand for lines that would be removed. It is a placeholder such as `// ... rest of code unchanged`, dots, a comment with an ellipsis in any language, or a comment that alone replaces several lines, and the file does not have it ([R57](formats/README.md#r57), [B14](formats/bundle.md#b14), [W9](formats/whole-file.md#w9), [S14](formats/structured.md#s14)).", `"content": "a()\n// ... rest unchanged\n"`, `"content": "a()\nb()\nc()\n"`, "Writes the lines of the file in its place, if nothing else replaces them."},
	{MixedEndings, Warning, "The lines of the file have different endings, but the editor gives every open file a single one ([R18](formats/README.md#r18)). The command line keeps each.", "", "", ""},
	{UnsavedText, Warning, "A file that the block deletes, or writes as a whole, is open in the editor with unsaved text ([R44](formats/README.md#r44)).", "", "", ""},
	{NotebookBroken, Error, "The change would turn a Jupyter notebook into invalid JSON, which no program can open ([R49](formats/README.md#r49)).", `"replace": "print("hi")"`, `"replace": "print(\\\"hi\\\")"`, ""},
	{NotebookOpen, Warning, "The editor has the notebook open, and may save its own content over the change ([R49](formats/README.md#r49)). Close it first if it has unsaved cells.", "", "", ""},
	{Overlap, Warning, "A block changes lines that an earlier block of the reply wrote, or a file that a block of another format also changes ([R9](formats/README.md#r9)). The blocks apply in order.", "a bundle and a patch, both for `a.txt`", "", ""},
	{FileType, Error, "The patch is for a regular file but the path is a symbolic link, or the reverse ([R15](formats/README.md#r15)).", "old mode 120000 for a regular file", "deleted file mode 100644, then new file mode 120000", ""},
	{FileMode, Info, "The file's executable bit differs from the one in the patch, or the patch changes the bit on Windows, which has none ([G3](formats/git.md#g3)). The patch is applied nevertheless, as by git.", "index 1234567..89abcde 100755 for a file that is not executable", "", ""},
	{FileSetuid, Warning, "The file runs with the rights of its owner or group. A change by Aptix removes its set-user-ID and set-group-ID bits ([R41](formats/README.md#r41)).", "", "", ""},
	{FileGone, Error, "The patch edits a file that an earlier entry of the same commit renamed or deleted ([G63](formats/git.md#g63)).", "rename from a.txt, and later --- a/a.txt", "--- a/b.txt, the new name", ""},
	{DeleteLeaves, Error, "The patch deletes a file, but its hunks do not remove all of its lines: it was made for other content ([G37](formats/git.md#g37)).", "deleted file mode 100644 with one of the file's two lines", "a patch that removes both lines", ""},
	{DeleteChanged, Error, "A patch changes or creates a file and deletes it later ([G46](formats/git.md#g46)). Git would delete the file first and then write it, so it would keep the file. Send two patches, or two mails.", "--- a/a.txt\n+++ b/a.txt\n...\n--- a/a.txt\n+++ /dev/null", "", ""},
	{LinkOutside, Error, "A symbolic link would lead out of the workspace root, or nowhere at all ([R15](formats/README.md#r15)).", "new file mode 120000 with the content ../../etc", "a link to a file below the root", ""},
	{BaseRecovered, Warning, "The file lacks the text that the block looks for, but an earlier content of the file has all of it. The change is made to that content and merged with the present text ([R39](formats/README.md#r39)). This happens only with `--fix`; editors offer a quick-fix.", "a find that is in the last commit's text of the file, and not in the present one", "", ""},
	{BaseConflict, Error, "The file lacks the text that the block looks for. An earlier content of the file has all of it, but the change cannot be merged with the present text ([R39](formats/README.md#r39)).", "a find that is in the last commit's text, where the same line was changed since", "a find that is in the present text", ""},
	{DocPathUnknown, Error, "No file of the workspace has this docPath ([R27](formats/README.md#r27)). A docPath is the folder's name and the path in the folder, in lower case, with slashes.", `"docPath": "Project\\A.txt"`, `"docPath": "project/a.txt"`, ""},
	{DocPathAmbiguous, Error, "Two files of the workspace have the same docPath ([R28](formats/README.md#r28)): their paths differ only in case.", "README.md beside readme.md", "", ""},
	{SourceUnsure, Error, "A patch copies or renames a file, and a part of the same commit is already applied. The file's text may no longer be the one for which the patch was made ([G49](formats/git.md#g49)).", "copy from a.txt, beside hunks of a.txt that are applied already", "", ""},
}
