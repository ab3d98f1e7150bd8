package server_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestWrites compares [writes] with the functions of the shipped program that write, make, rename or
// delete files, or change their modes.
func TestWrites(t *testing.T) {
	found := map[string]bool{}
	shipped := map[string]bool{}
	var visit func(dir string)
	visit = func(dir string) {
		if shipped[dir] {
			return
		}
		shipped[dir] = true
		for _, imported := range findWrites(t, found, dir) {
			visit(imported)
		}
	}
	visit("server/cmd/aptix")
	if len(shipped) < 50 {
		t.Errorf("only %d packages were looked at", len(shipped))
	}
	for _, at := range slices.Sorted(maps.Keys(found)) {
		if writes[at] == "" {
			t.Errorf("%s changes files: add to writes which gate it passes", at)
		}
	}
	for _, at := range slices.Sorted(maps.Keys(writes)) {
		if !found[at] {
			t.Errorf("%s changes no files any more", at)
		}
	}
}

var (
	// changing lists the functions of package os, and the methods of [os.Root] and [os.File], that
	// change files.
	changing = map[string]bool{"WriteFile": true, "Create": true, "CreateTemp": true, "MkdirTemp": true, "Rename": true, "Remove": true,
		"RemoveAll": true, "Mkdir": true, "MkdirAll": true, "Symlink": true, "Link": true, "Chmod": true, "Chown": true, "Lchown": true,
		"Chtimes": true, "Truncate": true, "CopyFS": true}
	writeFlags = map[string]bool{"O_CREATE": true, "O_WRONLY": true, "O_RDWR": true, "O_APPEND": true, "O_TRUNC": true}
	// elsewhere lists functions of other packages that create files, or start programs.
	elsewhere = map[string]bool{"net.Listen": true, "sql.Open": true, "flock.New": true, "exec.Command": true, "exec.CommandContext": true}
	raw       = map[string]bool{"syscall": true, "unix": true, "windows": true}
	rawWrites = map[string]bool{"Open": true, "Openat": true, "Creat": true, "Write": true, "Pwrite": true, "Unlink": true, "Unlinkat": true,
		"Rename": true, "Renameat": true, "Renameat2": true, "Link": true, "Linkat": true, "Symlink": true, "Symlinkat": true, "Mkdir": true,
		"Mkdirat": true, "Rmdir": true, "Chmod": true, "Fchmod": true, "Fchmodat": true, "Chown": true, "Fchown": true, "Lchown": true,
		"Truncate": true, "Ftruncate": true, "CreateFile": true, "DeleteFile": true, "MoveFile": true, "MoveFileEx": true,
		"SetFileAttributes": true, "Setxattr": true, "Fsetxattr": true, "Lsetxattr": true, "Removexattr": true, "Fremovexattr": true, "Mmap": true}
)

// findWrites adds the functions of a package that change files, as package.name, for every system, and
// returns the package's imports from this module. A method with the name of a change counts only in a
// package that imports os, because only there can it be a method of a file.
func findWrites(t *testing.T, found map[string]bool, dir string) (imports []string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(dir), "*.go"))
	if err != nil || len(names) == 0 {
		t.Fatal(dir, "has no Go files", err)
	}
	var files []*ast.File
	importsOS := false
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if spec.Name != nil && (elsewhereBase[imported] || raw[path.Base(imported)] || imported == "os") {
				t.Errorf("%s imports %s by another name, which hides what changes files", name, imported)
			}
			importsOS = importsOS || imported == "os"
			if own, is := strings.CutPrefix(imported, module); is {
				imports = append(imports, own)
			}
		}
	}
	for _, file := range files {
		for _, decl := range file.Decls {
			var specs []ast.Node
			if general, ok := decl.(*ast.GenDecl); ok {
				for _, spec := range general.Specs {
					specs = append(specs, spec)
				}
			} else {
				specs = []ast.Node{decl}
			}
			for _, spec := range specs {
				if changesFiles(spec, file, importsOS) {
					found[strings.TrimPrefix(dir, "server/internal/")+"."+receiver(spec)+declared(spec)] = true
				}
			}
		}
	}
	return imports
}

var elsewhereBase = map[string]bool{"net": true, "database/sql": true, "github.com/gofrs/flock": true, "os/exec": true}

// changesFiles reports whether a declaration of a file calls something that changes files, or passes it on.
func changesFiles(decl ast.Node, in *ast.File, importsOS bool) (is bool) {
	called := map[ast.Expr]bool{}
	ast.Inspect(decl, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			called[call.Fun] = true
			if f, ok := call.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "OpenFile" && len(call.Args) == 3 {
				is = is || mayWrite(call.Args[1])
			}
		}
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		x, _ := s.X.(*ast.Ident)
		switch from := packageName(x, in); {
		case from == "os":
			is = is || changing[s.Sel.Name]
		case from != "":
			is = is || elsewhere[from+"."+s.Sel.Name] || raw[from] && rawWrites[s.Sel.Name]
		case importsOS && changing[s.Sel.Name]:
			_, method := s.X.(*ast.ParenExpr) // as (*os.Root).Link
			is = is || called[s] || method
		}
		return true
	})
	return is
}

