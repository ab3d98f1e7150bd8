package link

import (
	"fmt"
	"os"
)

// private is an error where a folder is none. Who can enter it is what its parent
// passes on.
func private(dir string) error {
	info, err := os.Lstat(dir)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is no folder; remove it", dir)
	}
	return err
}
