package agenttools

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/fileset"
	"github.com/aptix-dev/aptix/server/internal/format/lines"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/schema"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A writtenPatch is an applied line patch, with its new ids (rule L24).
type writtenPatch struct {
	protocol.Batch
	Applied     bool   `json:"applied" jsonschema:"Whether the files were changed by this call."`
	AlreadyDone bool   `json:"alreadyDone" jsonschema:"Whether the files already had the result of the patch, so that nothing was written."`
	ID          string `json:"id" jsonschema:"The id of this change in the history, for aptix_revert; empty if nothing was written."`
	Message     string `json:"message" jsonschema:"What happened, for people."`
}

var writePatch = Tool{
	Name: "workspace_write_patch", Title: "Apply a line patch",
	Description: "Change lines of one or more files, all or nothing. For each file, copy the sha256 from workspace_read_file (or active_file_sha256), and count the lines of the text that it returned, " +
		"from 1; expectedOriginalLines repeats the lines verbatim. Changes go from top to bottom, do not overlap, and all their line numbers are those of the file before the patch. " +
		"Lines are written without line endings. Do not make a patch from a search result: read the file first. " +
		"In an editor the person sees the change and is asked first. If anything is wrong, nothing is written, and the answer says how to correct it. Applying the same patch again changes nothing.",
	Input: sync.OnceValue(patchSchema), Output: sync.OnceValue(schemaFor[writtenPatch]),
	call: func(ctx context.Context, host Host, raw json.RawMessage) (any, []protocol.ToolMessage, error) {
		return some(write(ctx, host, raw))
	},
}

// patchSchema returns the schema of a line patch in a block, reduced to the keywords that the interfaces of all models
// accept. It describes the members of each operation, but does not require them. Patches are not validated with it: a
// patch is read like a block.
func patchSchema() *jsonschema.Schema {
	s := schema.Lines()
	s.Schema, s.Title = "", ""
	delete(s.Properties, "$schema")
	s.PropertyOrder = slices.DeleteFunc(slices.Clone(s.PropertyOrder), func(name string) bool { return name == "$schema" })
	s.Properties[acceptWarnings] = &jsonschema.Schema{Type: "boolean", Description: "Apply even if warnings need confirmation, because the change is intended exactly as it is. In an editor the person is still asked."}
	s.PropertyOrder = append(s.PropertyOrder, acceptWarnings)
	change := s.Properties["files"].Items.Properties["changes"].Items
	change.OneOf = nil
	operation := change.Properties["operation"]
	operation.Extra = nil
	operation.Description = "insert: insert newLines after afterLine. replace: put newLines in place of the lines from startLine to endLine. " +
		"delete: delete the lines from startLine to endLine. For replace and delete, expectedOriginalLines repeats these lines."
	return s
}

func write(ctx context.Context, host Host, raw json.RawMessage) (writtenPatch, []protocol.ToolMessage, error) {
	raw, accept, err := cutAccept(raw)
	if err != nil {
		return writtenPatch{}, nil, err
	}
	doc, err := asDocument(raw)
	if err != nil {
		return writtenPatch{}, nil, err
	}
	folders, err := host.Folders(ctx)
	if err != nil {
		return writtenPatch{}, nil, err
	}
	label, keys := outline(raw)
	folder, err := commonFolder(folders, keys)
	if err != nil {
		return writtenPatch{}, nil, err
	}
	c, err := checkReply(ctx, host, Request{Text: doc, Format: lines.Format.Name, Folder: folder, Label: label, AcceptWarnings: accept})
	if err != nil {
		return writtenPatch{}, nil, err
	}
	answer, warnings, err := c.apply(ctx, host, func(protocol.ApplyResult) any { return nil })
	if err != nil {
		return writtenPatch{}, nil, behindSet(ctx, host.FileSet(), folder, keys, err)
	}
	if len(answer.Batches) != 1 {
		return writtenPatch{}, nil, fmt.Errorf("a line patch was applied as %d batches", len(answer.Batches))
	}
	return writtenPatch{answer.Batches[0], answer.Applied, !answer.Applied, answer.ID, answer.Message}, warnings, nil
}

// behindSet adds an explanation to a refusal if the text of a file in a shared file set differs from the disk. Without
// the explanation, the agent would read the file again, which does not help, because the patch was made from the text
// in the set.
func behindSet(ctx context.Context, set *fileset.Set, folder Folder, docPaths []string, err error) error {
	refusal, ok := errors.AsType[*Refusal](err)
	if !ok || set == nil || !set.Shared() || refusal.Messages[0].Code != string(diag.SHA256Mismatch) {
		return err
	}
	for _, key := range docPaths {
		f, err := find(ctx, []Folder{folder}, key)
		if err != nil {
			continue // the refusal already says that the file was not found
		}
		if _, warnings, err := f.read(ctx, set); err == nil {
			refusal.Messages = append(warnings, refusal.Messages...)
		}
	}
	return refusal
}

// acceptWarnings is the name of the only argument that does not belong to the line patch.
const acceptWarnings = "acceptWarnings"

// cutAccept removes the argument acceptWarnings from a patch. If the patch is not an object, it stays unchanged, and
// the check reports the problem.
func cutAccept(raw json.RawMessage) (patch json.RawMessage, accept bool, err error) {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil || members[acceptWarnings] == nil {
		return raw, false, nil
	}
	if json.Unmarshal(members[acceptWarnings], &accept) != nil {
		return nil, false, Refuse("bad-arguments", "%q is %s, but must be a boolean", acceptWarnings, members[acceptWarnings])
	}
	patch, err = cutMember(raw, acceptWarnings)
	return patch, accept, err
}

