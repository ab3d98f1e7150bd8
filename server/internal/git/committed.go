package git

import (
	"context"
	"errors"
	"path/filepath"
)

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
