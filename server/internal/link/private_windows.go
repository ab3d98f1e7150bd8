package link

import (
	"fmt"
	"os"
)

// private returns an error unless dir is a folder. It does not check permissions, because dir inherits them from its
// parent.
func private(dir string) error {
	info, err := os.Lstat(dir)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is not a folder; remove it", dir)
	}
	return err
}
