package diag

// The problems of git patches, apart from the content of their files.
const (
	GitNoPatch        Code = "git-no-patch"
	GitBOM            Code = "git-bom"
	GitIndented       Code = "git-indented"
	GitProse          Code = "git-prose"
	GitCombined       Code = "git-combined"
	GitSubmodule      Code = "git-submodule"
	GitHeader         Code = "git-header"
	GitHeaderMissing  Code = "git-header-missing"
	GitNames          Code = "git-names"
	GitPrefix         Code = "git-prefix"
	GitNoHunks        Code = "git-no-hunks"
	GitHunkHeader     Code = "git-hunk-header"
	GitHunkEmpty      Code = "git-hunk-empty"
	GitLineStart      Code = "git-line-start"
	GitLinesAfterHunk Code = "git-lines-after-hunk"
	GitNewFile        Code = "git-new-file"
	GitDeletedContent Code = "git-deleted-content"
	GitBinary         Code = "git-binary"
	GitBinaryMismatch Code = "git-binary-mismatch"
	GitForeign        Code = "git-foreign"
	GitResultDiffers  Code = "git-result-differs"
	GitCutOff         Code = "git-cut-off"
	GitLooseEnd       Code = "git-loose-end"
)
