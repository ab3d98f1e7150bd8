package filetags

import (
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/intent"
)

// outline returns an outline of the files by path.
func outline(r *format.Region, set intent.Set) format.Outline {
	files := format.Parts(r.Body, set, nil)
	return format.Outline{Name: "Files", Detail: format.Count(len(files), "file"), Files: files}
}
