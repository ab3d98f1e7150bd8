package diag

// The problems of a block before its content is read.
const (
	BlockIncomplete Code = "block-incomplete"
	PartSkipped     Code = "part-skipped"
	FenceInFence    Code = "fence-in-fence"
	Alternative     Code = "alternative"
)

var blockDocs = []Doc{
	{BlockIncomplete, Info, "A fenced block has no closing fence: the reply is still being written, was cut off, or goes on with another block ([R4](formats/README.md#r4)). It is shown and never applied.", "```json\n{\"root\": \".\", \"files\": [", "```json\n{\"root\": \".\", \"files\": [...]}\n```", "Closes the fence of a whole edit at the end of the reply; offered."},
	{FenceInFence, Error, "Above the block, a fence contains another fence of the same length, so it ends where the inner one ends. The text and the fences below are then the wrong way round ([R52](formats/README.md#r52)). A block that is picked by its number is applied.", "```markdown\n```json\n{}\n```\n...\n```", "````markdown\n```json\n{}\n```\n...\n````", ""},
	{Alternative, Warning, "The text around the block says that it may be meant instead of another change, such as `Option 2` or `alternatively`, that it is optional, shows a mistake, undoes an earlier block, or corrects one. Or the reply has two different whole texts of one file ([R53](formats/README.md#r53)). Together, such blocks would give a result that nobody meant.", "**Option 1**\n```json\n{...}\n```\n**Option 2**\n```json\n{...}\n```", "```json\n{...}\n```", ""},
	{PartSkipped, Hint, "A person left out this part of the block. Previews and applies skip it until the person includes it again. An editor dims it, and an agent that sends the same block is told.", "", "", ""},
}
