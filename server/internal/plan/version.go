package plan

import (
	"io/fs"

	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A version is a file at one moment of a reply: as the tree has it, or as a block leaves it.
// What steps leave is kept as a [locate.Text], which shares with those before it what the steps
// left alone. So the versions of a large file, of which each of many blocks edits a little, take
// little more memory than the file, and the bytes are put together when they are asked for.
type version struct {
	_      [0]func() // == would compare pointers: see same
	Exists bool
	Mode   fs.FileMode
	data   string       // where text is nil: see [text.Content]
	text   *locate.Text // the bytes
	plain  bool         // text is UTF-8 without a mark, so that its bytes are what they say
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

// with is the file with other bytes.
func (v version) with(data string) version {
	v.data, v.text, v.plain = data, nil, false
	return v
}

// kept is the version without what was made of it to look for passages.
func (v version) kept() version {
	if v.text != nil {
		v.text = v.text.Bare()
	}
	return v
}
