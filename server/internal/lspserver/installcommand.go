package lspserver

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"

	"go.uber.org/zap"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/shellcommand"
)

func (s *Server) installCommand(context.Context, *struct{}) (aptix.InstallResult, error) {
	installed, message := install()
	return aptix.InstallResult{Installed: installed, Message: escape.Message(message)}, nil
}

func install() (installed bool, message string) {
	place, err := shellcommand.Here()
	if err != nil {
		return false, fmt.Sprintf("The command was not installed: %v", err)
	}
	if runtime.GOOS == "windows" { // on Windows, few accounts have the right to create links
		return false, fmt.Sprintf("On Windows, add the folder %s to Path, an environment variable of your account. Do so again after each update of the extension", filepath.Dir(place.Program))
	}
	made, err := place.Install()
	if foreign := (*shellcommand.ForeignError)(nil); errors.As(err, &foreign) {
		return false, fmt.Sprintf("%v. Remove it first if you do not need it", foreign)
	}
	if err != nil {
		return false, fmt.Sprintf("The command was not installed: %v", err)
	}
	return installedAs(made)
}

func installedAs(made shellcommand.Command) (bool, string) {
	said := fmt.Sprintf("The command aptix is %s", made.Link)
	switch {
	case !made.OnPath:
		dir := filepath.Dir(made.Link)
		return false, fmt.Sprintf("%s, but that folder is not in PATH. Add the line `export PATH=\"%s:$PATH\"` to the profile of your shell", said, dir)
	case made.First != "":
		return false, fmt.Sprintf("%s, but a shell finds %s first", said, made.First)
	}
	return true, said + ", which is in PATH. It works in each new terminal"
}

// renewCommand repairs the link of the command if an earlier version of the extension installed it.
func (s *Server) renewCommand() {
	place, err := shellcommand.Here()
	if err == nil {
		err = place.Renew()
	}
	if err != nil {
		s.config.Log.Debug("the command of the shell was not renewed", zap.Error(err))
	}
}
