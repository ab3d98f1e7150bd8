package plan

import (
	"io/fs"

	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A version is a file at one moment of a reply: in the tree, or after a block. Results of steps are kept as
// [place.Text], which shares unchanged parts with earlier versions, so that many small edits of a large file need
// little more memory than the file.
type version struct {
	_      [0]func() // forbids ==, which would compare pointers; use the method same instead
	Exists bool
	Mode   fs.FileMode
	data   string      // the bytes if text is nil: see [text.Content]
	text   *place.Text // the bytes, with their search index; nil if they are in data
	plain  bool        // whether text is UTF-8 without a byte order mark, so that it needs no decoding
}

func versionOf(c text.Content) version { return version{Exists: c.Exists, Mode: c.Mode, data: c.Data} }

func (v version) content() text.Content {
	return text.Content{Exists: v.Exists, Mode: v.Mode, Data: v.bytes()}
}

func (v version) bytes() string {
	if v.text != nil {
		return v.text.String()
	}
	return v.data
}

func (v version) len() int {
	if v.text != nil {
		return v.text.Len()
	}
	return len(v.data)
}

func (v version) same(other version) bool {
	return v.Exists == other.Exists && v.Mode == other.Mode && v.sameBytes(other)
}

func (v version) sameBytes(other version) bool {
	if v.text != nil && other.text != nil {
		return v.text.Equal(other.text)
	}
	return v.len() == other.len() && v.bytes() == other.bytes()
}

func (v version) with(data string) version {
	v.data, v.text, v.plain = data, nil, false
	return v
}

func (v version) kept() version {
	if v.text != nil {
		v.text = v.text.Bare()
	}
	return v
}
