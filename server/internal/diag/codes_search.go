package diag

// What can be wrong with a SEARCH/REPLACE block.
const (
	SearchNoPath  Code = "search-no-path"
	SearchPaths   Code = "search-paths-differ"
	SearchMarks   Code = "search-marks"
	SearchDivider Code = "search-divider"
	SearchEmpty   Code = "search-empty"
)

var searchDocs = []Doc{
	{SearchNoPath, Error, "Nothing says which file a SEARCH/REPLACE block is for ([E4](formats/search-replace.md#e4), [E7](formats/search-replace.md#e7)).",
		"Change the port:\n\n<<<<<<< SEARCH\nport = 80\n=======\nport = 8080\n>>>>>>> REPLACE", "src/app.py\n<<<<<<< SEARCH\nport = 80\n=======\nport = 8080\n>>>>>>> REPLACE",
		"Writes a path that the text above mentions on the line above the block."},
	{SearchPaths, Error, "Two places next to a SEARCH/REPLACE block name different files ([E6](formats/search-replace.md#e6)).",
		"`src/a.py`\n```python src/b.py\n<<<<<<< SEARCH", "`src/b.py`\n```python\n<<<<<<< SEARCH", ""},
	{SearchMarks, Error, "The marks of a SEARCH/REPLACE block do not pair: one is missing, or there is one too many ([E2](formats/search-replace.md#e2)).",
		"<<<<<<< SEARCH\na = 1\na = 2\n>>>>>>> REPLACE", "<<<<<<< SEARCH\na = 1\n=======\na = 2\n>>>>>>> REPLACE", ""},
	{SearchDivider, Error, "A SEARCH/REPLACE block has several `=======` lines, and the file does not show which of them divides it ([E10](formats/search-replace.md#e10)).",
		"<<<<<<< SEARCH\nTitle\n=======\nold\n=======\nTitle\n=======\nnew\n>>>>>>> REPLACE\nwhere the file has other lines", "", ""},
	{SearchEmpty, Error, "The SEARCH part is empty, which creates a file, but the file is there and has lines ([E9](formats/search-replace.md#e9)).",
		"<<<<<<< SEARCH\n=======\nimport os\n>>>>>>> REPLACE", "<<<<<<< SEARCH\nimport sys\n=======\nimport os\nimport sys\n>>>>>>> REPLACE", ""},
}
