package git

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A Version is the content that a file has in a commit or in the index.
type Version struct {
	Data   string // the content as git stores it, before filters
	Commit string // the abbreviated id of the commit; "" for the index
	Time   time.Time
}

const (
	mostCommits  = 100
	versionBytes = 8 << 20 // the size of the largest content in bytes; larger contents are left out
	allVersions  = 32 << 20
	shortCommit  = 7 // the number of digits of a commit's id in a [Version]
)

// Versions returns the contents of a file below `dir` that git has: the content in the index, and then the contents in
// the last 100 commits that changed the file, newest first. The list ends before it exceeds 32 MB. It is empty if git
// does not end within three seconds.
func Versions(ctx context.Context, dir, name string) []Version {
	folder := filepath.Join(dir, filepath.FromSlash(path.Dir(name)))
	if strings.ContainsAny(name, "\n") {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, searching)
	defer cancel()
	if r, err := RepositoryOf(folder); err != nil || r.readable(foldersAbove([]string{path.Join(r.From(folder), path.Base(name))})) != nil {
		return nil
	}
	base := "./" + path.Base(name)
	versions := []Version{{}}
	blobs := []string{":" + base}
	log, err := run(ctx, folder, "", "--literal-pathspecs", "-c", "log.follow=false", "-c", "diff.external=", "-c", "log.mailmap=false", "log", "-n", strconv.Itoa(mostCommits), "--format=%H %ct", "--raw", "--no-abbrev",
		"--no-renames", "--no-ext-diff", "--no-textconv", "--no-show-signature", "--", base)
	if err != nil {
		return nil
	}
	var commit Version
	for line := range strings.SplitSeq(log, "\n") {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 2:
			seconds, _ := strconv.ParseInt(fields[1], 10, 64)
			commit = Version{Commit: fields[0][:min(len(fields[0]), shortCommit)], Time: time.Unix(seconds, 0)}
		case strings.HasPrefix(line, ":") && len(fields) > 4:
			versions, blobs = append(versions, commit), append(blobs, fields[3])
		}
	}
	sizes, err := run(ctx, folder, strings.Join(blobs, "\n")+"\n", "cat-file", "--batch-check=%(objecttype) %(objectsize) %(objectname)")
	if err != nil {
		return nil
	}
	versions, blobs = fitting(versions, sizes)
	contents, err := run(ctx, folder, strings.Join(blobs, "\n")+"\n", "cat-file", "--batch")
	if err != nil || !fillIn(versions, contents) {
		return nil
	}
	if len(versions) > 1 && versions[0].Commit == "" && blobs[0] == blobs[1] {
		versions = versions[1:] // the last commit has the same content as the index, and a commit's id is a better name
	}
	return versions
}

// fitting returns the first of the versions, up to allVersions bytes of content in total, and the ids of their
// contents. It skips a version that is missing, too large or not a file. `sizes` is the list of sizes from git.
func fitting(versions []Version, sizes string) (fit []Version, blobs []string) {
	lines, most := strings.Split(sizes, "\n"), int64(allVersions)
	for i, v := range versions[:min(len(versions), len(lines))] {
		var kind, id string
		var size int64
		if _, err := fmt.Sscanf(lines[i], "%s %d %s", &kind, &size, &id); err != nil || kind != "blob" || size > versionBytes {
			continue
		}
		if most -= size; most < 0 {
			break
		}
		fit, blobs = append(fit, v), append(blobs, id)
	}
	return fit, blobs
}

// fillIn sets the content of each version from the output of git. It reports whether the output has all contents.
func fillIn(versions []Version, out string) bool {
	for i := range versions {
		kind, content, rest, ok := nextObject(out)
		if !ok || kind == "" {
			return false
		}
		versions[i].Data, out = content, rest
	}
	return true
}

// Committed reports whether the last commit of the innermost repository around `file` contains the file. After an
// error, the result is false. The error is the error of `ctx`, or explains why git failed.
func Committed(ctx context.Context, file string) (bool, error) {
	short, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	committed, err := commits(short, filepath.Dir(file), filepath.Base(file))
	switch {
	case errors.Is(err, ErrNone):
		return false, nil
	case err != nil && short.Err() != nil && ctx.Err() == nil:
		return false, errSlow
	}
	return committed, err
}

func commits(ctx context.Context, folder, name string) (bool, error) {
	repo, err := RepositoryOf(folder)
	if err != nil {
		return false, err
	}
	if err := repo.readable(nil); err != nil {
		return false, err
	}
	config, err := readConfig(ctx, repo)
	if err != nil {
		return false, err
	}
	if config.foreign(repo) {
		return false, errors.New("the repository's configuration names another folder as its working tree")
	}
	_, err = run(ctx, folder, "", "rev-parse", "--quiet", "--verify", "HEAD:./"+name)
	if failed, ok := errors.AsType[*refusal](err); ok && failed.message == "" {
		// git fails without a message if the commit does not have the file.
		return false, nil
	}
	return err == nil, err
}
