package diag

// The problems of file bundles and structured patches whose JSON is valid.
const (
	BlockNotObject        Code = "block-not-object"
	BothFilesAndPatches   Code = "both-files-and-patches"
	EntryNotObject        Code = "entry-not-object"
	MissingRoot           Code = "missing-root"
	MissingFiles          Code = "missing-files"
	MissingPatches        Code = "missing-patches"
	MissingReplacements   Code = "missing-replacements"
	MissingPath           Code = "missing-path"
	MissingOperation      Code = "missing-operation"
	MissingContent        Code = "missing-content"
	MissingFind           Code = "missing-find"
	MissingReplace        Code = "missing-replace"
	MissingLimit          Code = "missing-limit"
	RootNotString         Code = "root-not-string"
	PathNotString         Code = "path-not-string"
	OperationNotString    Code = "operation-not-string"
	ContentNotString      Code = "content-not-string"
	FindNotString         Code = "find-not-string"
	ReplaceNotString      Code = "replace-not-string"
	LimitNotString        Code = "limit-not-string"
	FilesNotArray         Code = "files-not-array"
	PatchesNotArray       Code = "patches-not-array"
	ReplacementsNotArray  Code = "replacements-not-array"
	EmptyFiles            Code = "empty-files"
	EmptyPatches          Code = "empty-patches"
	EmptyReplacements     Code = "empty-replacements"
	EmptyFind             Code = "empty-find"
	UnknownOperation      Code = "unknown-operation"
	UnknownLimit          Code = "unknown-limit"
	UnknownMember         Code = "unknown-member"
	MisnamedMember        Code = "misnamed-member"
	MisplacedMember       Code = "misplaced-member"
	UnsupportedOption     Code = "unsupported-option"
	ContentNotAllowed     Code = "content-not-allowed"
	ContentIgnored        Code = "content-ignored"
	PatchesNotAllowed     Code = "patches-not-allowed"
	GitPatchPath          Code = "git-patch-path"
	MixedPatchShapes      Code = "mixed-patch-shapes"
	WholeFileInStructured Code = "whole-file-in-structured-patch"
	FindEqualsReplace     Code = "find-equals-replace"
)

