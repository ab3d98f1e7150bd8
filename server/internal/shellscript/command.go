package shellscript

import (
	"github.com/aptix-dev/aptix/server/internal/text"
	"path"
	"slices"
	"strings"
)

// Arguments are the words of a command after its program.
type Arguments struct {
	Options []string
	Files   []Word // everything that is not an option
}

// Program returns the name of a command's program, and the arguments. For git, the name includes the subcommand:
// "git apply". Options before the subcommand are arguments, too.
func (c Command) Program() (string, Arguments) {
	words := c.Words
	for len(words) > 0 && (isAssignment(words[0]) || slices.Contains([]string{"sudo", "command", "nohup", "env"}, words[0].Text)) {
		words = words[1:]
	}
	if len(words) == 0 {
		return "", Arguments{}
	}
	name := path.Base(words[0].Text)
	words = words[1:]
	var args Arguments
	for name == "git" && len(words) > 0 {
		option := words[0].Text
		words = words[min(len(words), 1):]
		if !strings.HasPrefix(option, "-") {
			name = "git " + option
			break
		}
		if args.Options = append(args.Options, option); option == "-C" || option == "-c" {
			words = words[min(len(words), 1):]
		}
	}
	ended := false
	for _, w := range words {
		switch {
		case !ended && w.Text == "--":
			ended = true
		case !ended && len(w.Text) > 1 && w.Text[0] == '-':
			args.Options = append(args.Options, w.Text)
		default:
			args.Files = append(args.Files, w)
		}
	}
	return name, args
}

// isAssignment reports whether a word before a program sets a variable: `LANG=C`.
func isAssignment(w Word) bool {
	name, _, ok := strings.Cut(w.Text, "=")
	return ok && name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789") == ""
}

// Inner returns the scripts in parentheses or backticks in the words of a command, such as `$(...)` and `<(...)`.
func (c Command) Inner() (scripts []string) {
	words := append(slices.Clone(c.Words), text.Each(c.Redirects, func(rd Redirect) Word { return rd.Target })...)
	for _, w := range words {
		for rest := w.Text; !w.Plain; {
			at := strings.IndexAny(rest, "(`")
			if at < 0 {
				break
			}
			l := lexer{body: rest[at:]}
			if l.substitution(&strings.Builder{}) {
				scripts = append(scripts, l.body[1:l.at-1])
			}
			rest = l.body[max(l.at, 1):]
		}
	}
	return scripts
}

// Only reports whether a command has no other options.
func (a Arguments) Only(options ...string) bool {
	return !slices.ContainsFunc(a.Options, func(o string) bool { return !slices.Contains(options, o) })
}

// Has reports whether a command has any of the options.
func (a Arguments) Has(options ...string) bool {
	return slices.ContainsFunc(a.Options, func(o string) bool { return slices.Contains(options, o) })
}

// IsTrial reports whether these arguments make a command only show its changes, without making them.
func (a Arguments) IsTrial(name string) bool {
	return name == "patch" && a.Has("--dry-run") || strings.HasPrefix(name, "git ") && a.Has("-n", "--dry-run", "--check", "--stat")
}

// Input returns the here-document of a command. It returns false if there is none, or another input.
func (c Command) Input() (body HereDoc, found bool) {
	for _, rd := range c.Redirects {
		if !strings.HasPrefix(rd.Op, "<") {
			continue
		}
		if found || rd.Op != "<<" && rd.Op != "<<-" {
			return HereDoc{}, false
		}
		body, found = rd.Body, true
	}
	return body, found
}

// Output returns the file to which a redirect sends the output of a command, and whether the output is appended. It
// returns false if there is no such file, or another redirect that is not a here-document.
func (c Command) Output() (to Word, appends, found bool) {
	for _, rd := range c.Redirects {
		switch rd.Op {
		case ">", ">|", ">>":
			if found {
				return Word{}, false, false
			}
			to, appends, found = rd.Target, rd.Op == ">>", true
		case "<<", "<<-":
		default:
			return Word{}, false, false
		}
	}
	return to, appends, found
}
