package main

// A bug is one change to the code that a test must catch.
type bug struct {
	name     string
	file     string // the path of the file relative to the root of the module
	old, new string // the text old, which occurs once in the file, is replaced by the text new
	in       string // the package whose tests must catch it
	tests    string // a regular expression that matches the names of these tests
}

// The packages of the tests.
const (
	disk  = "server/internal/disk"
	apply = "server/internal/apply"
	cli   = "server/internal/cli"
	cases = "server/tools/casetest"
	lsp   = "server/internal/lspserver"
	front = "server/tools/formattest"
	mcp   = "server/internal/mcp"
	sets  = "server/internal/fileset"
)

// bugs lists mistakes that a hurried change could make. Each of them breaks a promise in
// ARCHITECTURE.md.
var bugs = []bug{
	{"no sync of a new content", disk + "/stage.go", "	return r.syncFile(f)\n", "	return nil\n", disk, "PowerLoss"},
	{"no sync of the folders of staged files", disk + "/stage.go", "	return c.root.syncDirs(dirsOf(c.journal.staged()))\n", "	return nil\n", disk, "PowerLoss"},
	{"no sync of an old content", disk + "/file_unix.go", "	return r.syncFile(f)\n", "	return nil\n", disk, "PowerLoss"},
	{"no sync of the changed folders", disk + "/replace.go", "	return c.root.syncDirs(c.journal.changedDirs())\n", "	return nil\n", disk, "PowerLoss"},
	{"no sync of the cleaned folders", disk + "/rollback.go", "errors.Join(held.cause, r.syncDirs(j.changedDirs()))", "errors.Join(held.cause)", disk, "PowerLoss"},
	{"no sync of the journal", disk + "/sync.go", "		err = r.do(operation{kind: opSync, path: name}, f.Sync)\n", "", disk, "PowerLoss"},
	{"no sync of the journal's folder when it is created", disk + "/ledger.go", "	l.phase = staging\n	return l.root.syncDir(l.dir)\n", "	l.phase = staging\n	return nil\n", disk, "PowerLoss"},
	{"no sync of the journal's phase", disk + "/ledger.go", "	if err := l.root.syncDir(l.dir); err != nil && to != applied {\n		return err\n	}\n", "", disk, "PowerLoss"},
	{"no sync when the journal is removed", disk + "/ledger.go", "			return err\n		}\n	}\n	return l.root.syncDir(l.dir)\n", "			return err\n		}\n	}\n	return nil\n", disk, "PowerLoss"},
	{"a file that cannot be removed ends the clean-up", disk + "/rollback.go", "				break\n", "				return &held\n", disk, "HeldLeftovers"},
	{"a file that cannot be removed stops later changes", disk + "/leftover.go", "	if aside := l.setAside(p); aside != nil {\n		return &stuckError{l.file(p), errors.Join(err, aside)}\n	}\n	return nil\n", "	return err\n", disk, "HeldLeftovers"},
	{"a file that cannot be removed is forgotten", disk + "/leftover.go", "	return l.become(p, leftover.number(n))", "	return l.remove()", disk, "HeldLeftovers"},
	{"a file that cannot be removed is named at each start", disk + "/leftover.go", "				_ = l.become(p, reported+p[len(leftover):])\n", "", disk, "HeldLeftovers"},
	{"no sync when a journal is set aside", disk + "/leftover.go", "	return l.root.syncDir(l.dir)\n", "	return nil\n", disk, "PowerLoss"},
	{"no sync of the state folder", disk + "/sync.go", "	return r.syncDir(parent)\n", "	return nil\n", disk, "PowerLoss"},
	{"the files change before the journal says so", disk + "/commit.go", "	if err := l.advance(applying); err != nil {\n		return err\n	}\n	if err := c.changeTree(); err != nil {\n		return err\n	}\n",
		"	if err := c.changeTree(); err != nil {\n		return err\n	}\n	if err := l.advance(applying); err != nil {\n		return err\n	}\n", disk, "PowerLoss"},
	{"the journal comes after the staged files", disk + "/commit.go", "	if err := l.create(&c.journal); err != nil {\n		return err\n	}\n	if err := c.stage(ctx); err != nil {\n		return err\n	}\n",
		"	if err := c.stage(ctx); err != nil {\n		return err\n	}\n	if err := l.create(&c.journal); err != nil {\n		return err\n	}\n", disk, "PowerLoss"},
	{"the change is complete before the editor has made its part", disk + "/commit.go", "	if err := tx.rest(); err != nil {\n		return err\n	}\n	return l.advance(applied)\n", "	if err := l.advance(applied); err != nil {\n		return err\n	}\n	return tx.rest()\n", disk, "Rest"},
	{"the backups go before the change is complete", disk + "/commit.go", "	return l.advance(applied)\n", "	if err := c.root.removeStaged(&c.journal, nil); err != nil {\n		return err\n	}\n	return l.advance(applied)\n", disk, "PowerLoss"},
	{"a file is written where it is", disk + "/replace.go", "	return last.root.rename(dir, temp, name)\n", "	_ = temp\n	if f, err := dir.OpenFile(name, os.O_WRONLY|os.O_TRUNC, 0); err == nil {\n		_ = last.root.write(f, w.data)\n		_ = f.Close()\n	}\n	return nil\n", disk, "PowerLoss"},
	{"no sync of what a recovery restored", disk + "/rollback.go", "	b.note(r.dir, r.syncDirs(j.changedDirs()))\n", "", disk, "PowerLossInRecovery"},
	{"a panic leaves half of a change", disk + "/commit.go", "		if !ended {", "		if false && !ended {", disk, "Panic"},
	{"a panic in a goroutine ends the process", "server/internal/parallel/parallel.go", "if p := recover(); p != nil {\n				g.panicked", "if p := any(nil); p != nil {\n				g.panicked", disk, "Panic"},
	{"a panic in a goroutine is forgotten", "server/internal/parallel/parallel.go", "		panic(p)\n", "		_ = p\n", disk, "Panic"},
	{"a panic in a check ends the language server", lsp + "/diagnostics.go", "s.conn.Guard(\"diagnostics\", func()", "func(f func() error) error { return f() }(func()", front, "Panic"},
	{"no second look at the files", disk + "/replace.go", "	if !os.SameFile(now, w.seen) || now.Size()", "	if false && !os.SameFile(now, w.seen) && now.Size()", disk, "TestCommitLooksALastTime"},
	{"recovery does not check the journal", disk + "/ledger.go", "	if err := l.check(&j, p); err != nil {\n		return nil, err\n	}\n", "", disk, "Journal"},
	{"a recovery takes a living process for a dead one", disk + "/recover.go", "	if err != nil || !locked {\n", "	if err != nil || false && !locked {\n", disk, "TestExplore$"},
	{"a rollback overwrites another program's file", disk + "/rollback.go", "	case !e.is(now, e.After):\n		return b.leave(e)\n", "", disk, "TestExplore"},
	{"a rollback removes another program's file", disk + "/rollback.go", "	case now != nil:\n		return b.leave(e)\n", "	case now != nil:\n		_ = b.root.remove(b.root.disk, e.Path)\n", disk, "TestExplore"},
	{"no lock on the folder", disk + "/ledger.go", "	if _, err := l.lock.TryLockContext(ctx, lockPoll); err != nil {\n		return nil, fmt.Errorf(\"lock %s: %w\", r.dir, err)\n	}\n", "", disk, "TestCommitWaitsForItsTurn"},
	{"the lock is released before the change", disk + "/commit.go", "	defer l.close()\n	if err := errors.Join(r.barsNow", "	l.close()\n	if err := errors.Join(r.barsNow", disk, "TestLockIsHeldUntilTheEnd"},
	{"one file of a plan is left out", apply + "/writer.go", "	for i, f := range plan.Paths(p.Files) {\n		switch {", "	for i, f := range plan.Paths(p.Files) {\n		if i == 2 {\n			continue\n		}\n		switch {", cases, "TestCases/bundle"},
	{"what the disk took back is forgotten although the editor has its part", apply + "/settle.go", "if i >= 0 && (recovered[i].Done || !inEditor) {", "if i >= 0 {", lsp, "TestServerDies"},
	{"no plan after the question", apply + "/change.go", "	if !c.asked && !c.waited {\n", "	if c.asked || !c.waited {\n", apply, "."},
	{"a no is taken for a yes", apply + "/change.go", "	if !agreed {\n", "	if false && !agreed {\n", apply, "."},
	{"two changes of one program at once", apply + "/change.go", "		select {\n		case <-c.free:\n		case <-ctx.Done():\n			return ctx.Err()\n		}\n", "		return nil\n", apply, "."},
	{"a damaged history stops applies", "server/internal/check/earlier.go", "	if sqlitefile.Damaged(err) {", "	if false && sqlitefile.Damaged(err) {", mcp, "TestHistoryFaults/its"},
	{"the rows of a shared database are not counted", sets + "/read.go", "len(all) > most {", "false && len(all) > most {", sets, "TestHostileServer"},
	{"a message of a shared database has any size", sets + "/database.go", "f.SetMaxBodyLen(maxMessage)", "f.SetMaxBodyLen(0)", sets, "TestHostileServer"},
	{"the question of a shared file set is left out", apply + "/change.go", "	if differs != \"\" {\n", "	if false && differs != \"\" {\n", cli, "TestSharedScripts"},
}
