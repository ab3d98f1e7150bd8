package disk

import (
	"context"
	"errors"
	"path/filepath"
)

// Tracked reports whether the innermost repository around a file has it in its index. An
// error is ctx's, or says why git cannot tell; it comes with false.
func Tracked(ctx context.Context, file string) (bool, error) {
	short, cancel := context.WithTimeout(ctx, gitTime)
	defer cancel()
	tracked, err := tracks(short, filepath.Dir(file), filepath.Base(file))
	switch {
	case errors.Is(err, errNoRepository):
		return false, nil
	case err != nil && short.Err() != nil && ctx.Err() == nil:
		return false, errSlowGit
	}
	return tracked, err
}

func tracks(ctx context.Context, folder, name string) (bool, error) {
	repo, err := repositoryOf(folder)
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
		return false, errors.New("the repository's configuration names another working tree")
	}
	out, err := runGit(ctx, folder, "", "--literal-pathspecs", "ls-files", "-z", "--", name)
	return out != "" && err == nil, err
}
