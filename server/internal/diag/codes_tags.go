package diag

// The problems of files between tags.
const (
	TagsBroken    Code = "tags-broken"
	TagsAttribute Code = "tags-attribute"
	TagsContent   Code = "tags-content"
	TagsReading   Code = "tags-reading"
)
