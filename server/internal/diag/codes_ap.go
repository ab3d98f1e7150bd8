package diag

// The problems of ap patches.
const (
	APNotUTF8            Code = "ap-not-utf8"
	APHeaderMissing      Code = "ap-header-missing"
	APTextBeforeHeader   Code = "ap-text-before-header"
	APVersion            Code = "ap-version"
	APNeeds32            Code = "ap-needs-3-2"
	APBadID              Code = "ap-bad-id"
	APIDDrift            Code = "ap-id-drift"
	APKeyword            Code = "ap-keyword"
	APUnknownDirective   Code = "ap-unknown-directive"
	APArgument           Code = "ap-argument"
	APInlineValue        Code = "ap-inline-value"
	APStrayText          Code = "ap-stray-text"
	APFence              Code = "ap-fence"
	APMissingFile        Code = "ap-missing-file"
	APMissingPath        Code = "ap-missing-path"
	APMissingAction      Code = "ap-missing-action"
	APMissingSnippet     Code = "ap-missing-snippet"
	APMissingContent     Code = "ap-missing-content"
	APContentOfDelete    Code = "ap-content-of-delete"
	APAnchorOnly         Code = "ap-anchor-only"
	APDuplicate          Code = "ap-duplicate-directive"
	APTail               Code = "ap-snippet-tail"
	APMixedActions       Code = "ap-mixed-actions"
	APIgnored            Code = "ap-ignored-directive"
	APCreatesFolder      Code = "ap-creates-folder"
	APTruncated          Code = "ap-truncated"
	APNoEnd              Code = "ap-no-end"
	APAnchorNotFound     Code = "ap-anchor-not-found"
	APAnchorAmbiguous    Code = "ap-anchor-ambiguous"
	APAnchorInSnippet    Code = "ap-anchor-in-snippet"
	APSnippetNotFound    Code = "ap-snippet-not-found"
	APSnippetAmbiguous   Code = "ap-snippet-ambiguous"
	APConsumed           Code = "ap-consumed"
	APOutOfOrder         Code = "ap-out-of-order"
	APTailNotFound       Code = "ap-tail-not-found"
	APTailInSnippet      Code = "ap-tail-in-snippet"
	APSoftStart          Code = "ap-soft-start"
	APContentIndentation Code = "ap-content-indentation"
	APTrimmed            Code = "ap-trimmed"
	APScopeEnd           Code = "ap-scope-end"
	APNesting            Code = "ap-nesting"
	APUnbalanced         Code = "ap-unbalanced"
	APMaybeDone          Code = "ap-maybe-done"
)

