package casetest

import (
	"fmt"
	"slices"
	"strings"
)

// A defect is an error of a text that no artifact undoes. In every notation, the apply asks
// if a whole text or a piece has the defect.
type defect struct {
	name   string
	silent bool // if the file is new, nothing shows the defect
	do     func(string) string
	some   string // the reason why some notations do not ask
}

// alone is why a notation does not ask about lines that it shows one by one.
const alone = "the others show each changed line as a change of its own, which may be intended"

// merged is why a text that leaves out lines need not ask.
const merged = "a whole text that leaves out lines is merged with the file if it has one reading"

func linesOf(s string) []string { return strings.Split(strings.TrimSuffix(s, "\n"), "\n") }

func eachLine(f func(i int, line string) string) func(string) string {
	return func(s string) string {
		all := linesOf(s)
		for i, line := range all {
			all[i] = f(i, line)
		}
		return strings.Join(all, "\n") + "\n"
	}
}

// repeated writes a line below the fourth line of a text, and below every eighth line after that.
func repeated(line string) func(string) string {
	return eachLine(func(i int, l string) string {
		if i%8 == 3 {
			return l + "\n" + line
		}
		return l
	})
}

// replacing writes a line in place of three lines in the middle of a text.
func replacing(line string) func(string) string {
	return func(s string) string {
		l := linesOf(s)
		n := len(l) / 2
		return strings.Join(slices.Concat(l[:n-1], []string{line}, l[n+2:]), "\n") + "\n"
	}
}

func surrounded(above, below string) func(string) string {
	return func(s string) string { return above + s + below }
}

// edited changes the lines that the old text does not have.
func edited(f func(string) string) func(string) string {
	old := linesOf(matrixHead + matrixOld + matrixTail)
	return eachLine(func(_ int, l string) string {
		if slices.Contains(old, l) {
			return l
		}
		return f(l)
	})
}

// stubbed writes a stub in place of the lines below the first one of the passage.
func stubbed(stub string) func(string) string {
	head, body, _ := strings.Cut(matrixNew, "\n")
	return func(s string) string { return strings.Replace(s, head+"\n"+body, head+"\n"+stub, 1) }
}