// cutMember returns an object without the members called `name`. The other members keep their order, because the
// history identifies a patch by its text.
func cutMember(raw json.RawMessage, name string) (json.RawMessage, error) {
	dec := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowDuplicateNames(true))
	if _, err := dec.ReadToken(); err != nil {
		return nil, err
	}
	var members [][]byte
	for dec.PeekKind() == '"' {
		key, err := dec.ReadValue()
		if err != nil {
			return nil, err
		}
		key = key.Clone()
		value, err := dec.ReadValue()
		if err != nil {
			return nil, err
		}
		if string(key) != strconv.Quote(name) {
			members = append(members, slices.Concat(key, []byte(":"), value))
		}
	}
	return slices.Concat([]byte("{"), bytes.Join(members, []byte(",")), []byte("}")), nil
}

// asDocument returns the arguments as a file in the format of line patches. It normalizes the JSON, because programs
// write JSON differently, and the history identifies a patch by its text.
func asDocument(raw json.RawMessage) (string, error) {
	if len(raw) == 0 {
		raw = json.RawMessage("{}")
	}
	doc, err := jsontext.AppendFormat(nil, raw, jsontext.AllowDuplicateNames(true), jsontext.WithIndent("  "))
	if err != nil {
		return "", Refuse("bad-arguments", "the arguments are not valid JSON: %v", err)
	}
	return string(doc), nil
}

func outline(raw json.RawMessage) (label string, docPaths []string) {
	var batch struct {
		BatchLabel string
		Files      []struct{ DocPath string }
	}
	_ = json.Unmarshal(raw, &batch) // ignore errors, because the check reports them
	docPaths = text.Each(batch.Files, func(f struct{ DocPath string }) string { return f.DocPath })
	return batch.BatchLabel, docPaths
}

// commonFolder returns the folder with the files of all docPaths. All files must be in one folder, because a patch is
// one transaction and a transaction cannot span folders. commonFolder ignores unknown docPaths, because the check
// reports them.
func commonFolder(folders []Folder, docPaths []string) (Folder, error) {
	if len(folders) == 0 {
		return Folder{}, Refuse(string(diag.NoWorkspace), "no folder is open")
	}
	var chosen *Folder
	first := ""
	for _, key := range docPaths {
		folder, err := folderWith(folders, key)
		switch {
		case err != nil:
			return Folder{}, err
		case folder == nil:
		case chosen == nil:
			chosen, first = folder, key
		case chosen.Dir != folder.Dir:
			return Folder{}, Refuse("several-folders", "%q is in the folder %s, and %q in %s: a patch is applied all or nothing, which is not possible across two folders; send one patch for each folder",
				first, chosen.Dir, key, folder.Dir)
		}
	}
	return *cmp.Or(chosen, &folders[0]), nil
}

// folderWith returns the folder that has a file with the given docPath, or nil. If a folder has several such files,
// that is not an error here, because the check reports it.
func folderWith(folders []Folder, key string) (*Folder, error) {
	found, err := lookup(folders, strings.ToLower(key))
	if err != nil || len(found) == 0 {
		return nil, err
	}
	chosen := found[0].folder
	if slices.ContainsFunc(found, func(f file) bool { return f.folder.Dir != chosen.Dir }) {
		return nil, ambiguous(key, found)
	}
	return &chosen, nil
}

// A changeInput names a line patch, or a part of a line patch, by any of its ids.
type changeInput struct {
	ID          string `json:"id,omitempty" jsonschema:"A batchId, a filePatchId or a changeId. Give either this or one of the other three."`
	BatchID     string `json:"batchId,omitempty" jsonschema:"The id of a whole patch."`
	FilePatchID string `json:"filePatchId,omitempty" jsonschema:"The id of the changes of one file."`
	ChangeID    string `json:"changeId,omitempty" jsonschema:"The id of one change."`
}

// id returns the id of the smallest part that the input names.
func (in changeInput) id() string { return cmp.Or(in.ID, in.ChangeID, in.FilePatchID, in.BatchID) }

var getPatchChange = define(Tool{
	Name: "get_patch_change", Title: "Look up a line patch", ReadOnly: true,
	Description: "Look up a line patch, its changes to one file, or a single change. Pass the id that workspace_write_patch returned. " +
		"The answer gives the effect and the reason, says whether the change is applied or reverted, and has the current state of its files. The ids are valid in later conversations too.",
}, func(ctx context.Context, host Host, in changeInput) (protocol.PatchChangeInfo, []protocol.ToolMessage, error) {
	if in.id() == "" {
		return protocol.PatchChangeInfo{}, nil, Refuse("bad-arguments", "\"id\" is missing: a batchId, a filePatchId or a changeId")
	}
	store := host.History()
	if store == nil {
		return protocol.PatchChangeInfo{}, nil, Refuse("no-history", "the history cannot be opened, so earlier patches are unknown")
	}
	folders, err := host.Folders(ctx)
	if err != nil {
		return protocol.PatchChangeInfo{}, nil, err
	}
	tree := seen(folders)
	info, err := apply.PatchChange(ctx, store, in.id(), tree)
	// The agent must not see changes in other folders of this machine.
	if errors.Is(err, history.ErrNoBatch) || err == nil && tree(info.Root) == nil {
		return protocol.PatchChangeInfo{}, nil, Refuse("unknown-id", "the history of the open folders has no line patch, and no part of one, with the id %q", in.id())
	}
	return info, nil, err
})

// seen returns a function that looks up the tree of a root, or returns nil if the root is not an open folder.
func seen(folders []Folder) func(root string) fs.FS {
	return func(root string) fs.FS {
		for _, f := range folders {
			if f.Dir == root {
				return f.Tree
			}
		}
		return nil
	}
}
