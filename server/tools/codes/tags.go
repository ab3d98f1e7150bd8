package codes

import "github.com/aptix-dev/aptix/server/internal/diag"

var tagsCodes = []Doc{
	{diag.TagsBroken, "The tags around files do not pair, or there is other text between two files ([F5](formats/file-tags.md#f5)).",
		"<file path=\"a.xml\">\n<files>\n</file>\n</files>\n</file>", "<file path=\"a.xml\"><![CDATA[\n<files>\n</file>\n</files>\n]]></file>", ""},
	{diag.TagsAttribute, "A tag has an unknown attribute, such as one for the lines that the text covers ([F8](formats/file-tags.md#f8)).",
		`<file path="a.py" lines="10-20">`, `<file path="a.py">`, "Removes the attribute."},
	{diag.TagsContent, "The text between the tags cannot be the text of the file: it is a change in another notation, its lines have numbers, or the tag deletes the file ([F7](formats/file-tags.md#f7), [F9](formats/file-tags.md#f9)).",
		"<file path=\"a.py\">\n@@ -1 +1 @@\n-a = 1\n+a = 2\n</file>", "<file path=\"a.py\">\na = 2\n</file>", ""},
	{diag.TagsReading, "The text of a file has two readings: with XML's entities decoded or not, or with the fence around it or without ([F6](formats/file-tags.md#f6)).",
		"<file path=\"a.py\">\nif a &lt; b:\n</file>", "<file path=\"a.py\">\nif a < b:\n</file>", ""},
}