func defects() []defect {
	return []defect{
		{"a box around the lines", false, eachLine(func(i int, l string) string { return fmt.Sprintf("│ %-70s │", l) }), ""},
		{"a shell prompt before each line", false, eachLine(func(i int, l string) string { return "$ " + l }), ""},
		{"an opening fence below the text", false, func(s string) string { return s + "```python\n" }, ""},
		{"`Show more` below the text", false, func(s string) string { return s + "Show more\n" }, ""},
		{"`Wrap lines` above the text", false, func(s string) string { return "Wrap lines\n" + s }, ""},
		{"`Wrap lines` and `Copy` above the text", false, func(s string) string { return "python\nWrap lines\nCopy\n" + s }, ""},
		{"`Download raw file` above the text", false, func(s string) string { return "Raw\nCopy raw file\nDownload raw file\n" + s }, ""},
		{"`Always show details` below the text", false, func(s string) string { return s + "Show less\nAlways show details\n" }, ""},
		{"`[... 20 lines]` in place of lines", false, func(s string) string {
			l := linesOf(s)
			n := len(l) / 2
			return strings.Join(l[:n-1], "\n") + "\n[... 20 lines]\n" + strings.Join(l[n+1:], "\n") + "\n"
		}, ""},
		{"`(20 lines omitted)` in place of lines", false, func(s string) string {
			l := linesOf(s)
			n := len(l) / 2
			return strings.Join(l[:n-1], "\n") + "\n(20 lines omitted)\n" + strings.Join(l[n+1:], "\n") + "\n"
		}, ""},
		{"a Chinese sentence below the text", false, func(s string) string {
			return s + "\n以上代码修复了这个问题。如果您有任何疑问,请告诉我。\n"
		}, ""},
		{"a German sentence below the text", false, func(s string) string {
			return s + "\nDiese Änderung behebt das Problem. Sag Bescheid, wenn noch etwas fehlt!\n"
		}, ""},
		{"the whole text twice", false, func(s string) string { return s + s }, ""},
		{"the whole text twice, with blank lines between", false, func(s string) string { return s + "\n\n" + s }, ""},
		{"one line, with single spaces", true, func(s string) string { return strings.Join(strings.Fields(s), " ") + "\n" }, ""},
		{"lines joined without spaces", true, func(s string) string { return strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "") + "\n" }, ""},
		{"lines joined by spaces", true, func(s string) string { return strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", " ") + "\n" }, ""},
		{"a byte order mark in the middle", false, func(s string) string {
			l := linesOf(s)
			l[len(l)/2] = "\ufeff" + l[len(l)/2]
			return strings.Join(l, "\n") + "\n"
		}, ""},
		{"no-break spaces in place of all spaces", false, func(s string) string { return strings.ReplaceAll(s, " ", "\u00a0") }, ""},
		{"soft hyphens inside words", false, func(s string) string {
			return strings.NewReplacer("return", "re\u00adturn", "self", "se\u00adlf").Replace(s)
		}, ""},
		{"U+2028 in place of line endings", false, func(s string) string { return strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\u2028") + "\n" }, ""},
		{"U+0085 in place of line endings", false, func(s string) string { return strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\u0085") + "\n" }, ""},
		{"`<br>` at the ends of lines", false, func(s string) string { return strings.ReplaceAll(s, "\n", "<br>\n") }, ""},
		{"escapes of LaTeX", false, func(s string) string { return strings.NewReplacer("_", `\_`, "&", `\&`, "%", `\%`).Replace(s) }, ""},
		{"long lines cut off, with dots", true, eachLine(func(i int, l string) string {
			if len(l) > 40 {
				return l[:37] + "..."
			}
			return l
		}), ""},
		{"the whole text as a JSON string", true, func(s string) string { return fmt.Sprintf("%q\n", s) }, ""},
		{"`You said:` above the text", false, func(s string) string { return "You said:\n" + s }, ""},
		{"`Hope this helps!` below the text", false, func(s string) string { return s + "Hope this helps!\n" }, ""},
		{"each line twice", true, eachLine(func(_ int, l string) string { return l + "\n" + l }), alone},
		{"blank lines lost", true, func(s string) string { return strings.ReplaceAll(strings.ReplaceAll(s, "\n\n\n", "\n"), "\n\n", "\n") }, alone},
		{"blank lines doubled", true, func(s string) string { return strings.ReplaceAll(s, "\n\n", "\n\n\n") }, alone},
		{"all lines commented out", true, eachLine(func(_ int, l string) string { return "# " + l }), "a person may comment out lines"},
		{"the footer of a page between lines", true, repeated("Page 1 of 3"), alone},
		{"`--More--` between lines", true, repeated("--More--"), alone},
		{"last line lost", true, func(s string) string { l := linesOf(s); return strings.Join(l[:len(l)-1], "\n") + "\n" }, alone},
		{"diff of words", false, strings.NewReplacer("halted", "[-stopped-]{+halted+}").Replace, ""},
		{"`etc.` in place of lines", true, replacing("    etc."), alone},
		{"`[unchanged]` in place of lines", false, replacing("[unchanged]"), merged},
		{"`⋮` in place of lines", true, replacing("⋮"), merged},
		{"`--- END OF FILE ---` below the text", false, func(s string) string { return s + "--- END OF FILE ---\n" }, ""},
		{"`\\ No newline at end of file` below the text", false, func(s string) string { return s + "\\ No newline at end of file\n" }, ""},
		{"the header of a hunk above the text", false, func(s string) string { return "@@ -1,7 +1,7 @@\n" + s }, ""},
		{"`</think>` below the text", false, func(s string) string { return s + "</think>\n" }, ""},
		{"`<system-reminder>` below the text", false, func(s string) string { return s + "<system-reminder>\nremember\n</system-reminder>\n" }, ""},
		{"`<\\|im_end\\|>` below the text", false, func(s string) string { return s + "<|im_end|>\n" }, ""},
		{"`<\\|endoftext\\|>` at the end of the last line", false, func(s string) string { return strings.TrimSuffix(s, "\n") + "<|endoftext|>\n" }, ""},
		{"citations at the ends of lines", false, func(s string) string { return strings.Replace(s, "\n", "【4†source】\n", 3) }, ""},
		{"a mark of the cursor", false, func(s string) string { return strings.Replace(s, "return", "<|cursor|>return", 1) }, ""},
		{"replacement characters", false, func(s string) string { return strings.ReplaceAll(s, "é", "\ufffd") }, ""},
		{"backspaces after letters", false, func(s string) string { return strings.ReplaceAll(s, "r", "r\b") }, ""},
		{"the label of a chat above the text", true, func(s string) string { return "ChatGPT\n" + s }, ""},
		{"the header of a mail above the text", true, func(s string) string { return "Content-Type: text/plain\n\n" + s }, ""},
		{"the footer of a mail below the text", true, func(s string) string { return s + "Sent from my iPhone\n" }, ""},
		{"the title of a window above the text", true, func(s string) string { return "28 lines (22 loc) · 1.2 KB\n" + s }, ""},
		{"authors of changes between lines", true, repeated("You, 2 days ago | 1 author (You)"), ""},
		{"`≤` and `≥` in place of operators", true, strings.NewReplacer("<", "≤", ">", "≥").Replace, ""},
		{"one space of indentation at every depth", true, eachLine(func(_ int, l string) string {
			if t := strings.TrimLeft(l, " "); t != l {
				return " " + t
			}
			return l
		}), alone},
		{"arrows before changed lines", true, func(s string) string {
			return strings.NewReplacer("    if now > LIMIT and", "→     if now > LIMIT and", "    print(\"halted", "→     print(\"halted").Replace(s)
		}, ""},
		{"an old line kept above its new version", true, func(s string) string {
			return strings.Replace(s, "    if now > LIMIT and", "    if now > LIMIT:\n    if now > LIMIT and", 1)
		}, ""},
		{"a code block of a wiki around the text", true, surrounded("{code:python}\n", "{code}\n"), ""},
		{"a code block of LaTeX around the text", true, surrounded("\\begin{lstlisting}\n", "\\end{lstlisting}\n"), ""},
		{"a code block of Org around the text", true, surrounded("#+BEGIN_SRC python\n", "#+END_SRC\n"), ""},
		{"a code block of a template around the text", true, surrounded("{% highlight python %}\n", "{% endhighlight %}\n"), ""},
		{"signs of a formula around the text", true, surrounded("$$\n", "$$\n"), ""},
		{"`# NEW` at the end of changed lines", true, edited(func(l string) string { return l + "  # NEW" }), ""},
		{"`# <-- changed` at the end of changed lines", true, edited(func(l string) string { return l + "  # <-- changed" }), ""},
		{"`# hier` at the end of changed lines", true, edited(func(l string) string { return l + "  # hier" }), ""},
		{"comments around changed lines", true, edited(func(l string) string { return "# --- BEGIN CHANGE ---\n" + l + "\n# --- END CHANGE ---" }), ""},
		{"`[REDACTED]` in place of values", true, strings.NewReplacer("\"timer\"", "\"[REDACTED]\"", "stopped é", "[REDACTED]", "halted é", "[REDACTED]").Replace, ""},
		{"stars in place of values", true, strings.NewReplacer("\"timer\"", "\"*****\"", "halted é, and said so", "*****").Replace, ""},
		{"`<your name here>` in place of values", true, strings.NewReplacer("\"timer\"", "\"<your name here>\"", "halted é", "<your text here>").Replace, ""},
		{"a stub in place of a body", true, stubbed("    pass\n"), ""},
		{"a stub and a comment in place of a body", true, stubbed("    # TODO: implement\n    pass\n"), ""},
		{"an error in place of a body", true, stubbed("    raise NotImplementedError\n"), ""},
		{"a word cut in two", true, strings.NewReplacer("now < 9 * LIMIT", "now < 9 * LI\nMIT", "self.text = ", "self.te\nxt = ").Replace, ""},
		{"a misspelled name on a line that stays", true, strings.NewReplacer("'-', my_name", "'-', my_nmae").Replace, ""},
		{"a string cut in two", true, strings.NewReplacer("halted é", "hal\nted é").Replace, ""},
		{"the old line in a comment after the new one", true, strings.NewReplacer("9 * LIMIT:", "9 * LIMIT:  # was: if now > LIMIT:").Replace, ""},
		{"arrows at the end of changed lines, without a comment", true, edited(func(l string) string { return l + "  <-- changed" }), ""},
		{"`!` before changed lines", true, edited(func(l string) string { return "! " + l }), ""},
		{"changed lines in bold", true, edited(func(l string) string { t := strings.TrimLeft(l, " "); return l[:len(l)-len(t)] + "**" + t + "**" }), ""},
		{"dots in place of values", true, strings.NewReplacer("\"timer\"", "\"...\"", "halted é, and said so", "...").Replace, ""},
		{"a doc comment in place of a body", true, stubbed("    \"\"\"Stop.\"\"\"\n"), ""},
		{"an import twice", true, func(s string) string { return "import os\n" + s }, ""},
		{"one bracket too many", true, func(s string) string { return s + "}\n" }, ""},
		{"a bracket lost", true, strings.NewReplacer("min(now, 86400)", "min(now, 86400").Replace, ""},
		{"a fence in the middle", true, strings.NewReplacer("    return \"é", "```\n\n```python\n    return \"é").Replace, ""},
		{"a word twice", true, strings.NewReplacer("return re", "return return re").Replace, ""},
		{"a letter in place of a digit", true, strings.NewReplacer("86400", "8640O").Replace, ""},
		{"a line cut in two after a sign", true, strings.NewReplacer("'-', my_name", "'-',\n my_name").Replace, ""},
		{"two statements on one line", true, strings.NewReplacer("length = length\n        self", "length = length self").Replace, ""},
		{"words without their middle", true, strings.NewReplacer("stop(now, my_name", "st…name", "def __init__(self, length)", "def __i…gth)").Replace, ""},
		{"a jump into another block", true, strings.NewReplacer("        self.text = \"a\\tb\"\n\n    def wait(self):\n", "").Replace, alone},
		{"an editor's count of usages above a function", false, strings.NewReplacer("    def wait(self):\n", "    2 usages\n    def wait(self):\n").Replace, ""},
		{"the first line of a block at the left margin", true, strings.NewReplacer("    def wait(self):\n", "def wait(self):\n").Replace, ""},
		{"lines cut off at a column", true, eachLine(func(_ int, l string) string { return l[:min(26, len(l))] }), ""},
		{"lines without their first characters", true, eachLine(func(_ int, l string) string { return l[min(4, len(l)):] }), ""},
		{"doubled backslashes", true, strings.NewReplacer(`\`, `\\`).Replace, ""},
		{"lost escapes", true, strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\"`, `"`, `\\`, `\`).Replace, ""},
		{"URL escapes in place of spaces and quotes", true, func(s string) string { return strings.NewReplacer(" ", "%20", "\"", "%22").Replace(s) }, ""},
	}
}
