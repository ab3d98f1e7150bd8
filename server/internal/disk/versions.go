package disk

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A Version is a content of a file in git.
type Version struct {
	Data   string // as git stores it, without applying filters
	Commit string // abbreviated; "" for the index
	Time   time.Time
}

const (
	mostCommits  = 100
	versionBytes = 8 << 20 // a larger content is left out
	shortCommit  = 7       // digits of its id; --no-abbrev is for those of contents
)

// Versions returns the contents of a file below dir in git: that of the index, followed by
// those of the last 100 commits that touched it, newest first. If the repository cannot
// answer within three seconds, there are none.
func Versions(ctx context.Context, dir, name string) []Version {
	folder := filepath.Join(dir, filepath.FromSlash(path.Dir(name)))
	if strings.ContainsAny(name, "\n") {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, gitTime)
	defer cancel()
	if r, err := repositoryOf(folder); err != nil || r.readable(foldersAbove([]string{path.Join(r.from(folder), path.Base(name))})) != nil {
		return nil
	}
	base := "./" + path.Base(name)
	versions := []Version{{}}
	blobs := []string{":" + base}
	log, err := runGit(ctx, folder, "", "--literal-pathspecs", "-c", "log.follow=false", "-c", "diff.external=", "-c", "log.mailmap=false", "log", "-n", strconv.Itoa(mostCommits), "--format=%H %ct", "--raw", "--no-abbrev",
		"--no-renames", "--no-ext-diff", "--no-textconv", "--no-show-signature", "--", base)
	if err != nil {
		return nil
	}
	var of Version
	for line := range strings.SplitSeq(log, "\n") {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 2:
			seconds, _ := strconv.ParseInt(fields[1], 10, 64)
			of = Version{Commit: fields[0][:min(len(fields[0]), shortCommit)], Time: time.Unix(seconds, 0)}
		case strings.HasPrefix(line, ":") && len(fields) > 4:
			versions, blobs = append(versions, of), append(blobs, fields[3])
		}
	}
	contents, err := runGit(ctx, folder, strings.Join(blobs, "\n")+"\n", "cat-file", "--batch")
	if err != nil {
		return nil
	}
	versions = withContents(versions, contents)
	if len(versions) > 1 && versions[0].Commit == "" && versions[0].Data == versions[1].Data {
		versions = versions[1:] // nothing is staged: a commit says more than the index
	}
	return versions
}

// withContents fills in git's output for each version. It leaves out versions without one.
func withContents(versions []Version, out string) []Version {
	r := bufio.NewReader(strings.NewReader(out))
	var all []Version
	for _, v := range versions {
		header, err := r.ReadString('\n')
		if err != nil {
			return all
		}
		var id, kind string
		var size int64
		if _, err := fmt.Sscanf(header, "%s %s %d", &id, &kind, &size); err != nil {
			continue // missing
		}
		var data strings.Builder
		if _, err := io.CopyN(&data, r, size); err != nil {
			return all
		}
		if _, err := r.Discard(1); err != nil {
			return all
		}
		if v.Data = data.String(); kind == "blob" && size <= versionBytes {
			all = append(all, v)
		}
	}
	return all
}
