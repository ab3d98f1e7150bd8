package disk

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A Version is a content of a file that git has.
type Version struct {
	Data   string // as git stores it: no filter has changed it
	Commit string // abbreviated; "" for the index
	Time   time.Time
}

const (
	mostCommits  = 100
	versionBytes = 8 << 20 // a larger content is left out
	versionTime  = 3 * time.Second
)

// Versions are the contents that git has of a file below dir: the index's, then those of
// the last 100 commits that touched it, the newest first. A repository that cannot
// answer, or not in three seconds, has none.
func Versions(ctx context.Context, dir, name string) []Version {
	folder := filepath.Join(dir, filepath.FromSlash(path.Dir(name)))
	if !withinRepository(folder) || strings.ContainsAny(name, "\n") {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, versionTime)
	defer cancel()
	base := "./" + path.Base(name)
	versions := []Version{{}}
	blobs := []string{":" + base}
	log, err := readGit(ctx, folder, "", "log", "-n", strconv.Itoa(mostCommits), "--format=%h %ct", "--raw", "--no-abbrev",
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
			of = Version{Commit: fields[0], Time: time.Unix(seconds, 0)}
		case strings.HasPrefix(line, ":") && len(fields) > 4:
			versions, blobs = append(versions, of), append(blobs, fields[3])
		}
	}
	contents, err := readGit(ctx, folder, strings.Join(blobs, "\n")+"\n", "cat-file", "--batch")
	if err != nil {
		return nil
	}
	return withContents(versions, contents)
}

// withContents fills in what git printed for each version. Those of which it has none are
// left out.
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

// maxGitOutput bounds what is read of git, in bytes.
const maxGitOutput = 256 << 20

// readGit runs git in a folder that may come from anywhere: see [checkIgnore].
func readGit(ctx context.Context, folder, stdin string, args ...string) (string, error) {
	settings := []string{"--literal-pathspecs", "--no-replace-objects", "-c", "core.fsmonitor=false", "-c", "safe.directory=*",
		"-c", "log.follow=false", "-c", "diff.external="}
	cmd := exec.CommandContext(ctx, "git", append(settings, args...)...)
	cmd.Dir, cmd.Env = folder, gitEnv()
	cmd.Stdin = strings.NewReader(stdin)
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := cmd.Start(); err != nil {
		return "", err
	}
	_, err = io.Copy(&out, io.LimitReader(pipe, maxGitOutput))
	if waited := cmd.Wait(); err == nil {
		err = waited
	}
	return out.String(), err
}
