package filetags

import (
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/intent"
)

// outline has each file by its path.
func outline(r *format.Region, set intent.Set) format.Outline {
	files := format.Parts(r.Body, set, nil)
	return format.Outline{Name: "Files", Detail: format.Count(len(files), "file"), Files: files}
}

// mention is the file where its path is, and else the element at an offset.
func mention(r *format.Region, set intent.Set, at int) (format.Mention, bool) {
	return format.MentionPathOrPart(r.Body, set, at)
}

// complete offers the files of the workspace where a path is typed.
func complete(r *format.Region, at int, claimed bool) (format.Completion, bool) {
	if !claimed {
		return format.Completion{}, false
	}
	return format.CompletePath(r.Body, read(r).parsed.Set, at)
}