var bundleDocs = []Doc{
	{BlockNotObject, Error, "The block is JSON, but not an object with `files` or `patches` ([B1](formats/bundle.md#b1)).", `[{"path": "a.txt", "content": ""}]`, `{"root": ".", "files": [{"path": "a.txt", "content": ""}]}`, "Wraps a list of entries in the missing object; certain if all entries have a known shape."},
	{BothFilesAndPatches, Error, "An object has both `files` and `patches`, but may have only one of them ([R26](formats/README.md#r26)).", `{"root": ".", "files": [...], "patches": [...]}`, `{"root": ".", "files": [...]}`, "Moves the patches into entries of `files`."},
	{EntryNotObject, Error, "An element of `files`, `patches` or `replacements` is not an object ([B1](formats/bundle.md#b1), [S1](formats/structured.md#s1)).", `"files": ["a.txt"]`, `"files": [{"path": "a.txt", "content": ""}]`, ""},
	{MissingRoot, Warning, "`root` is missing; it is taken to be `.` ([R24](formats/README.md#r24)).", `{"files": [...]}`, `{"root": ".", "files": [...]}`, "Inserts `\"root\": \".\"`."},
	{MissingFiles, Error, "A file bundle has no `files` ([B1](formats/bundle.md#b1)).", `{"root": "."}`, `{"root": ".", "files": [...]}`, ""},
	{MissingPatches, Error, "A structured patch, or an entry with `\"operation\": \"patch\"`, has no `patches` ([B7](formats/bundle.md#b7), [S1](formats/structured.md#s1)).", `{"path": "a.txt", "operation": "patch"}`, `{"path": "a.txt", "operation": "patch", "patches": [...]}`, "Changes the operation to `replace` if the entry has `content`."},
	{MissingReplacements, Error, "An entry of a structured patch has neither `replacements` nor `find` and `replace` ([S1](formats/structured.md#s1)).", `{"path": "a.txt"}`, `{"path": "a.txt", "find": "a", "replace": "b"}`, ""},
	{MissingPath, Error, "An entry has no `path` ([B2](formats/bundle.md#b2)).", `{"content": ""}`, `{"path": "a.txt", "content": ""}`, ""},
	{MissingOperation, Hint, "An entry has no `operation` ([B3](formats/bundle.md#b3)); it creates or replaces the file.", `{"path": "a.txt", "content": ""}`, `{"path": "a.txt", "operation": "replace", "content": ""}`, ""},
	{MissingContent, Error, "The operation needs `content`, and the entry has none ([B10](formats/bundle.md#b10)).", `{"path": "a.txt", "operation": "create"}`, `{"path": "a.txt", "operation": "create", "content": ""}`, "Changes the operation to `patch` if the entry has `patches`."},
	{MissingFind, Error, "A replacement has no `find` ([S3](formats/structured.md#s3)).", `{"replace": "b"}`, `{"find": "a", "replace": "b"}`, ""},
	{MissingReplace, Error, "A replacement has no `replace` ([S3](formats/structured.md#s3)). To delete text, make it an empty string.", `{"find": "a"}`, `{"find": "a", "replace": ""}`, ""},
	{MissingLimit, Hint, "A replacement has no `limit` ([S4](formats/structured.md#s4)); it is taken to be `once`.", `{"find": "a", "replace": "b"}`, `{"find": "a", "replace": "b", "limit": "once"}`, "Inserts `\"limit\": \"once\"`."},
	{RootNotString, Error, "`root` is not a string ([R24](formats/README.md#r24)).", `"root": null`, `"root": "."`, "Makes it `\".\"`."},
	{PathNotString, Error, "`path` is not a string ([B2](formats/bundle.md#b2)).", `"path": ["a.txt"]`, `"path": "a.txt"`, ""},
	{OperationNotString, Error, "`operation` is not a string ([B3](formats/bundle.md#b3)).", `"operation": ["create"]`, `"operation": "create"`, ""},
	{ContentNotString, Error, "`content` is not one string ([B9](formats/bundle.md#b9)); a list of lines is not accepted.", `"content": ["a", "b"]`, `"content": "a\nb"`, ""},
	{FindNotString, Error, "`find` is not a string ([S3](formats/structured.md#s3)).", `"find": 1`, `"find": "1"`, ""},
	{ReplaceNotString, Error, "`replace` is not a string ([S3](formats/structured.md#s3)). To delete text, it is an empty string.", `"replace": null`, `"replace": ""`, ""},
	{LimitNotString, Error, "`limit` is not a string ([S4](formats/structured.md#s4)).", `"limit": 1`, `"limit": "once"`, "Writes `once` if the value is 1."},
	{FilesNotArray, Error, "`files` is not an array ([B1](formats/bundle.md#b1)).", `"files": {"path": "a.txt"}`, `"files": [{"path": "a.txt"}]`, ""},
	{PatchesNotArray, Error, "`patches` is not an array ([S1](formats/structured.md#s1), [B7](formats/bundle.md#b7)).", `"patches": {"find": "a"}`, `"patches": [{"find": "a"}]`, ""},
	{ReplacementsNotArray, Error, "`replacements` is not an array ([S1](formats/structured.md#s1)).", `"replacements": {"find": "a"}`, `"replacements": [{"find": "a"}]`, ""},
	{EmptyFiles, Error, "`files` is empty, so the block does nothing ([B1](formats/bundle.md#b1), [L1](formats/lines.md#l1)).", `"files": []`, `"files": [{"path": "a.txt", "content": ""}]`, ""},
	{EmptyPatches, Error, "`patches` is empty, so nothing would be patched ([B7](formats/bundle.md#b7), [S1](formats/structured.md#s1)).", `"patches": []`, `"patches": [{"find": "a", "replace": "b"}]`, ""},
	{EmptyReplacements, Error, "`replacements` is empty, so nothing would be patched ([S1](formats/structured.md#s1)).", `"replacements": []`, `"replacements": [{"find": "a", "replace": "b"}]`, ""},
	{EmptyFind, Error, "`find` is empty, so it would match everywhere ([S3](formats/structured.md#s3)).", `"find": ""`, `"find": "a"`, ""},
	{UnknownOperation, Error, "`operation` is not create, replace, delete, patch or gitPatch ([B3](formats/bundle.md#b3)).", `"operation": "Create"`, `"operation": "create"`, "Writes the operation that the word means, or the most similar one."},
	{UnknownLimit, Error, "`limit` is neither `once` nor `all` ([S4](formats/structured.md#s4)).", `"limit": "All"`, `"limit": "all"`, "Writes the limit that the word means, or the most similar one."},
	{UnknownMember, Warning, "A member has no meaning here ([B13](formats/bundle.md#b13)). It is ignored.", `{"path": "a.txt", "content": "", "size": 0}`, `{"path": "a.txt", "content": ""}`, "Removes the member."},
	{MisnamedMember, Error, "A member looks like a known one with another name ([B13](formats/bundle.md#b13)). Aptix does not guess, because the member decides the result.", `{"file": "a.txt", "content": ""}`, `{"path": "a.txt", "content": ""}`, "Renames the member."},
	{MisplacedMember, Error, "A member of the format is in an object where it has no meaning ([B13](formats/bundle.md#b13)).", `{"path": "a.txt", "operation": "patch", "find": "a", "replace": "b"}`, `{"path": "a.txt", "operation": "patch", "patches": [{"find": "a", "replace": "b"}]}`, ""},
	{UnsupportedOption, Error, "A member asks for something that the format does not have, such as regular expressions, another encoding or a new name ([B13](formats/bundle.md#b13)). It cannot be ignored, because it would change the result.", `{"find": "a.*", "replace": "b", "regex": true}`, `{"find": "abc", "replace": "b"}`, ""},
	{ContentNotAllowed, Error, "An entry that deletes a file has `content` ([B10](formats/bundle.md#b10)).", `{"path": "a.txt", "operation": "delete", "content": "x"}`, `{"path": "a.txt", "operation": "delete"}`, "Removes `content`, or makes the operation `replace`."},
	{ContentIgnored, Warning, "An entry that patches a file also has `content` ([B11](formats/bundle.md#b11)). The patches are applied; the content is ignored.", `{"path": "a.txt", "operation": "patch", "patches": [...], "content": "x"}`, `{"path": "a.txt", "operation": "patch", "patches": [...]}`, "Removes `content`."},
	{PatchesNotAllowed, Error, "An entry has `patches` and its operation is not `patch` ([B10](formats/bundle.md#b10)).", `{"path": "a.txt", "operation": "replace", "patches": [...]}`, `{"path": "a.txt", "operation": "patch", "patches": [...]}`, "Makes the operation `patch`, or removes `patches`."},
	{GitPatchPath, Error, "An entry with `\"operation\": \"gitPatch\"` is for one file, but the patch in its content changes only others ([B8](formats/bundle.md#b8)).", `"path": "a.txt"` + " where the patch has `+++ b/b.txt`", `"path": "b.txt"`, "Writes the patch's path."},
	{MixedPatchShapes, Error, "An entry of a structured patch has both `replacements` and a `find`, `replace` or `limit` of its own ([S1](formats/structured.md#s1)).", `{"path": "a.txt", "find": "a", "replace": "b", "replacements": [...]}`, `{"path": "a.txt", "replacements": [...]}`, ""},
	{WholeFileInStructured, Error, "An entry of a structured patch creates, deletes or replaces a file ([S2](formats/structured.md#s2)). Use a file bundle for that.", `"patches": [{"path": "a.txt", "operation": "delete"}]`, `"files": [{"path": "a.txt", "operation": "delete"}]`, ""},
	{FindEqualsReplace, Warning, "`find` and `replace` are equal, so the replacement changes nothing ([S3](formats/structured.md#s3)).", `{"find": "a", "replace": "a"}`, `{"find": "a", "replace": "b"}`, ""},
}
