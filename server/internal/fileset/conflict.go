package fileset

import (
	"fmt"
	"strings"
	"time"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// A ConflictError lists uploads that are not based on the current contents of the set. Nothing was written.
type ConflictError struct{ Conflicts []Conflict }

// A Conflict is one file that has changed since the revision on which an upload is based.
type Conflict struct {
	DocPath  string
	Base     Base  // the revision on which the upload is based
	Standing Entry // the current entry of the set; zero if the set never had the file
}

func (e *ConflictError) Error() string {
	all := text.Each(e.Conflicts, Conflict.String)
	return "the file set was changed by someone else, so nothing was uploaded: " + strings.Join(all, "; ")
}

func (c Conflict) String() string {
	return fmt.Sprintf("the change of %q was made from %s, but the file set has %s", c.DocPath, c.Base, c.Standing)
}

func (b Base) String() string {
	switch {
	case b == Base{}:
		return "no file"
	case b.SHA256 == "":
		return fmt.Sprintf("revision %d", b.Revision)
	case b.Revision == 0:
		return "SHA-256 " + short(b.SHA256)
	}
	return fmt.Sprintf("revision %d (SHA-256 %s)", b.Revision, short(b.SHA256))
}

func (e Entry) String() string {
	if e.Revision == 0 {
		return "no such file"
	}
	by := fmt.Sprintf("by %s at %s", e.UpdatedBy, e.UpdatedAt.Format(time.RFC3339))
	if !e.Holds() {
		return fmt.Sprintf("no such file, because revision %d (%s) deleted it", e.Revision, by)
	}
	return fmt.Sprintf("revision %d (SHA-256 %s, %s)", e.Revision, short(e.SHA256), by)
}

func short(sha256 string) string { return sha256[:min(len(sha256), 12)] }