// receiver is the type of a method, with a dot.
func receiver(n ast.Node) string {
	f, ok := n.(*ast.FuncDecl)
	if !ok || f.Recv == nil {
		return ""
	}
	typ := f.Recv.List[0].Type
	if pointer, is := typ.(*ast.StarExpr); is {
		typ = pointer.X
	}
	if name, is := typ.(*ast.Ident); is {
		return name.Name + "."
	}
	return "?."
}

// packageName returns the name of the package that an identifier names, or "" if it names something else.
func packageName(x *ast.Ident, in *ast.File) string {
	if x == nil || x.Obj != nil {
		return ""
	}
	for _, spec := range in.Imports {
		imported := strings.Trim(spec.Path.Value, `"`)
		if spec.Name != nil && spec.Name.Name == x.Name || spec.Name == nil && path.Base(imported) == x.Name {
			return path.Base(imported)
		}
	}
	return ""
}

// mayWrite reports whether the flags of OpenFile include one for writing, or are not constants.
func mayWrite(flags ast.Expr) (may bool) {
	named := false
	ast.Inspect(flags, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			named = true
			may = may || writeFlags[s.Sel.Name]
		}
		return true
	})
	return may || !named
}

// writes lists all functions of the shipped program that change files, or start programs that may, each
// with the gate that the change passes. A file of a workspace changes only in a transaction of
// [disk.Root.Commit], which checks R15, R16 and R17 under its lock; in the rollback of a transaction, for
// which [disk.Recover] checks the same rules; or by an editor, whose writer accepts only an [apply.Cleared]
// plan.
var writes = map[string]string{
	// The workspace.
	"disk.Root.chmod":         "a step of a transaction or its rollback",
	"disk.Root.chmodDir":      "a step of the rollback of a transaction",
	"disk.Root.create":        "a step of a transaction or its rollback",
	"disk.Root.makeDir":       "a step of a transaction or its rollback",
	"disk.Root.remove":        "a step of a transaction or its rollback",
	"disk.Root.rename":        "a step of a transaction or its rollback",
	"disk.Root.symlink":       "a step of a transaction or its rollback",
	"disk.Open":               "gives (*os.Root).Link to a transaction and its rollback; tests give another function",
	"disk.keepAttributes":     "a step of a transaction: the staged file takes over the attributes of the file that it replaces",
	"disk.keepOwner":          "a step of a transaction: the staged file takes over the owner of the file that it replaces",
	"disk.keepLinkOwner":      "a step of a transaction: the staged link takes over the owner of the link that it replaces",
	"disk.Root.SetExecutable": "called by the editor's writer for files of an apply.Cleared plan",

	// The state folder, which CheckPrivate and noLinks check.
	"disk.Root.makeDirSynced":      "the state folder and the folder of journals, before a change begins",
	"disk.Root.writeSynced":        "a journal, under a name made of the hash of its root",
	"disk.ledger.refuse":           "sets aside a journal that is not followed, under its own name",
	"disk.ledger.removeFile":       "a journal that ended, under a name made of the hash of its root",
	"disk.ledger.rename":           "a journal that enters its next phase, under a name made of the hash of its root",
	"disk.newLedger":               "the lock of a root, under a name made of its hash",
	"history.Pending.unlock":       "a pending change's lock, under an id of our form",
	"history.Store.makePendingDir": "the folder of pending changes in the state folder, if it is no link",
	"history.Store.pending":        "a pending change's lock, under an id of our form",
	"link.Listen":                  "the folder of running servers in the state folder",
	"link.Listener.Seen":           "the times of the record that this process wrote",
	"link.Listener.open":           "the socket of this process, and its mode",
	"link.record.remove":           "names of our form that a record gives itself",
	"link.record.swept":            "the lock of a record, under a name of our form",
	"link.record.write":            "the record of this process, under a random name",
	"link.socketPath":              "a folder of a random name below the system's temporary folder, if the state folder's path is too long for a socket",
	"sqlitefile.MarkDamaged":       "the history or the local file set, in the state folder",
	"sqlitefile.create":            "the history or the local file set, in the state folder, never through a link",
	"sqlitefile.lock":              "the lock beside the history or the local file set",
	"sqlitefile.openLocked":        "the history or the local file set, in the state folder, or the file of a set that the person names",
	"sqlitefile.renameClosed":      "a damaged history or local file set, which is set aside in its own folder",
	"sqlitefile.setAside":          "the mark of such a damaged file",

	// Files that the person names, and temporary ones.
	"git.ignoredBy":                 "a new temporary folder with ignore rules of the last commit",
	"lspserver/previews.WritePatch": "a new temporary file for a preview",
	"shellcommand.Place.Install":    "the folder for the person's programs that the person chose",
	"shellcommand.Place.link":       "a link to this program in that folder; it replaces only such a link",
	"fileset.upload.swap":           "no file: rounds a time",

	// Other programs.
	"cli.inShell": "the pager that the person's environment names",
	"git.run":     "git, only to read, with every setting turned off that would run other programs",
}