var apDocs = []Doc{
	{APNotUTF8, Error, "The patch is not UTF-8, or has a NUL character ([A1](formats/ap.md#a1)).",
		"", "",
		""},
	{APHeaderMissing, Error, "The header is missing, so the version of ap is not known ([A3](formats/ap.md#a3), [A9](formats/ap.md#a9)).",
		"a1b2c3d4 FILE\nsrc/app.py", "a1b2c3d4 AP 3.2\n\na1b2c3d4 FILE\nsrc/app.py",
		"Inserts the header of ap 3.2 with the ID of the directives, because only that version says how to read a patch without a header. The header of 3.1 is offered, too."},
	{APTextBeforeHeader, Error, "In ap 3.1, only comments may come before the header ([A3](formats/ap.md#a3)).",
		"Here is the patch:\na1b2c3d4 AP 3.1", "# Here is the patch:\na1b2c3d4 AP 3.1",
		"Makes the text a comment."},
	{APVersion, Error, "The version in the header is neither 3.1 nor 3.2 ([A3](formats/ap.md#a3)).",
		"a1b2c3d4 AP v3.1", "a1b2c3d4 AP 3.1",
		"Writes the version; certain if it is plain."},
	{APNeeds32, Error, "The header says 3.1, but the directive belongs to ap 3.2 ([A14](formats/ap.md#a14)).",
		"a1b2c3d4 AP 3.1\n...\na1b2c3d4 RECREATE", "a1b2c3d4 AP 3.2\n...\na1b2c3d4 RECREATE",
		"Changes the header to 3.2, or removes an END that nothing follows."},
	{APBadID, Error, "The patch ID is not 8 digits from 0-9 and a-f ([A4](formats/ap.md#a4)).",
		"fix_bug AP 3.1", "a1b2c3d4 AP 3.1",
		"Writes a valid ID on every directive: the same ID in lower case, or one computed from the patch."},
	{APIDDrift, Error, "A line looks like a directive but has an ID other than the header's, so it is not one ([A5](formats/ap.md#a5)). It is an error if no text may be there, or if a value is missing without the line.",
		"a1b2c3d4 REPLACE\na1b2c3d5 snippet", "a1b2c3d4 REPLACE\na1b2c3d4 snippet",
		"Writes the header's ID. Certain outside contents, if the word may be an ID."},
	{APKeyword, Error, "A keyword is in the wrong case, has a colon, or is a synonym ([A14](formats/ap.md#a14)).",
		"a1b2c3d4 Replace:", "a1b2c3d4 REPLACE",
		"Writes the right keyword."},
	{APUnknownDirective, Error, "A line begins with the patch's ID but is not a directive ([A7](formats/ap.md#a7)).",
		"a1b2c3d4 snipppet", "a1b2c3d4 snippet",
		"Writes the most similar keyword."},
	{APArgument, Error, "A keyword has the wrong argument: FILE takes a line ending, an option takes a number, and the other keywords take nothing ([A7](formats/ap.md#a7), [A10](formats/ap.md#a10)).",
		"a1b2c3d4 FILE crlf", "a1b2c3d4 FILE CRLF",
		"Corrects or removes the argument."},
	{APInlineValue, Error, "A value is on the same line as its directive instead of the lines below ([A7](formats/ap.md#a7)).",
		"a1b2c3d4 FILE src/app.py", "a1b2c3d4 FILE\nsrc/app.py",
		"Puts the value on the line below."},
	{APStrayText, Error, "Text follows a directive that has no value, or more than a path follows FILE or RENAME ([A7](formats/ap.md#a7)).",
		"a1b2c3d4 REPLACE\n# the next line\na1b2c3d4 snippet", "a1b2c3d4 REPLACE\na1b2c3d4 snippet",
		"Removes the text; certain if it is a comment. ap 3.2 ignores comments between directives."},
	{APFence, Error, "A Markdown fence is around the patch in an .ap file, or around a value for a file that is not Markdown, so it would become text of the file ([A60](formats/ap.md#a60)). If it is unclear which fences are around the patch, the fixes are only offered. Or, in a reply, the last value opens a fence and does not close it, so the value may be cut off.",
		"a1b2c3d4 content\n```python\nx = 1\n```", "a1b2c3d4 content\nx = 1",
		"Removes the fence."},
	{APMissingFile, Error, "A directive comes before any FILE, or the patch has no FILE ([A13](formats/ap.md#a13)).",
		"a1b2c3d4 AP 3.1\na1b2c3d4 REPLACE", "a1b2c3d4 AP 3.1\na1b2c3d4 FILE\nsrc/app.py\na1b2c3d4 REPLACE",
		""},
	{APMissingPath, Error, "FILE or RENAME has no path below it ([A12](formats/ap.md#a12)).",
		"a1b2c3d4 FILE\na1b2c3d4 DELETE", "a1b2c3d4 FILE\nsrc/app.py\na1b2c3d4 DELETE",
		""},
	{APMissingAction, Error, "No action says what to do ([A14](formats/ap.md#a14)).",
		"a1b2c3d4 FILE\na.py\na1b2c3d4 snippet\nx = 1\na1b2c3d4 content\nx = 2", "a1b2c3d4 FILE\na.py\na1b2c3d4 REPLACE\na1b2c3d4 snippet\nx = 1\na1b2c3d4 content\nx = 2",
		"Inserts an action; there is one fix for each action that fits."},
	{APMissingSnippet, Error, "An action has no snippet, or an empty one, so nothing shows its place ([A33](formats/ap.md#a33)).",
		"a1b2c3d4 REPLACE\na1b2c3d4 content\nx = 2", "a1b2c3d4 REPLACE\na1b2c3d4 snippet\nx = 1\na1b2c3d4 content\nx = 2",
		""},
	{APMissingContent, Error, "An action has no content, or an empty one, so there is nothing to insert ([A20](formats/ap.md#a20)).",
		"a1b2c3d4 REPLACE\na1b2c3d4 snippet\nx = 1", "a1b2c3d4 REPLACE\na1b2c3d4 snippet\nx = 1\na1b2c3d4 content\nx = 2",
		""},
	{APContentOfDelete, Error, "DELETE has a content ([A20](formats/ap.md#a20)).",
		"a1b2c3d4 DELETE\na1b2c3d4 snippet\nx = 1\na1b2c3d4 content\nx = 2", "a1b2c3d4 REPLACE\na1b2c3d4 snippet\nx = 1\na1b2c3d4 content\nx = 2",
		"Makes it a REPLACE, or removes the content; certain if the content is empty."},
	{APAnchorOnly, Error, "A modification has an anchor and no snippet ([A55](formats/ap.md#a55)).",
		"a1b2c3d4 DELETE\na1b2c3d4 anchor\nx = 1", "a1b2c3d4 DELETE\na1b2c3d4 snippet\nx = 1",
		"Makes the anchor the snippet."},
	{APDuplicate, Error, "A modification has a directive twice, or the patch has two headers ([A7](formats/ap.md#a7)).",
		"a1b2c3d4 snippet\nx = 1\na1b2c3d4 snippet\nx = 1", "a1b2c3d4 snippet\nx = 1",
		"Removes one of them, or begins another modification. Removing one is certain if both are equal and no content is between them."},
	{APTail, Error, "snippet_tail is empty, or belongs to a modification without a range ([A22](formats/ap.md#a22)).",
		"a1b2c3d4 INSERT_AFTER\na1b2c3d4 snippet\nx\na1b2c3d4 snippet_tail\ny", "a1b2c3d4 INSERT_AFTER\na1b2c3d4 snippet\ny",
		"Removes it."},
	{APMixedActions, Error, "A FILE block has a RENAME, CREATE or RECREATE, and other directives besides ([A16](formats/ap.md#a16), [A18](formats/ap.md#a18)).",
		"a1b2c3d4 FILE\na.py\na1b2c3d4 RENAME\nb.py\na1b2c3d4 REPLACE", "a1b2c3d4 FILE\na.py\na1b2c3d4 RENAME\nb.py\na1b2c3d4 FILE\nb.py\na1b2c3d4 REPLACE",
		"Moves the directives beside a RENAME to their own FILE blocks."},
	{APIgnored, Warning, "CREATE and RECREATE ignore a snippet and an anchor ([A18](formats/ap.md#a18), [A8](formats/ap.md#a8)). In ap 3.2, directives after END are ignored, too.",
		"a1b2c3d4 CREATE\na1b2c3d4 snippet\nx\na1b2c3d4 content\ny", "a1b2c3d4 CREATE\na1b2c3d4 content\ny",
		"Removes it."},
	{APCreatesFolder, Warning, "CREATE without a content creates a folder ([A18](formats/ap.md#a18)), but the path looks like that of a file.",
		"a1b2c3d4 FILE\na.py\na1b2c3d4 CREATE", "a1b2c3d4 FILE\na.py\na1b2c3d4 CREATE\na1b2c3d4 content\nx = 1",
		""},
	{APTruncated, Error, "The patch was cut off: it ends where a content is expected, or after an empty content without an END ([A21](formats/ap.md#a21)).",
		"a1b2c3d4 REPLACE\na1b2c3d4 snippet\nx = 1", "a1b2c3d4 REPLACE\na1b2c3d4 snippet\nx = 1\na1b2c3d4 content\nx = 2",
		"Inserts END if the content is meant to be empty."},
	{APNoEnd, Hint, "A patch of ap 3.2 has no END to show that it is complete ([A8](formats/ap.md#a8)).",
		"a1b2c3d4 DELETE\na1b2c3d4 snippet\nx = 1", "a1b2c3d4 DELETE\na1b2c3d4 snippet\nx = 1\na1b2c3d4 END",
		"Inserts END."},
	{APAnchorNotFound, Error, "The anchor was not found in the file ([A32](formats/ap.md#a32)).",
		"", "",
		"Writes the most similar lines, or removes the anchor if the snippet occurs once."},
	{APAnchorAmbiguous, Error, "The anchor occurs several times in the file and leads to different places ([A33](formats/ap.md#a33), [A52](formats/ap.md#a52)).",
		"", "",
		""},
	{APAnchorInSnippet, Error, "The snippet begins with the anchor, but the search for it starts below the anchor ([A57](formats/ap.md#a57)). In ap 3.2, the search starts at the anchor.",
		"a1b2c3d4 anchor\ndef f():\na1b2c3d4 snippet\ndef f():\n    x = 1", "a1b2c3d4 snippet\ndef f():\n    x = 1",
		"Removes the anchor; certain if the snippet occurs once."},
	{APSnippetNotFound, Error, "The snippet was not found in the file, or not below its anchor ([A31](formats/ap.md#a31), [A32](formats/ap.md#a32)).",
		"a1b2c3d4 snippet\ncount = 0\nwhere the line is `self.count = 0`", "a1b2c3d4 snippet\nself.count = 0",
		"Writes the whole line if the snippet is a part of one, which is certain if nothing of the line is lost; or writes the most similar lines."},
	{APSnippetAmbiguous, Error, "A snippet without an anchor occurs several times in the file ([A33](formats/ap.md#a33), [A38](formats/ap.md#a38)). If N modifications have the same snippet and anchor, they change N places, in order.",
		"a1b2c3d4 snippet\nreturn x", "a1b2c3d4 anchor\ndef f():\na1b2c3d4 snippet\nreturn x",
		"Extends the snippet by the lines above it; there is one fix for each place."},
	{APConsumed, Error, "The snippet or the anchor was in the file until an earlier modification of the patch changed those lines ([A41](formats/ap.md#a41)).",
		"", "",
		""},
	{APOutOfOrder, Error, "The snippet is above the lines that an earlier modification changed; the modifications of a file go from top to bottom ([A35](formats/ap.md#a35)).",
		"", "",
		"Moves the modification above the first one whose place in the file is further down."},
	{APTailNotFound, Error, "snippet_tail was not found below the snippet ([A34](formats/ap.md#a34)).",
		"", "",
		"Writes the most similar lines."},
	{APTailInSnippet, Warning, "snippet_tail is the end of the snippet, which already covers the whole range, so it is ignored ([A51](formats/ap.md#a51)).",
		"a1b2c3d4 snippet\nx = 1\ny = 2\na1b2c3d4 snippet_tail\ny = 2", "a1b2c3d4 snippet\nx = 1\ny = 2",
		"Removes snippet_tail."},
	{APSoftStart, Warning, "The first line of the snippet matches only the end of a line in the file ([A49](formats/ap.md#a49)). The change begins at the start of that line.",
		"a1b2c3d4 snippet\nfirst item\nsecond item", "a1b2c3d4 snippet\n1. first item\nsecond item",
		"Writes the whole line."},
	{APContentIndentation, Warning, "The indentation of the content cannot be right ([A47](formats/ap.md#a47)): it is that of the snippet, which has another depth in the file; or there is none; or it consists of tabs, and the file has spaces. The content is applied as written.",
		"a1b2c3d4 snippet\nreturn x\na1b2c3d4 content\nreturn y\nwhere the line is `    return x`", "a1b2c3d4 snippet\nreturn x\na1b2c3d4 content\n    return y",
		"Shifts the content by the same indentation by which the snippet differs from the file."},
	{APTrimmed, Info, "ap 3.1 removes white space at the ends of all lines of a file that it edits ([A43](formats/ap.md#a43)), including lines that the patch does not change.",
		"", "",
		""},
	{APScopeEnd, Warning, "scope_end is used with a snippet that opens no block, and is ignored ([A23](formats/ap.md#a23)).",
		"a1b2c3d4 DELETE\na1b2c3d4 snippet\nx = 1\na1b2c3d4 scope_end 1", "a1b2c3d4 DELETE\na1b2c3d4 snippet\nx = 1",
		""},
	{APNesting, Warning, "The content of an insertion is a declaration in the first column, but the place is inside a block, because the snippet is the first line of that block and not its last one. The content is inserted outside the block ([A56](formats/ap.md#a56)).",
		"a1b2c3d4 INSERT_AFTER\na1b2c3d4 snippet\nfunc f() {\na1b2c3d4 content\nfunc g() {\n}", "a1b2c3d4 INSERT_AFTER\na1b2c3d4 snippet\nfunc f() {\na1b2c3d4 scope_end 1\na1b2c3d4 content\nfunc g() {\n}",
		""},
	{APUnbalanced, Warning, "The brackets of the file are balanced before the patch, but not after it ([A42](formats/ap.md#a42)).",
		"", "",
		""},
	{APMaybeDone, Warning, "The patch may have been applied before. The first place of the snippet below the anchor is used ([A32](formats/ap.md#a32), [A30](formats/ap.md#a30)), but the content is already above that place, or a DELETE would remove something below the block that the anchor opens. If the history knows the patch, the history decides.",
		"", "",
		""},
}
