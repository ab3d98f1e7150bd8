package artifact

// An Example is a text with the expected result of Undo. Was is empty if the text only looks like
// one with the artifact.
type Example struct{ Text, Was string }

var examples = map[*Artifact][]Example{
	&Buttons: {
		{"Copy\na\n", "a\n"},
		{"python\nCopy code\na\n", "a\n"},
		{"Edit\nCopy\n\na\n", "a\n"},
		{"python\na\n", "a\n"},
		{"Edit\na\n", "a\n"},
		{"a\nCopy code\n", "a\n"},
		{Text: "Copy\n"},
		{Text: "copy a to b\n"},
	},
	&Column: {
		{"a.py:1:a\na.py:2:  b", "a\n  b"},
		{">>> if a:\n...     b\n...\n", "if a:\n    b\n\n"},
		{Text: "a: b\nc: d\n"},
	},
	&Emphasis: {{"~~return~~ a", "return a"}, {Text: "f(*args, **kwargs)"}, {Text: "a * b * c"}},
	&Bold:     {{"def **init**(self):", "def __init__(self):"}, {Text: "f(*args, **kwargs)"}},
	&Link:     {{"[os.path](http://os.path).join(a)", "os.path.join(a)"}, {"[https://a.b/](https://a.b/)", "https://a.b/"}, {Text: "[a](http://b.c)"}, {Text: "a[i](x)"}},
	&Footnote: {{"first_call() [1][12]", "first_call()"}, {"first_call()²", "first_call()"}, {Text: "a[1]()"}},
	&Citation: {
		{"[cite_start]a = 1 [cite: 34]\nb = 2 [cite: 3, 4]\n", "a = 1\nb = 2\n"},
		{"f()【12†source】", "f()"},
		{"f() :contentReference[oaicite:3]{index=3}", "f()"},
		{Text: "a[cite] = b[12]"},
	},
	&DecimalComma:    {{"margin: 0,75em 1,5em", "margin: 0.75em 1.5em"}, {Text: "f(1, 2)"}},
	&CharacterEscape: {{`a = "caf\u00e9 \ud83c\udf89"`, "a = \"café 🎉\""}, {Text: `a = "\u0041\n"`}},
	&Grouping:        {{"limit = 1,000,000", "limit = 1000000"}, {"f(12'500)", "f(12500)"}, {Text: "f(1, 200)"}, {Text: "a = 1.25; b = 1000"}},
	&Entity: {
		{"if (a &lt; b &amp;&amp; c &gt; d)", "if (a < b && c > d)"},
		{"if (a &amp;lt; b &amp;amp;&amp;amp; c)", "if (a < b && c)"},
		{"x = &#34;1&#x22;", `x = "1"`},
		{Text: "a && b < c"},
		{Text: "&copy; 2024"},
	},
	&Escape: {
		{`a = \"1\"\nb`, "a = \"1\"\nb"},
		{Text: "a = 1\nb = 2\n"},
	},
	&QuoteEscape: {
		{`a = \"1\"`, `a = "1"`},
		{Text: `a = "1"`},
	},
	&StringLines: {
		{"\"if a:\\n\",\n\"    b = \\\"c\\\"\\n\",\n\"d\\n\"\n", "if a:\n    b = \"c\"\nd\n"},
		{Text: "\"a\",\n\"b\",\n\"c\"\n"},
		{Text: "print(\"a\\n\")\n"},
	},
	&Encoded: {
		{"aW1wb3J0IG9zCmltcG9ydCByZQoKcHJpbnQob3MubmFtZSkK\n", "import os\nimport re\n\nprint(os.name)\n"},
		{Text: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ\n"},
		{Text: "3f2c1a9b3f2c1a9b3f2c1a9b3f2c1a9b3f2c1a9b\n"},
	},
	&LostBackslash: {{`a\b`, `a\\b`}, {Text: "a = b"}},
	&BrokenString: {
		{"print(\"a\n\")\nb", "print(\"a\\n\")\nb"},
		{Text: "print(\"a\")\nb"},
	},
	&MarkdownEscape: {{`my\_name \* 2`, "my_name * 2"}, {Text: `a = b\n`}},
	&Fence: {
		{"```go\na\n```\n", "a\n"},
		{"a\n```", "a\n"},
		{Text: "a\n```\nb\n```\n"},
		{Text: "a\n"},
	},
	&ForeignEnd: {
		{"a\n</content>\n", "a\n"},
		{"cat > a <<'EOF'\nb\nEOF\n", "b\n"},
		{Text: "<content>\na\n</content>\n"},
		{Text: "x=1\ncat <<EOF\nb\nEOF\n"},
		{Text: "a\n</div>\n"},
	},
	&LineMark: {
		{"> a\n>\n>   b\n", "a\n\n  b\n"},
		{"│ a │\n│ b │\n", "a\nb\n"},
		{Text: "> a\nb\n"},
		{Text: "# a\n# b\n"},
	},
	&DiffSign: {
		{"+a\n+\n+  b\n", "a\n\n  b\n"},
		{" a\n+b\n-c\n", "a\nb\n"},
		{Text: "- a\n- b\n"},
		{Text: "+a\nb\n"},
	},
	&LineEndMark: {{"a¶\n¶\nb¶\n", "a\n\nb\n"}, {Text: "a\\\nb\n"}},
	&DoubleSpace: {{"a\n\nb\n\n\n\nc\n\n", "a\nb\n\nc\n"}, {Text: "a\n\nb\nc\n"}},
	&LineNumber: {
		{"12 | a\n13 | b\n", "a\nb\n"},
		{" 9: a\n10:     b\n11:\n", "a\n    b\n\n"},
		{"1 | a\n2 | b\n...\n9 | c\n", "a\nb\n...\nc\n"},
		{"   12→\ta", "\ta"},
		{"9 a\n10   b\n", "a\n  b\n"},
		{"9  a\n10 b\n", "a\nb\n"},
		{Text: "1 || a\n2 || b\n"},
		{Text: "10: a\n3: b\n"},
		{Text: "a\nb\n"},
		{Text: "200\n"},
	},
	&NumberLine:    {{"7\na\n8\nb\n", "a\nb\n"}, {Text: "7\n8\n"}},
	&LookAlike:     {{"“a” – ‘b’…", `"a" - 'b'...`}, {"ａ＝１", "a=1"}, {"oﬀset, ﬁle", "offset, file"}, {Text: "café"}},
	&Markup:        {{"a &lt; b<br/>\n", "a < b\n"}, {`<span class="k">if</span> a`, "if a"}, {Text: "<p>a</p>"}},
	&Mojibake:      {{"cafÃ©", "café"}, {"itâ€™s", "it’s"}, {"a = \"Ã¼\"\nb = \"Ã©\"\nc = \"—\"", "a = \"ü\"\nb = \"é\"\nc = \"—\""}, {Text: "café"}, {Text: "cafe"}, {Text: "caf\u00c3\u00a9, café"}},
	&PageSpace:     {{"\u00a0\u00a0a\u200b", "  a"}, {Text: "a\u00a0b"}},
	&Terminal:      {{"\x1b[31mred\x1b[0m", "red"}, {"[0;36mred[0m and [1mbold[0m", "red and bold"}, {Text: "a[0] = m[1]"}, {Text: `echo "\033[1mbold\033[0m"`}, {Text: `printf "\x1b[31m"`}},
	&TrailingSpace: {{"a  \nb\t\n", "a\nb\n"}, {Text: "a\n"}},
	&URLEscape:     {{"a%20=%20%22b%22", `a = "b"`}, {Text: "100% of it"}},
}
