package plan

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// after describes the tree after a plan, with a line for each path, and the plan's diagnostics.
func after(tree fstest.MapFS, p Plan) string {
	files := maps.Clone(tree)
	for _, f := range Paths(p.Files) {
		delete(files, f.Path)
		if f.After.Exists {
			files[f.Path] = &fstest.MapFile{Data: []byte(f.After.Data), Mode: f.After.Mode}
		}
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		out = append(out, fmt.Sprintf("%s=%s", name, files[name].Data))
	}
	return strings.Join(out, " ")
}

func operations(files []File) string {
	var out []string
	for _, f := range files {
		s := fmt.Sprintf("%s %s", f.Operation, f.Path)
		if f.To != "" {
			s += "->" + f.To
		}
		out = append(out, s+" "+string(f.State))
	}
	return strings.Join(out, ", ")
}

func raw(kind intent.Kind, path, to string) intent.Change {
	return intent.Change{Kind: kind, Path: path, To: to, Raw: true, Group: 1, Mode: 0o644, At: text.Span{Start: 1, End: 2}}
}

func create(path, content string) intent.Change {
	c := raw(intent.Create, path, "")
	c.Content = content
	return c
}

func steps(c intent.Change, s ...intent.Step) intent.Change {
	c.Steps = s
	return c
}

func link(path, target string) intent.Change {
	c := create(path, target)
	c.Mode = fs.ModeSymlink
	return c
}

