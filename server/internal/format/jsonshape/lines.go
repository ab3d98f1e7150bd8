package jsonshape

import (
	"cmp"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/lenientjson"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// The members of a line patch (docs/formats/lines.md). Ids in a patch have no effect, because the server assigns
// them.
var (
	LineBatchMembers  = []string{"batchLabel", "batchKey", "batchId", "files"}
	LineFileMembers   = []string{"fileKey", "fileLabel", "filePatchId", "docPath", "originalSha256", "changes"}
	LineChangeMembers = []string{"changeKey", "changeId", "operation", "description", "afterLine", "startLine", "endLine", "expectedOriginalLines", "newLines"}
	LineOperations    = []string{"insert", "replace", "delete"}
)

var lines = &dialect{
	names: lenientjson.Names{"root": false, "path": false, "patches": false, "content": true, "find": true},
	aliases: map[string][]string{
		"files":                 {"patches", "filepatches"},
		"docPath":               {"path", "file", "filepath", "filename", "documentpath"},
		"originalSha256":        {"sha256", "sha", "originalsha", "originalhash", "hash", "filesha256", "basesha256"},
		"changes":               {"edits", "operations", "patches", "ops", "hunks"},
		"operation":             {"op", "action", "type", "kind"},
		"afterLine":             {"after", "insertafter", "insertafterline", "lineafter"},
		"startLine":             {"start", "fromline", "firstline"},
		"endLine":               {"end", "toline", "lastline"},
		"expectedOriginalLines": {"originallines", "expectedlines", "oldlines", "expected", "expectedoriginal"},
		"newLines":              {"lines", "replacementlines", "insertlines"},
	},
	operations: func() []string { return LineOperations },
	operationWords: map[string]string{
		"add": "insert", "insertafter": "insert", "insertlines": "insert", "append": "insert", "prepend": "insert",
		"update": "replace", "modify": "replace", "change": "replace", "edit": "replace", "replacelines": "replace",
		"remove": "delete", "del": "delete", "deletelines": "delete", "rm": "delete",
	},
}

func init() {
	for _, names := range [][]string{LineBatchMembers, LineFileMembers, LineChangeMembers} {
		for _, name := range names {
			lines.names[name] = name == "description" || name == "fileLabel" || name == "batchLabel"
		}
	}
}

// isLinePatch reports whether a tree is a line patch. The entries may be in `files` or, by mistake, in `patches`, or
// the whole tree may be a single entry.
func isLinePatch(root *lenientjson.Node, files, patches *lenientjson.Member) (is, certain bool) {
	for _, list := range []*lenientjson.Member{files, patches} {
		if list == nil {
			continue
		}
		for _, e := range append([]*lenientjson.Node{list.Value}, list.Value.Elems...) {
			isEntry, certainEntry := isLineEntry(e)
			is, certain = is || isEntry, certain || certainEntry
		}
	}
	if is {
		return is, certain
	}
	if isEmptyBatch(root, files) {
		return true, false
	}
	_, certain = isLineEntry(root)
	return certain, certain
}

// isEmptyBatch reports whether `files` is empty but the other members are those of a line patch.
func isEmptyBatch(root *lenientjson.Node, files *lenientjson.Member) bool {
	return files != nil && files.Value.Kind == lenientjson.Array && len(files.Value.Elems) == 0 &&
		(has(root, "batchKey") || has(root, "batchLabel") || has(root, "batchId")) && onlyHas(root, LineBatchMembers...)
}

// isLineEntry reports whether a value is an entry of a line patch. A docPath alone proves nothing, because lists of
// files have docPaths, too (rule R30).
func isLineEntry(n *lenientjson.Node) (is, certain bool) {
	key, sum, changes := has(n, "docPath"), has(n, "originalSha256"), n.Member("changes")
	switch {
	case changes == nil:
		return key && sum, false
	case key || sum:
		return true, key && sum
	}
	return slices.ContainsFunc(changes.Value.Elems, isLineChange), false
}

// isLineChange reports whether a value is a change in a line patch. Line numbers alone prove nothing, because much
// other JSON has them.
func isLineChange(n *lenientjson.Node) bool {
	for _, name := range []string{"expectedOriginalLines", "newLines"} {
		if m := n.Member(name); m != nil && m.Value.Kind == lenientjson.Array {
			return true
		}
	}
	return false
}

// linesOfWords reports whether a text that is not valid JSON is a line patch: its first entry has a docPath, and
// does not begin like an entry of another format. inList is true if the text has `files` or `patches`.
func linesOfWords(body string, inList bool) bool {
	key := named(body, "docPath")
	if key < 0 || !inList && named(body, "originalSha256") < 0 {
		return false
	}
	for _, other := range []string{"path", "content", "find"} {
		if at := named(body, other); at >= 0 && at < key {
			return false
		}
	}
	return true
}

// withinLines makes the repairs inside lists of lines uncertain. Any text can be a line, and a line may be missing
// anywhere, for example between two commas.
func (d *Document) withinLines() {
	if d.Whole() {
		return
	}
	lists := lineLists(d.Root, nil)
	for _, p := range d.Diagnostics {
		i, _ := slices.BinarySearchFunc(lists, p.Span.End, func(list text.Span, end int) int { return cmp.Compare(list.Start, end) })
		if i > 0 && p.Span.Start <= lists[i-1].End {
			offerOnly(p)
		}
	}
}

// lineLists appends the spans of all lists of lines in a tree to `found`, from top to bottom.
func lineLists(n *lenientjson.Node, found []text.Span) []text.Span {
	for _, m := range n.Members {
		if m.Key.Text == "newLines" || m.Key.Text == "expectedOriginalLines" {
			found = append(found, m.Value.Span)
		} else {
			found = lineLists(m.Value, found)
		}
	}
	for _, e := range n.Elems {
		found = lineLists(e, found)
	}
	return found
}
