package codes

import "github.com/aptix-dev/aptix/server/internal/diag"

var blockCodes = []Doc{
	{diag.BlockIncomplete, "A fenced block has no closing fence: the reply is still being written, was cut off, or continues with another block ([R4](formats/README.md#r4)). The block is shown and never applied.", "```json\n{\"root\": \".\", \"files\": [", "```json\n{\"root\": \".\", \"files\": [...]}\n```", "Closes the fence if the edit is at the end of the reply and seems complete; offered."},
	{diag.FenceInFence, "Above the block, a fence contains another fence of the same length, so the outer fence ends where the inner one ends. From there on, text is read as code, and code as text ([R52](formats/README.md#r52)). A block that is picked by its number is still applied.", "```markdown\n```json\n{}\n```\n...\n```", "````markdown\n```json\n{}\n```\n...\n````", ""},
	{diag.Alternative, "The combined result of the blocks may be unintended ([R53](formats/README.md#r53)). Words around the block, such as `Option 2` and `alternatively`, may call it an alternative to another change. They may also say that it is optional, that it undoes or corrects an earlier block, or that it is only shown: an example, an old version, a mistake, or a notation. A sentence below the last block may withdraw that block. The reply may also have two different versions of one whole file; this is an error if the second restores the file.", "**Option 1**\n```json\n{...}\n```\n**Option 2**\n```json\n{...}\n```", "```json\n{...}\n```", ""},
	{diag.PartSkipped, "A person left out this part of the block. Previews and applies skip it until the person includes it again. An editor shows it dimmed, and an agent that sends the same block gets this message.", "", "", ""},
}
