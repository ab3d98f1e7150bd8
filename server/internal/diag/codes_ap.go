package diag

// What an ap patch can be wrong in.
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
	{APNotUTF8, Error, "The patch is not UTF-8 ([A1](formats/ap.md#a1)).",
		"", "",
		""},
	{APHeaderMissing, Error, "The header is missing: nothing says which version of ap the patch is ([A3](formats/ap.md#a3), [A9](formats/ap.md#a9)).",
		"a1b2c3d4 FILE\nsrc/app.py", "a1b2c3d4 AP 3.2\n\na1b2c3d4 FILE\nsrc/app.py",
		"Inserts the header of ap 3.2 with the ID of the directives, as only that version says what a patch without a header is; that of 3.1 is offered too."},
	{APTextBeforeHeader, Error, "Above the header of ap 3.1 stands something that is no comment ([A3](formats/ap.md#a3)).",
		"Here is the patch:\na1b2c3d4 AP 3.1", "# Here is the patch:\na1b2c3d4 AP 3.1",
		"Makes it a comment."},
	{APVersion, Error, "The version in the header is neither 3.1 nor 3.2.",
		"a1b2c3d4 AP v3.1", "a1b2c3d4 AP 3.1",
		"Writes the version, for certain where it is plain."},
	{APNeeds32, Error, "A directive of ap 3.2 in a patch whose header says 3.1.",
		"a1b2c3d4 AP 3.1\n...\na1b2c3d4 RECREATE", "a1b2c3d4 AP 3.2\n...\na1b2c3d4 RECREATE",
		"Makes the header one of 3.2; removes an END behind which nothing stands."},
	{APBadID, Error, "The patch ID is not 8 digits from 0-9 and a-f ([A4](formats/ap.md#a4)).",
		"fix_bug AP 3.1", "a1b2c3d4 AP 3.1",
		"Writes another ID on every directive: the same in lower case, or one made from the patch."},
	{APIDDrift, Error, "A line is written as a directive, but with another ID than the header's, so that it is none. It is an error where no text can be, or where a value is missing because of it.",
		"a1b2c3d4 REPLACE\na1b2c3d5 snippet", "a1b2c3d4 REPLACE\na1b2c3d4 snippet",
		"Writes the header's ID. That is certain outside of contents, where the word can be an ID."},
	{APKeyword, Error, "A directive's keyword is written in another case, with a colon, or by another name.",
		"a1b2c3d4 Replace:", "a1b2c3d4 REPLACE",
		"Writes the keyword."},
	{APUnknownDirective, Error, "A line begins with the patch's ID and is no directive.",
		"a1b2c3d4 snipppet", "a1b2c3d4 snippet",
		"Writes the keyword that is most alike."},
	{APArgument, Error, "What stands behind a keyword is not what belongs there: a newline behind FILE, a number behind an option, nothing behind the others.",
		"a1b2c3d4 FILE crlf", "a1b2c3d4 FILE CRLF",
		"Writes it as it is meant, or removes it."},
	{APInlineValue, Error, "A value stands behind its directive and not on the lines below it ([A7](formats/ap.md#a7)).",
		"a1b2c3d4 FILE src/app.py", "a1b2c3d4 FILE\nsrc/app.py",
		"Puts the value on the line below."},
	{APStrayText, Error, "Text stands below a directive that has no value, or more than a path below FILE or RENAME.",
		"a1b2c3d4 REPLACE\n# the next line\na1b2c3d4 snippet", "a1b2c3d4 REPLACE\na1b2c3d4 snippet",
		"Removes it; for certain where it is a comment. ap 3.2 ignores comments between directives."},
	{APFence, Error, "A Markdown fence stands around the patch in an .ap file, or around a value for a file that is no Markdown: it would become text of the file. Where it is not clear which fences stand around the patch, the fixes are only offered.",
		"a1b2c3d4 content\n```python\nx = 1\n```", "a1b2c3d4 content\nx = 1",
		"Removes the fence."},
	{APMissingFile, Error, "A directive stands before any FILE, or the patch has none.",
		"a1b2c3d4 AP 3.1\na1b2c3d4 REPLACE", "a1b2c3d4 AP 3.1\na1b2c3d4 FILE\nsrc/app.py\na1b2c3d4 REPLACE",
		""},
	{APMissingPath, Error, "FILE or RENAME has no path below it.",
		"a1b2c3d4 FILE\na1b2c3d4 DELETE", "a1b2c3d4 FILE\nsrc/app.py\na1b2c3d4 DELETE",
		""},
	{APMissingAction, Error, "No action says what is to be done ([A14](formats/ap.md#a14)).",
		"a1b2c3d4 FILE\na.py\na1b2c3d4 snippet\nx = 1\na1b2c3d4 content\nx = 2", "a1b2c3d4 FILE\na.py\na1b2c3d4 REPLACE\na1b2c3d4 snippet\nx = 1\na1b2c3d4 content\nx = 2",
		"Inserts an action; one for each that fits."},
	{APMissingSnippet, Error, "An action has no snippet that says where, or an empty one.",
		"a1b2c3d4 REPLACE\na1b2c3d4 content\nx = 2", "a1b2c3d4 REPLACE\na1b2c3d4 snippet\nx = 1\na1b2c3d4 content\nx = 2",
		""},
	{APMissingContent, Error, "An action has no content, or nothing to insert ([A20](formats/ap.md#a20)).",
		"a1b2c3d4 REPLACE\na1b2c3d4 snippet\nx = 1", "a1b2c3d4 REPLACE\na1b2c3d4 snippet\nx = 1\na1b2c3d4 content\nx = 2",
		""},
	{APContentOfDelete, Error, "DELETE has a content ([A20](formats/ap.md#a20)).",
		"a1b2c3d4 DELETE\na1b2c3d4 snippet\nx = 1\na1b2c3d4 content\nx = 2", "a1b2c3d4 REPLACE\na1b2c3d4 snippet\nx = 1\na1b2c3d4 content\nx = 2",
		"Makes it a REPLACE, or removes the content; for certain where that is empty."},
	{APAnchorOnly, Error, "A modification has an anchor and no snippet ([A55](formats/ap.md#a55)).",
		"a1b2c3d4 DELETE\na1b2c3d4 anchor\nx = 1", "a1b2c3d4 DELETE\na1b2c3d4 snippet\nx = 1",
		"Makes the anchor the snippet."},
	{APDuplicate, Error, "A directive is there twice in one modification, or the header twice.",
		"a1b2c3d4 snippet\nx = 1\na1b2c3d4 snippet\nx = 1", "a1b2c3d4 snippet\nx = 1",
		"Removes one of them, for certain where they are equal and no content stands between them; or begins another modification."},
	{APTail, Error, "snippet_tail is empty, or stands in a modification that has no range ([A22](formats/ap.md#a22)).",
		"a1b2c3d4 INSERT_AFTER\na1b2c3d4 snippet\nx\na1b2c3d4 snippet_tail\ny", "a1b2c3d4 INSERT_AFTER\na1b2c3d4 snippet\ny",
		"Removes it."},
	{APMixedActions, Error, "Something stands beside RENAME, CREATE or RECREATE in a FILE block ([A16](formats/ap.md#a16), [A18](formats/ap.md#a18)).",
		"a1b2c3d4 FILE\na.py\na1b2c3d4 RENAME\nb.py\na1b2c3d4 REPLACE", "a1b2c3d4 FILE\na.py\na1b2c3d4 RENAME\nb.py\na1b2c3d4 FILE\nb.py\na1b2c3d4 REPLACE",
		"Puts what stands beside a RENAME into FILE blocks of its own."},
	{APIgnored, Warning, "CREATE and RECREATE have no use for a snippet or an anchor, which are ignored ([A18](formats/ap.md#a18), [A8](formats/ap.md#a8)). So are directives behind END, which ends a patch of ap 3.2.",
		"a1b2c3d4 CREATE\na1b2c3d4 snippet\nx\na1b2c3d4 content\ny", "a1b2c3d4 CREATE\na1b2c3d4 content\ny",
		"Removes it."},
	{APCreatesFolder, Warning, "CREATE without a content makes a folder ([A18](formats/ap.md#a18)), and the path looks like that of a file.",
		"a1b2c3d4 FILE\na.py\na1b2c3d4 CREATE", "a1b2c3d4 FILE\na.py\na1b2c3d4 CREATE\na1b2c3d4 content\nx = 1",
		""},
	{APTruncated, Error, "The patch ends where a content is expected, or with an empty one that nothing ends ([A21](formats/ap.md#a21)): it was cut off.",
		"a1b2c3d4 REPLACE\na1b2c3d4 snippet\nx = 1", "a1b2c3d4 REPLACE\na1b2c3d4 snippet\nx = 1\na1b2c3d4 content\nx = 2",
		"Inserts END where the content is meant to be empty."},
	{APNoEnd, Hint, "A patch of ap 3.2 has no END that shows that it is complete ([A8](formats/ap.md#a8)).",
		"a1b2c3d4 DELETE\na1b2c3d4 snippet\nx = 1", "a1b2c3d4 DELETE\na1b2c3d4 snippet\nx = 1\na1b2c3d4 END",
		"Inserts END."},
	{APAnchorNotFound, Error, "The anchor is not in the file ([A32](formats/ap.md#a32)).",
		"", "",
		"Writes the lines that are most alike, or removes the anchor where the snippet is there once."},
	{APAnchorAmbiguous, Error, "The anchor is in the file several times, and leads to different places ([A33](formats/ap.md#a33), [A52](formats/ap.md#a52)).",
		"", "",
		""},
	{APAnchorInSnippet, Error, "The snippet begins with the anchor, but is looked for below it ([A57](formats/ap.md#a57)). ap 3.2 looks from the anchor on then.",
		"a1b2c3d4 anchor\ndef f():\na1b2c3d4 snippet\ndef f():\n    x = 1", "a1b2c3d4 snippet\ndef f():\n    x = 1",
		"Removes the anchor; for certain where the snippet is there once."},
	{APSnippetNotFound, Error, "The snippet is not in the file, or not below its anchor ([A31](formats/ap.md#a31), [A32](formats/ap.md#a32)).",
		"a1b2c3d4 snippet\ncount = 0\nwhere the line is `self.count = 0`", "a1b2c3d4 snippet\nself.count = 0",
		"Writes the whole line where the snippet is a part of one, for certain where nothing of the line gets lost; or the lines that are most alike."},
	{APSnippetAmbiguous, Error, "A snippet without an anchor is in the file several times ([A33](formats/ap.md#a33), [A38](formats/ap.md#a38)). N modifications with the same locator take N places in order.",
		"a1b2c3d4 snippet\nreturn x", "a1b2c3d4 anchor\ndef f():\na1b2c3d4 snippet\nreturn x",
		"Extends the snippet by the lines above it; one for each place."},
	{APConsumed, Error, "The snippet or the anchor was in the file until an earlier modification of the patch changed those lines.",
		"", "",
		""},
	{APOutOfOrder, Error, "The snippet stands above what an earlier modification changed; the modifications of a file go from top to bottom ([A35](formats/ap.md#a35)).",
		"", "",
		"Moves the modification before the first one whose place is below."},
	{APTailNotFound, Error, "snippet_tail is not in the file below the snippet ([A34](formats/ap.md#a34)).",
		"", "",
		"Writes the lines that are most alike."},
	{APTailInSnippet, Warning, "snippet_tail is the end of the snippet, which holds the whole range; it is ignored ([A51](formats/ap.md#a51)).",
		"a1b2c3d4 snippet\nx = 1\ny = 2\na1b2c3d4 snippet_tail\ny = 2", "a1b2c3d4 snippet\nx = 1\ny = 2",
		"Removes snippet_tail."},
	{APSoftStart, Warning, "The first line of the snippet is only the end of a line in the file ([A49](formats/ap.md#a49)). The whole line counts.",
		"a1b2c3d4 snippet\nfirst item\nsecond item", "a1b2c3d4 snippet\n1. first item\nsecond item",
		"Writes the whole line."},
	{APContentIndentation, Warning, "The content is indented like its snippet, which stands deeper in the file; or it has no indentation at all, or tabs where the file has blanks. It is taken as it is written.",
		"a1b2c3d4 snippet\nreturn x\na1b2c3d4 content\nreturn y\nwhere the line is `    return x`", "a1b2c3d4 snippet\nreturn x\na1b2c3d4 content\n    return y",
		"Indents the content by as much as the snippet lacks."},
	{APTrimmed, Info, "ap 3.1 removes blanks at the ends of all lines of a file that it edits ([A43](formats/ap.md#a43)), also of lines that the patch has nothing to do with.",
		"", "",
		""},
	{APScopeEnd, Warning, "scope_end stands by a snippet that opens no block, and is ignored ([A23](formats/ap.md#a23)).",
		"a1b2c3d4 DELETE\na1b2c3d4 snippet\nx = 1\na1b2c3d4 scope_end 1", "a1b2c3d4 DELETE\na1b2c3d4 snippet\nx = 1",
		""},
	{APNesting, Warning, "An insertion inside of a block has a declaration in the first column as its content: the header of its neighbour was named, not its end. It is inserted outside of the block ([A56](formats/ap.md#a56)).",
		"a1b2c3d4 INSERT_AFTER\na1b2c3d4 snippet\nfunc f() {\na1b2c3d4 content\nfunc g() {\n}", "a1b2c3d4 INSERT_AFTER\na1b2c3d4 snippet\nfunc f() {\na1b2c3d4 scope_end 1\na1b2c3d4 content\nfunc g() {\n}",
		""},
	{APUnbalanced, Warning, "The brackets of the file were balanced, and would not be after the patch ([A42](formats/ap.md#a42)).",
		"", "",
		""},
	{APMaybeDone, Warning, "Behind an anchor the first place of the snippet counts, whichever it is ([A32](formats/ap.md#a32), [A30](formats/ap.md#a30)). Here the content stands above that place already, or a DELETE has its place behind the block that the anchor opens: the patch may have been applied before, and this would be another place. Where the history knows the patch, it is asked first.",
		"", "",
		""},
}