// The files of one patch change all at once, as git changes them. What git refuses is refused.
func TestGroups(t *testing.T) {
	tree := fstest.MapFS{
		"a":     {Data: []byte("A"), Mode: 0o644},
		"b":     {Data: []byte("B"), Mode: 0o644},
		"dir/c": {Data: []byte("C"), Mode: 0o755},
		"link":  {Data: []byte("dir"), Mode: fs.ModeSymlink},
		"in":    {Data: []byte("a"), Mode: fs.ModeSymlink},
	}
	later := func(c intent.Change) intent.Change { c.Group = 2; return c }
	const same = "a=A b=B dir/c=C in=a link=dir"
	for name, c := range map[string]struct {
		changes []intent.Change
		want    string
	}{
		"rename":               {[]intent.Change{raw(intent.Rename, "a", "x/y")}, "b=B dir/c=C in=a link=dir x/y=A | rename a->x/y change | "},
		"rename with steps":    {[]intent.Change{steps(raw(intent.Rename, "a", "x"), insert("1"))}, "b=B dir/c=C in=a link=dir x=1A | rename a->x change | "},
		"rename there":         {[]intent.Change{raw(intent.Rename, "a", "b")}, same + " | rename a->b error | error:file-exists"},
		"rename missing":       {[]intent.Change{raw(intent.Rename, "no", "x")}, same + " | rename no->x error | error:file-missing"},
		"rename done":          {[]intent.Change{raw(intent.Rename, "no", "a")}, same + " | rename no->a done | "},
		"swap":                 {[]intent.Change{raw(intent.Rename, "a", "b"), raw(intent.Rename, "b", "a")}, "a=B b=A dir/c=C in=a link=dir | modify a change, modify b change | "},
		"circle":               {[]intent.Change{raw(intent.Rename, "a", "b"), raw(intent.Rename, "b", "x")}, "b=A dir/c=C in=a link=dir x=B | delete a change, modify b change, create x change | "},
		"copy":                 {[]intent.Change{raw(intent.Copy, "a", "x")}, same + " x=A | create x change | "},
		"copy of the old":      {[]intent.Change{steps(raw(intent.Edit, "a", ""), insert("1")), raw(intent.Copy, "a", "x")}, "a=1A b=B dir/c=C in=a link=dir x=A | modify a change, create x change | "},
		"copy there":           {[]intent.Change{raw(intent.Copy, "a", "b")}, same + " | create b error | error:file-exists"},
		"edit twice":           {[]intent.Change{steps(raw(intent.Edit, "a", ""), insert("1")), steps(raw(intent.Edit, "a", ""), insert("2"))}, "a=21A b=B dir/c=C in=a link=dir | modify a change | "},
		"edit renamed":         {[]intent.Change{raw(intent.Rename, "a", "x"), steps(raw(intent.Edit, "a", ""), insert("1"))}, "b=B dir/c=C in=a link=dir x=A | modify a error, create x change | error:file-gone"},
		"copy of the new":      {[]intent.Change{steps(raw(intent.Edit, "a", ""), insert("A")), raw(intent.Copy, "a", "x")}, same + " x=A | modify a done, create x error | error:source-unsure"},
		"rename to its folder": {[]intent.Change{raw(intent.Rename, "dir/c", "dir")}, "a=A b=B dir=C in=a link=dir | delete dir/c change, modify dir change | "},
		"next commit":          {[]intent.Change{raw(intent.Rename, "a", "x"), later(steps(raw(intent.Edit, "x", ""), insert("1")))}, "b=B dir/c=C in=a link=dir x=1A | rename a->x change | "},
		"renamed twice":        {[]intent.Change{raw(intent.Rename, "a", "x"), later(raw(intent.Rename, "x", "y"))}, "b=B dir/c=C in=a link=dir y=A | rename a->y change, delete x done | "},
		"there and back":       {[]intent.Change{raw(intent.Rename, "a", "x"), later(raw(intent.Rename, "x", "a"))}, same + " | modify a done, delete x done | "},
		"delete":               {[]intent.Change{raw(intent.Delete, "a", "")}, "b=B dir/c=C in=a link=dir | delete a change | "},
		"delete link":          {[]intent.Change{raw(intent.Delete, "link", "")}, "a=A b=B dir/c=C in=a | delete link change | "},
		"delete leaves":        {[]intent.Change{steps(raw(intent.Delete, "a", ""), insert("1"))}, same + " | delete a error | error:delete-leaves-content"},
		"file to link":         {[]intent.Change{raw(intent.Delete, "a", ""), link("a", "b")}, "a=b b=B dir/c=C in=a link=dir | modify a change | "},
		"file to folder":       {[]intent.Change{raw(intent.Delete, "a", ""), create("a/x", "X")}, "a/x=X b=B dir/c=C in=a link=dir | delete a change, create a/x change | "},
		"folder to file":       {[]intent.Change{raw(intent.Delete, "dir/c", ""), create("dir", "X")}, "a=A b=B dir=X in=a link=dir | delete dir/c change, modify dir change | "},
		"folder not empty":     {[]intent.Change{create("dir", "X")}, same + " | create dir error | error:path-is-directory"},
		"below a file":         {[]intent.Change{create("a/x", "X")}, same + " | create a/x error | error:path-parent-is-file"},
		"beyond a link":        {[]intent.Change{create("link/x", "X")}, same + " | create link/x error | error:path-is-symlink"},
		"beyond a made link":   {[]intent.Change{link("l", "dir"), later(create("l/x", "X"))}, "a=A b=B dir/c=C in=a l=dir link=dir | create l change, create l/x error | error:path-is-symlink"},
		"link out":             {[]intent.Change{link("dir/l", "../../x")}, same + " | create dir/l error | error:link-outside-root"},
		"link inside":          {[]intent.Change{link("dir/l", "../a")}, "a=A b=B dir/c=C dir/l=../a in=a link=dir | create dir/l change | "},
		"link to file, then":   {[]intent.Change{raw(intent.Delete, "in", ""), create("in", "X"), later(steps(raw(intent.Edit, "in", ""), insert("1")))}, "a=A b=B dir/c=C in=1X link=dir | modify in change | "},
		"link to folder, then": {[]intent.Change{raw(intent.Delete, "link", ""), create("link/c", "X"), later(steps(raw(intent.Edit, "link/c", ""), insert("1")))}, "a=A b=B dir/c=C in=a link/c=1X | delete link change, create link/c change | "},
		"link absolute":        {[]intent.Change{link("l", "/etc")}, same + " | create l error | error:link-outside-root"},
		"exists":               {[]intent.Change{create("a", "other")}, same + " | create a error | error:file-exists"},
		"exists alike":         {[]intent.Change{create("a", "A")}, same + " | modify a done | "},
		"wrong type":           {[]intent.Change{{Kind: intent.Edit, Path: "link", Raw: true, Group: 1, WasMode: 0o644}}, same + " | modify link error | error:file-type"},
		"mode":                 {[]intent.Change{{Kind: intent.Edit, Path: "a", Raw: true, Group: 1, WasMode: 0o644, Mode: 0o755}}, same + " | modify a change | "},
		"mode done":            {[]intent.Change{{Kind: intent.Edit, Path: "dir/c", Raw: true, Group: 1, WasMode: 0o644, Mode: 0o755}}, same + " | modify dir/c done | "},
		"missing may be made":  {[]intent.Change{{Kind: intent.Edit, Path: "n", Raw: true, MayCreate: true, Steps: []intent.Step{insert("1")}}}, same + " n=1 | create n change | "},
	} {
		t.Run(name, func(t *testing.T) {
			p := build(t, tree, intent.Set{Changes: c.changes, PathsRepeat: true})
			if got := fmt.Sprintf("%s | %s | %s", after(tree, p), operations(Files(p.Blocks[0].Files)), codes(p)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			back := maps.Clone(tree)
			write(back, Paths(p.Files))
			write(back, Paths(p.Invert().Files))
			if got := withoutFolders(back); got != withoutFolders(tree) {
				t.Errorf("taken back: %s", got)
			}
		})
	}
}

// withoutFolders returns the description without its folders, because git does not record
// folders.
func withoutFolders(tree fstest.MapFS) string {
	files := maps.Clone(tree)
	maps.DeleteFunc(files, func(_ string, f *fstest.MapFile) bool { return f.Mode.IsDir() })
	return snapshot(files)
}

// Formats other than git's can change folders themselves.
func TestFolders(t *testing.T) {
	tree := fstest.MapFS{
		"dir":         {Mode: fs.ModeDir | 0o755},
		"dir/a":       {Data: []byte("A"), Mode: 0o644},
		"dir/sub/b":   {Data: []byte("B"), Mode: 0o644},
		"dir/sub":     {Mode: fs.ModeDir | 0o755},
		"file":        {Data: []byte("F"), Mode: 0o644},
		"repo/.git/x": {Data: []byte("x"), Mode: 0o644},
	}
	of := func(kind intent.Kind, path, to string) intent.Change {
		return intent.Change{Kind: kind, Path: path, To: to, At: text.Span{Start: 1, End: 2}}
	}
	for name, c := range map[string]struct {
		changes []intent.Change
		want    string
	}{
		"make":            {[]intent.Change{of(intent.MakeDir, "new/x/", "")}, "create new/x change | "},
		"make there":      {[]intent.Change{of(intent.MakeDir, "dir", "")}, "modify dir done | "},
		"make over file":  {[]intent.Change{of(intent.MakeDir, "file", "")}, "create file error | error:file-exists"},
		"delete":          {[]intent.Change{of(intent.DeleteAll, "dir", "")}, "delete dir change, delete dir/a change, delete dir/sub change, delete dir/sub/b change | "},
		"delete file":     {[]intent.Change{of(intent.DeleteAll, "file", "")}, "delete file change | "},
		"delete nothing":  {[]intent.Change{of(intent.DeleteAll, "no", "")}, "delete no done | "},
		"delete git":      {[]intent.Change{of(intent.DeleteAll, "repo", "")}, "delete repo error | error:path-git"},
		"rename":          {[]intent.Change{of(intent.Rename, "dir", "d")}, "rename dir->d change, rename dir/a->d/a change, rename dir/sub->d/sub change, rename dir/sub/b->d/sub/b change | "},
		"rename into own": {[]intent.Change{of(intent.Rename, "dir", "dir/x")}, "rename dir->dir/x error | error:path-is-directory"},
		"rename over":     {[]intent.Change{of(intent.Rename, "dir", "file")}, "rename dir->file error | error:file-exists"},
		"rename done":     {[]intent.Change{of(intent.Rename, "no", "dir")}, "rename no->dir done | "},
		"write over":      {[]intent.Change{of(intent.Write, "dir", "")}, "create dir error | error:path-is-directory"},
		"into the new":    {[]intent.Change{of(intent.Rename, "dir", "d"), steps(of(intent.Edit, "d/a", ""), insert("1"))}, "rename dir->d change, rename dir/a->d/a change, rename dir/sub->d/sub change, rename dir/sub/b->d/sub/b change | "},
	} {
		t.Run(name, func(t *testing.T) {
			p := build(t, tree, intent.Set{Changes: c.changes, PathsRepeat: true})
			if got := fmt.Sprintf("%s | %s", operations(Files(p.Blocks[0].Files)), codes(p)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			back := maps.Clone(tree)
			write(back, Paths(p.Files))
			write(back, Paths(p.Invert().Files))
			if got := snapshot(back); got != snapshot(tree) {
				t.Errorf("taken back: %s", got)
			}
		})
	}
}
