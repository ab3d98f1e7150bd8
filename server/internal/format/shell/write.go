package shell

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
)

// hereDocsEnd reports whether every here-document of a command has the line that ends it.
func (r *reader) hereDocsEnd(c command) bool { return !slices.ContainsFunc(c.redirects, openHereDoc) }

func openHereDoc(rd redirect) bool {
	return (rd.op == "<<" || rd.op == "<<-") && !rd.body.closed
}

// hasNoEnd reports a here-document without its last line, because it may have been cut off.
func (r *reader) hasNoEnd(c command) bool {
	i := slices.IndexFunc(c.redirects, openHereDoc)
	if i < 0 {
		return false
	}
	rd := c.redirects[i]
	r.parsed.Entries++
	r.fail(diag.ShellNoEnd, rd.target.at, "no line below is `"+rd.target.text+"`, which would end this here-document: it may have been cut off; write that line at its end")
	return true
}

// input returns the here-document of a command. It returns false if there is none, or more
// than one input.
func (c command) input() (body hereDoc, found bool) {
	for _, rd := range c.redirects {
		if !strings.HasPrefix(rd.op, "<") {
			continue
		}
		if found || rd.op != "<<" && rd.op != "<<-" {
			return hereDoc{}, false
		}
		body, found = rd.body, true
	}
	return body, found
}

// output returns the file to which a command's output goes, and whether it is appended. It
// returns false if there is none, or more than one.
func (c command) output() (to word, appends, found bool) {
	for _, rd := range c.redirects {
		switch rd.op {
		case ">", ">|", ">>":
			if found {
				return word{}, false, false
			}
			to, appends, found = rd.target, rd.op == ">>", true
		case "<<", "<<-":
		default:
			return word{}, false, false
		}
	}
	return to, appends, found
}

// cat reads `cat > PATH <<'EOF'`. Without a redirect, cat only shows something.
func (r *reader) cat(c command, args arguments) bool {
	body, ok := c.input()
	to, appends, writes := c.output()
	if !ok || !writes || len(args.options) > 0 || len(args.files) > 1 || len(args.files) == 1 && args.files[0].text != "-" {
		return false
	}
	r.write(c, to, body, appends)
	return true
}

// tee reads `tee PATH <<'EOF'`, whose output on the terminal does not count.
func (r *reader) tee(c command, args arguments) bool {
	body, ok := c.input()
	if !ok || len(args.files) != 1 || !args.only("-a", "--append") || r.writesFile(c) {
		return false
	}
	r.write(c, args.files[0], body, len(args.options) > 0)
	return true
}

// write adds the change of a here-document that goes to a file.
func (r *reader) write(c command, to word, body hereDoc, appends bool) {
	at := intent.Literal{}
	if body.at.In(r.body) == body.text {
		at.Span = body.at
	}
	if appends {
		r.append(c, to, body.text, at)
		return
	}
	change := intent.Change{Kind: intent.Write, Content: body.text, ContentAt: at}
	change.Path, change.PathAt = r.path(to)
	r.add(c, change)
	r.written[change.Path] = draft{body: body, change: len(r.parsed.Set.Changes) - 1}
}

// echo reads `echo 'text' > PATH`.
func (r *reader) echo(c command, args arguments) bool {
	to, appends, writes := c.output()
	if !writes || len(args.options) > 0 {
		return false
	}
	var words []string
	for _, w := range args.files {
		if strings.ContainsRune(w.text, '\\') || w.braces {
			return false // shells disagree about the output of echo for it
		}
		words = append(words, w.text)
	}
	r.print(c, to, strings.Join(words, " ")+"\n", appends)
	return true
}

var printfEscapes = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\\`, `\`, `%%`, "%")

// printf reads `printf 'text\n' > PATH`, and no other escapes or directives.
func (r *reader) printf(c command, args arguments) bool {
	to, appends, writes := c.output()
	if !writes || len(args.options) > 0 || len(args.files) != 1 || args.files[0].braces {
		return false
	}
	left := strings.NewReplacer(`\n`, "", `\t`, "", `\\`, "", `%%`, "").Replace(args.files[0].text)
	if strings.ContainsAny(left, `\%`) {
		return false
	}
	r.print(c, to, printfEscapes.Replace(args.files[0].text), appends)
	return true
}

func (r *reader) print(c command, to word, content string, appends bool) {
	if appends {
		r.append(c, to, content, intent.Literal{})
		return
	}
	change := intent.Change{Kind: intent.Write, Content: content}
	change.Path, change.PathAt = r.path(to)
	r.add(c, change)
}

// gitApply reads a patch that comes from a here-document, or from a file that the script
// wrote before.
func (r *reader) gitApply(c command, args arguments) bool {
	if r.dir != "" || !args.only("-", "-p1", "-p0", "-v", "--verbose", "--index", "--whitespace=fix", "--whitespace=nowarn", "--3way", "-3", "-N", "--forward", "--unidiff-zero", "--recount") {
		return false
	}
	if body, ok := c.input(); ok && !r.writesFile(c) {
		r.patch(body)
		return len(args.files) == 0 || args.files[0].text == "-"
	}
	name := ""
	for _, rd := range c.redirects {
		if rd.op == "<" {
			name = rd.target.text
		}
	}
	if len(args.files) == 1 {
		name = args.files[0].text
	}
	d, ok := r.written[name]
	if !ok || r.writesFile(c) {
		return false
	}
	r.patch(d.body)
	return true
}

// forget removes the change of a file that the script wrote and now deletes. It returns
// false if the script did not write the file.
func (r *reader) forget(w word) bool {
	name, _ := r.path(w)
	d, ok := r.written[name]
	if ok {
		r.parsed.Set.Changes[d.change].Path = ""
		delete(r.written, name)
	}
	return ok
}

// dropTemporary leaves out the files that the script wrote and deleted again, and those in
// the system's folder for temporary files.
func (r *reader) dropTemporary() {
	r.parsed.Set.Changes = slices.DeleteFunc(r.parsed.Set.Changes, func(c intent.Change) bool {
		gone := c.Path == "" || c.Kind == intent.Write && (strings.HasPrefix(c.Path, "/tmp/") || strings.HasPrefix(c.Path, "/var/tmp/"))
		if gone {
			r.parsed.Entries--
			r.parsed.Readable--
		}
		return gone
	})
}
