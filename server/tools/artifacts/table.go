package artifacts

import (
	"fmt"
	"html"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"
)

// The texts that several artifacts share.
const (
	nothingToCompare      = "a new file has no old text to compare, and its text may be meant like this"
	escapeCertain         = "No: the file may have such strings. The fix is offered."
	escapeOrigin          = "A model escapes a JSON string once too often, or copies escaped output of a program."
	lostEscapeCertain     = "No: it is unknown which characters were escaped. The fix is offered."
	lostEscapeOrigin      = "A model leaves out one level of escapes in a JSON string, so `\\n` becomes the end of a line."
	lostEscapeReplacement = "The replacement is also escaped."
)

// Of describes each artifact of [artifact.Table].
var Of = map[*artifact.Artifact]About{
	&artifact.Exact: {
		Forgives:    "Nothing: every byte is the same.",
		Certain:     "Yes. Every format applies such a passage as it is.",
		Replacement: "The replacement is inserted as written.",
	},
	&artifact.LineEnding: {
		Origin:      "Editors, operating systems and git differ in their line endings.",
		Forgives:    "LF, CRLF and CR are the same.",
		Certain:     "Yes: a model cannot see line endings, so it cannot intend a difference in them. If this rule finds the text to be replaced, it is replaced without a fix. A hunk of a git patch gets a fix instead, because git would refuse it.",
		Replacement: "A line that stays keeps its own ending. A new line gets the ending that most lines of the file have.",
		Silent:      map[string]string{WholeText: "the file keeps its own line endings; only a git patch sets them", Piece: "the file keeps its own line endings; only a git patch sets them", NewFile: "a new file may have any line endings; only a git patch sets them"},
		Own:         "a notation that cannot express line endings keeps those of the file",
		Do: []func(string) string{
			func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
			func(s string) string { return strings.ReplaceAll(s, "\n", "\r") },
		},
	},
	&artifact.TrailingSpace: {
		Silent:      map[string]string{NewFile: nothingToCompare},
		Origin:      "Terminals pad lines with spaces; models leave out invisible white space.",
		Forgives:    "Spaces and tabs at the ends of lines, a missing ending of the last line, and a byte order mark at the beginning of the file.",
		Certain:     "Yes, if the passage occurs once and is too long to match by accident, so no other place can be meant.",
		Replacement: "Lines that the replacement shares with the passage stay as in the file.",
		Do:          []func(string) string{perLine(func(_ int, line string) string { return line + "  " })},
	},
	&artifact.Tabs: {
		Origin:      "Editors, pages and models write tabs as spaces, or the reverse.",
		Forgives:    "Indentation by tabs in place of spaces, or the reverse, if every line keeps its depth.",
		Certain:     "Yes, if the conditions for trailing white space hold and the lines show how wide a tab is. Then no line moves.",
		Replacement: "The indentation of the replacement is rewritten in the style of the file.",
	},
	&artifact.Indentation: {
		Silent:      map[string]string{NewFile: nothingToCompare},
		Origin:      "A text is written inside a list, tags or a string, or copied without the block around it.",
		Forgives:    "A passage whose lines are all indented more, or less, by the same amount.",
		Certain:     "Yes, if the passage is long enough (longer than the rules above require), occurs once even if white space is ignored, and nothing suggests that the replacement already has the indentation of its place. No, if lines are shifted by different amounts.",
		Replacement: "The replacement is shifted like the passage. Lines that both share stay as in the file.",
		Do:          []func(string) string{indenting("    "), indenting("\t")},
	},
	&artifact.Spacing: {
		Origin:      "Pages show several spaces as one, and models add or drop alignment.",
		Forgives:    "One space between words in place of several spaces or tabs.",
		Certain:     "No: white space inside a line can matter. The fix is offered.",
		Replacement: "The replacement is merged with the text of the file, whose other white space stays.",
		Silent:      map[string]string{NewFile: nothingToCompare},
		Do: []func(string) string{perLine(func(_ int, line string) string {
			return line[:len(line)-len(strings.TrimLeft(line, " \t"))] + strings.Join(strings.Fields(line), "")
		})},
	},
	&artifact.PageSpace: {
		Origin:      "A text is copied from a web page, which indents with no-break spaces and allows line breaks by invisible characters.",
		Forgives:    "No-break spaces at the beginning of lines, zero-width characters, soft hyphens, accents that are separate characters, and Unicode line and paragraph separators.",
		Certain:     "Yes, if the file has no such characters, because nobody writes them on purpose.",
		Replacement: "The spaces of the replacement are also made plain.",
		Do: []func(string) string{
			perLine(func(_ int, line string) string {
				n := len(line) - len(strings.TrimLeft(line, " "))
				return strings.Repeat("\u00a0", n) + line[n:]
			}),
			perLine(func(_ int, line string) string { return line + "\u200b" }),
			func(s string) string { return strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\u2028") + "\n" },
			func(s string) string { return strings.ReplaceAll(s, "return", "re\u00adturn") },
			norm.NFD.String,
		},
	},
	&artifact.LookAlike: {
		Origin:      "Word processors, chat windows and models write typographic characters: curly quotes, long dashes, ellipses, full-width letters.",
		Forgives:    "Typographic quotes and dashes, ellipses, no-break spaces, full-width letters, ligatures, invisible characters and any white space. In a hunk, which is compared line by line: only quotes, dashes, ellipses, special spaces, and the differences that the spacing rule forgives.",
		Certain:     "No: the file may need such characters. The fix is offered.",
		Replacement: "The replacement is merged with the text of the file, with plain characters if the file has them.",
		Silent:      map[string]string{NewFile: "dashes, ellipses and spaces may be meant for readers; Aptix asks only about quotes and full-width letters in code"},
		Do: []func(string) string{
			strings.NewReplacer(`"`, "”", "'", "’").Replace,
			strings.NewReplacer("-", "–").Replace,
			strings.NewReplacer("...", "…", " ", "\u00a0").Replace,
			func(s string) string {
				return strings.Map(func(r rune) rune {
					if r > ' ' && r < utf8.RuneSelf-1 {
						return r - '!' + '！'
					}
					return r
				}, s)
			},
		},
	},
	&artifact.Terminal: {
		Origin:      "A text is copied from the colored output of a program.",
		Forgives:    "Escape sequences for a terminal, and `^M` for the carriage return at the end of a line.",
		Replacement: "The same characters are removed from the replacement.",
		Do: []func(string) string{
			perLine(func(_ int, line string) string { return "\x1b[32m" + line + "\x1b[0m" }),
			perLine(func(_ int, line string) string { return "\x1b[1;38;5;12m" + line + "\x1b[m\x1b[K" }),
			perLine(func(_ int, line string) string { return line + "^M" }),
		},
	},
	&artifact.Buttons: {
		Origin:      "Code is copied from a page together with the buttons and the name of the language above it.",
		Forgives:    "Lines with the text of a button (\"Copy\", \"Copy code\", \"Edit\") above or below the text, and the name of a language above it.",
		Replacement: "The same lines are removed from the replacement.",
		Do: []func(string) string{
			func(s string) string { return "Copy\n" + s },
			func(s string) string { return "python\nCopy code\n" + s },
			func(s string) string { return "javascript\n\nCopy\nEdit\n" + s },
			func(s string) string { return s + "Copy code\n" },
			func(s string) string { return "Raw\nDownload raw file\n" + s },
			func(s string) string { return "Wrap lines\n" + s },
			func(s string) string { return s + "Show more\n" },
		},
	},
	&artifact.Fence: {
		Origin:      "A model puts code into fences everywhere, even inside JSON and tags.",
		Forgives:    "A fence line before the first line, after the last line, or both.",
		Replacement: "A fence around the replacement is also removed.",
		Do: []func(string) string{
			func(s string) string { return "```python\n" + s + "```\n" },
			func(s string) string { return "~~~\n" + s + "~~~" },
			func(s string) string { return s + "```\n" },
			func(s string) string { return "```\n" + s },
		},
	},
	&artifact.ForeignEnd: {
		Origin:      "A model that knows several notations puts the first or last mark of another one around a text.",
		Forgives:    "An end mark such as `</content>`, `EOF`, `*** End Patch` or `>>>>>>> REPLACE` after the last line, or the matching first mark before the first line.",
		Replacement: "The same line is removed from the replacement.",
		Do: []func(string) string{
			func(s string) string { return s + "</content>\n" },
			func(s string) string { return s + "EOF\n" },
			func(s string) string { return s + "*** End Patch\n" },
			func(s string) string { return s + ">>>>>>> REPLACE\n" },
			func(s string) string { return "cat > src/app.py <<'EOF'\n" + s + "EOF\n" },
			func(s string) string { return s + "]]>\n</parameter>\n</invoke>\n" },
		},
	},
	&artifact.LostCharacter: {
		Origin:      "A program that supports only ASCII writes `?` or nothing in place of other characters, and models drop accents.",
		Forgives:    "Letters without accents, and `?`, `�` or nothing in place of other characters.",
		Certain:     "No: the edit may be about these characters. The fix is offered.",
		Replacement: "Lines of the replacement that are also in the file are written as in the file.",
	},
	&artifact.LostSign: {
		Silent:      map[string]string{NewFile: nothingToCompare},
		Origin:      "Programs interpret signs: Markdown `__` and `*`, a page its tags, a shell `\\`, quotes and variables.",
		Forgives:    "One kind of character is missing everywhere: backslashes, `__`, `*`, double quotes, `$`, shell variables, values of templates (`{{ name }}`), tags in angle brackets, the signs of powers (`r^2`), numbers in square brackets, or the commas or semicolons at line ends; or each `$$`, `%%` or double backtick is halved.",
		Certain:     "No: the edit may be about these signs. The fix is offered.",
		Replacement: "Lines of the replacement that are also in the file are written as in the file.",
		Do: []func(string) string{
			func(s string) string { return strings.ReplaceAll(s, "__", "") },
			func(s string) string { return strings.ReplaceAll(s, `\`, "") },
		},
	},
	&artifact.LetterCase: {
		Silent:      map[string]string{NewFile: nothingToCompare},
		Origin:      "Word processors, phones and transcripts write capitals at the beginning of lines and sentences, or everywhere.",
		Forgives:    "All letters in one case, or capitals at the beginning of lines.",
		Certain:     "No: names may differ only in case. The fix is offered.",
		Replacement: "Lines of the replacement that are also in the file are written as in the file.",
		Do:          []func(string) string{strings.ToUpper, perLine(capitalized)},
	},
	&artifact.LineNumber: {
		Origin:      "Editors, pages, `cat -n` and the tools of agents show a file with line numbers, and a model copies them.",
		Forgives:    "Numbers that count up before all or most lines, followed by any sign or white space, or on lines of their own.",
		Replacement: "The numbers of the replacement are also removed.",
		Do: []func(string) string{
			numbering("%d | %s"), numbering("%4d | %s"), numbering("%6d\t%s"), numbering("%d→%s"), numbering("%5d→%s"), numbering("L%d: %s"),
			numbering("%d: %s"), numbering("%d:%s"), numbering("[%d] %s"), numbering("%d. %s"), numbering("%d) %s"), numbering("%3d  %s"),
			numbering("%03d│%s"), numbering("%d|%s"), numbering("Line %d: %s"),
		},
	},
	&artifact.NumberLine: {
		Origin:      "A page shows the numbers next to the code, and a copied text has them between the lines.",
		Forgives:    "Before every line, a line with only its number.",
		Replacement: "The numbers of the replacement are also removed.",
		Do:          []func(string) string{numbering("%d\n%s")},
	},
	&artifact.DiffSign: {
		Origin:      "A text is copied from a diff, with `+` or a space before each line.",
		Forgives:    "`+` before each line, or a space before unchanged lines. Lines with `-` are removed.",
		Replacement: "The same signs are removed from the replacement.",
		Do: []func(string) string{
			perLine(func(_ int, line string) string { return "+" + line }),
			perLine(func(i int, line string) string {
				if i == 1 {
					return "+" + line
				}
				return " " + line
			}),
		},
	},
	&artifact.LineMark: {
		Origin:      "Mails and chats quote a text with `>` before each line, terminals draw a border, and documentation shows a prompt.",
		Forgives:    "`>`, `|`, `│`, `»` or `$` before every line, with the space after it, and a border at the end of the line.",
		Replacement: "The same marks are removed from the replacement.",
		Do: []func(string) string{
			perLine(func(_ int, line string) string { return "> " + line }),
			perLine(func(_ int, line string) string { return strings.TrimRight("> "+line, " ") }),
			perLine(func(_ int, line string) string { return "│ " + line }),
			perLine(func(_ int, line string) string { return ">> " + line }),
		},
	},
	&artifact.DoubleSpace: {
		Origin:      "A page makes a paragraph of each line, or a program reads CR and LF as two line endings.",
		Forgives:    "An empty line after every line.",
		Replacement: "The empty lines of the replacement are removed in the same way.",
		Silent: map[string]string{
			Piece: "if each line is a replacement of its own, an empty line may be meant",
		},
		Do: []func(string) string{perLine(func(_ int, line string) string { return line + "\n" })},
	},
	&artifact.Entity: {
		Origin:      "A text is copied from the source of a page, or a model writes it as XML: `&lt;` for `<`.",
		Forgives:    "XML entities and numeric entities, escaped once; or twice, if all of them are (`&amp;lt;`).",
		Replacement: "Entities in the replacement are also resolved.",
		Do: []func(string) string{
			escapeHTML,
			func(s string) string { return escapeHTML(escapeHTML(s)) },
			html.EscapeString,
			strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace,
		},
	},
	&artifact.Escape: {
		Origin:      escapeOrigin,
		Forgives:    "`\\n`, `\\t` and `\\\"` as two characters, and doubled backslashes.",
		Certain:     escapeCertain,
		Replacement: "One level of escapes is also removed from the replacement.",
		Do: []func(string) string{
			strings.NewReplacer("\n", `\n`, "\t", `\t`, `"`, `\"`, `\`, `\\`).Replace,
			strings.NewReplacer("\n", `\n`).Replace,
		},
	},
	&artifact.QuoteEscape: {
		Origin:      escapeOrigin,
		Forgives:    "A backslash before quotes, two double quotes around words in place of one, or an apostrophe that is doubled as in SQL or written for a shell (`'\\''`).",
		Certain:     escapeCertain,
		Replacement: "Such quotes in the replacement are also made plain.",
		Do:          []func(string) string{strings.NewReplacer(`"`, `\"`).Replace},
	},
	&artifact.MarkdownEscape: {
		Origin:      "A Markdown editor, or a model that writes outside a fence, puts a backslash before Markdown's special characters.",
		Forgives:    "A backslash before `_`, `*`, `[`, `]`, `#`, `<`, `>`, `~`, `|`, `$` and other special characters of Markdown.",
		Certain:     escapeCertain,
		Replacement: "These backslashes are also removed from the replacement.",
		Do:          []func(string) string{escapeMarkdown},
	},
	&artifact.URLEscape: {
		Origin:      "A text was sent as part of a URL or in a form.",
		Forgives:    "`%20` in place of a space, and other characters as their bytes.",
		Certain:     "No: the file may have such escapes. The fix is offered.",
		Replacement: "Escapes in the replacement are also decoded.",
		Do:          []func(string) string{url.PathEscape},
	},
	&artifact.Mojibake: {
		Origin:      "A program reads UTF-8 as Windows-1252: `Ã©` for `é`.",
		Forgives:    "Non-ASCII characters whose bytes were read as one character each.",
		Replacement: "The encoding of the replacement is also repaired.",
		Do: []func(string) string{func(s string) string {
			out, err := charmap.Windows1252.NewDecoder().String(s)
			if err != nil || strings.ContainsRune(out, utf8.RuneError) {
				return s
			}
			return out
		}},
	},
	&artifact.Markup: {
		Origin:      "A text is copied from the source of a page: `<br>` ends its lines, and `<span>` colors its words.",
		Forgives:    "`<br>` at the ends of lines, formatting tags such as `<span>`, `<code>`, `<pre>` and `<b>`, and entities.",
		Certain:     "No: the file may have such tags. The fix is offered.",
		Replacement: "The same tags are removed from the replacement.",
		Do: []func(string) string{
			perLine(func(_ int, line string) string { return html.EscapeString(line) + "<br>" }),
			perLine(func(_ int, line string) string { return `<span class="line">` + html.EscapeString(line) + "</span>" }),
		},
	},
	&artifact.Emphasis: {
		Silent:      map[string]string{NewFile: nothingToCompare},
		Origin:      "Models write words of code in bold, or strike them out.",
		Forgives:    "`**` or `~~` around words.",
		Certain:     "No: operators may look the same. The fix is offered.",
		Replacement: "The same marks are removed from the replacement.",
		Do: []func(string) string{
			func(s string) string { return keywords.ReplaceAllString(s, "**$1**") },
			func(s string) string { return keywords.ReplaceAllString(s, "~~$1~~") },
		},
	},
	&artifact.Bold: {
		Origin:      "A Markdown editor reads `__init__` as bold text and writes `**init**`.",
		Forgives:    "`**` instead of `__` around a name.",
		Certain:     "No: operators may look the same. The fix is offered.",
		Replacement: "Names in the replacement also get `__`.",
		Do:          []func(string) string{func(s string) string { return dunder.ReplaceAllString(s, "**${1}**") }},
	},
	&artifact.Link: {
		Origin:      "A chat mistakes `os.path` for a web address and writes `[os.path](http://os.path)`.",
		Forgives:    "A link whose text equals its address, or is the number at the end of it, or is its telephone number, in Markdown, in HTML, or in the style of chats and mails.",
		Certain:     "No: the text may have links of its own. The fix is offered.",
		Replacement: "Such links are also removed from the replacement.",
		Do: []func(string) string{
			func(s string) string { return dotted.ReplaceAllString(s, "[$1](http://$1)") },
			func(s string) string { return dotted.ReplaceAllString(s, "[$1](https://$1/)") },
			func(s string) string { return dotted.ReplaceAllString(s, "<http://$1|$1>") },
			func(s string) string { return dotted.ReplaceAllString(s, `<a href="http://$1">$1</a>`) },
		},
	},
	&artifact.Footnote: {
		Silent:      map[string]string{NewFile: nothingToCompare},
		Origin:      "Answers with sources put their numbers at the ends of lines.",
		Forgives:    "Numbers in square brackets, or small raised ones, at the ends of lines.",
		Certain:     "No: the text may have such numbers of its own. The fix is offered.",
		Replacement: "The same numbers are removed from the replacement.",
		Do:          []func(string) string{perLine(func(i int, line string) string { return fmt.Sprintf("%s [%d]", line, i%9+1) })},
	},
	&artifact.Citation: {
		Origin:      "Chat programs that search the web put such a mark behind a statement.",
		Forgives:    "`[cite: 34]`, `【12†source】` and the like.",
		Certain:     "Yes, if the passage is long enough, and occurs once in the file without the marks. No file has such marks of its own.",
		Replacement: "The same marks are removed from the replacement.",
		Do: []func(string) string{
			perLine(func(i int, line string) string { return fmt.Sprintf("%s [cite: %d]", line, i+1) }),
			perLine(func(i int, line string) string { return fmt.Sprintf("%s【%d†source】", line, i+1) }),
		},
	},
	&artifact.Grouping: {
		Silent:      map[string]string{NewFile: nothingToCompare},
		Origin:      "A program for office documents groups the digits of numbers.",
		Forgives:    "`1,000` where the file has `1000`; also with a dot or an apostrophe.",
		Certain:     "No: the text may have such numbers of its own. The fix is offered.",
		Replacement: "Thousands separators in the replacement are removed, too.",
		Do:          []func(string) string{func(s string) string { return thousands.ReplaceAllString(s, "$1,$2") }},
	},
	&artifact.DecimalComma: {
		Silent:      map[string]string{NewFile: nothingToCompare},
		Origin:      "A program for another country writes numbers with a comma.",
		Forgives:    "`0,75` where the file has `0.75`.",
		Certain:     "No: the text may have commas between digits. The fix is offered.",
		Replacement: "Commas between digits in the replacement become points, too.",
		Do:          []func(string) string{func(s string) string { return decimal.ReplaceAllString(s, "$1,$2") }},
	},
	&artifact.FullStop: {
		Origin:      "The keyboard of a phone makes a full stop of two spaces, and begins a sentence after each full stop.",
		Forgives:    "A full stop and a space in place of two spaces of the indentation, and `list. Add()` in place of `list.add()`, as the keyboard of a phone writes them.",
		Certain:     "No: the case of a letter may matter. The fix is offered.",
		Replacement: "Full stops in the replacement are repaired in the same way.",
		Do: []func(string) string{
			perLine(func(_ int, line string) string {
				if strings.HasPrefix(line, "    ") {
					return ". " + line[2:]
				}
				return line
			}),
			func(s string) string {
				return member.ReplaceAllStringFunc(s, func(m string) string {
					at := strings.LastIndex(m, ".") + 1
					return m[:at] + " " + strings.ToUpper(m[at:at+1]) + m[at+1:]
				})
			},
		},
	},
	&artifact.ParameterHint: {
		Silent:      map[string]string{NewFile: nothingToCompare},
		Origin:      "An editor or a page shows the name of the parameter before each argument of a call.",
		Forgives:    "A name and a colon before the arguments of a call, in a language whose calls have no such names.",
		Certain:     "No: only a comparison with the file shows this change. The fix is offered.",
		Replacement: "The same names are removed from the replacement.",
		Do:          []func(string) string{func(s string) string { return argument.ReplaceAllString(s, "$1 value: $2") }},
	},
	&artifact.CharacterEscape: {
		Silent:      map[string]string{NewFile: nothingToCompare},
		Origin:      "A program that writes JSON in ASCII, or a model that imitates it.",
		Forgives:    "`\\u00e9` where the file has `é`.",
		Certain:     "No: the text may have such escapes. The fix is offered.",
		Replacement: "Escapes in the replacement become characters, too.",
		Do:          []func(string) string{strings.NewReplacer("é", `\u00e9`, "ï", `\u00ef`).Replace},
	},
	&artifact.Rewritten: {
		Silent:      map[string]string{NewFile: nothingToCompare},
		Origin:      "Mail gateways wrap links, chat programs have names for emoji, word processors set bullets, spreadsheets read dates and long numbers, models round numbers and renumber keys, and pages fill in templates.",
		Forgives:    "The name of an emoji, such as `:fire:`, or an emoji for a text such as `:100:`; a link that has the link of the file in its address; a number with at least two decimals fewer, or with an exponent; a date such as `2 Jan` for `1-2`; keys that count from 0 or 1; bullets for the marks of a list; two dots for a dot at the beginning of lines; a template's values; a web address without its escapes or entities; a hash of which only the first digits are left; non-ASCII characters that were read in a wrong encoding, or written with ASCII letters or plain digits.",
		Certain:     "No: only a comparison with the file shows this change. The fix is offered.",
		Replacement: "Lines of the replacement that are also in the file are written as in the file.",
		Do:          []func(string) string{strings.NewReplacer("🔥", ":fire:").Replace},
	},
	&artifact.LostBreak: {
		Forgives:    "Lines of Markdown without the two spaces at their ends that break a line.",
		Certain:     "No: the edit may be about these breaks. The fix is offered.",
		Replacement: "Lines of the replacement that are also in the file are written as in the file.",
	},
	&artifact.LostBackslash: {
		Silent:      map[string]string{NewFile: nothingToCompare},
		Origin:      lostEscapeOrigin,
		Forgives:    "One backslash where the file has two.",
		Certain:     lostEscapeCertain,
		Replacement: lostEscapeReplacement,
		Do:          []func(string) string{strings.NewReplacer(`\\`, `\`).Replace},
	},
	&artifact.BrokenString: {
		Silent:      map[string]string{NewFile: "tabs in strings may be meant; Aptix asks only about line breaks, in languages whose strings cannot have them"},
		Origin:      lostEscapeOrigin,
		Forgives:    "A string that continues on the next line where the file has `\\n`, or that has a tab where the file has `\\t`.",
		Certain:     "No. The fix is offered.",
		Replacement: "Strings in the replacement are also repaired.",
		Do:          []func(string) string{strings.NewReplacer(`\n`, "\n").Replace, strings.NewReplacer(`\t`, "\t").Replace},
	},
	&artifact.Wrapped: {
		Silent:      map[string]string{NewFile: nothingToCompare},
		Origin:      "Mails, terminals and pages break long lines at a width, with or without a hyphen or an arrow.",
		Forgives:    "A line of the file broken into two or more lines, if the later ones are indented less than a person would indent them.",
		Certain:     "No: someone may have asked for shorter lines. The fix is offered.",
		Replacement: "Lines of the replacement that are one line in the file are joined.",
		Do: []func(string) string{
			perLine(func(_ int, line string) string {
				return line[:min(40, len(line))] + strings.TrimSuffix("\n"+line[min(40, len(line)):], "\n")
			}),
			perLine(func(_ int, line string) string {
				if len(line) > 40 {
					return line[:38] + "↩\n" + line[38:]
				}
				return line
			}),
		},
	},
	&artifact.Substitution: {
		Silent:      map[string]string{NewFile: nothingToCompare},
		Origin:      "Text recognition, mails, word processors, translators and serializers replace one character with another everywhere.",
		Forgives:    "The same substitution at several places, of a few characters for others. A substitution of one name, operator or kind of quotes for another does not count, because a person may have made it on purpose.",
		Certain:     "No: only a comparison with the file shows this change. The fix is offered.",
		Replacement: "Lines of the replacement that are also in the file are written as in the file.",
		Do: []func(string) string{
			strings.NewReplacer("a", "а", "e", "е", "o", "о").Replace, // Cyrillic letters that look like Latin ones
			strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "'", `\u0027`).Replace,
		},
	},
	&artifact.EdgeLine: {
		Forgives:    "A first or last line of the passage that is not at that place in the file, if the replacement repeats the line and a rule above finds the rest.",
		Certain:     "No. The fix is offered.",
		Replacement: "The same line is left out of the replacement.",
	},
	&artifact.Likeness: {
		Forgives:    "Changed, missing and added characters and lines, if at least 60 % of the characters are the same in the same order (75 % for one short line).",
		Certain:     "Never. The most similar places are offered with their similarity, the best first.",
		Replacement: "The replacement gets the indentation of the similar text in the file. A second fix also carries over the other ways in which that text differs from the passage.",
	},
}
