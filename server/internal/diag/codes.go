package diag

// A Code names a kind of diagnostic, in kebab-case. Codes stay the same from version to version, because people filter
// by them. docs/diagnostics.md has a section for each code, with the text from server/tools/codes.
type Code string

// Severity returns the usual severity of diagnostics with the code. server/tools/codes lists the exceptions.
func (c Code) Severity() Severity {
	switch c {
	case APIgnored, APCreatesFolder, APTailInSnippet, APSoftStart, APContentIndentation,
		APScopeEnd, APNesting, APMaybeDone,
		Alternative, MissingRoot, UnknownMember, ContentIgnored,
		FindEqualsReplace, FindAmbiguous, FindInsideWord, ReplacementIndentation, ReplacementRepeats,
		AppliedBefore, InsertMoved, InsertRepeats, HunkStandsAlready, HunkByNumber,
		CutShort, ForeignMarks, RepeatedLines, InvalidSyntax, LinesLost, TextArtifact, CopiedText, Omission, ElisionUnsure,
		SHA256Case, LoneReturn, NoteNotString,
		PathNotClean, PathBlanks, PathInvisible, PathTwice, PathCase, PathProject,
		RootNotWorkspace, ReplaceMissing, MixedEndings, UnsavedText, NotebookOpen, Overlap, FileSetuid,
		BaseRecovered, Unread, SearchPair, ScopeMissed, PatchAppends, TagsReading, WholeUnsure, WholeSample, RenameUnsure, BrokenReference:
		return Warning
	case APTrimmed, BlockIncomplete, CallIgnored, AlreadyApplied, GitProse, HunkMoved, Declined, FileMode, ShellCommand:
		return Info
	case APNoEnd, PartSkipped, MissingOperation, MissingLimit, GitBOM, JSONBOM, LintTopLevel, LintTests, LintDDR, LintPretty:
		return Hint
	}
	return Error
}
