package diag

import "github.com/aptix-dev/aptix/server/internal/text"

// asking lists the codes whose warnings are doubts: the change might not be the intended one, so it is made only if
// somebody agrees. All other warnings are only shown.
var asking = map[Code]bool{
	FindAmbiguous:          true, // another place may be intended
	FindInsideWord:         true, // a different name may be intended
	FindNotFound:           true, // a replacement is left out
	FindConsumed:           true, // a replacement is left out
	ReplacementIndentation: true,
	ReplacementRepeats:     true, // a line would occur twice
	APContentIndentation:   true,
	APMaybeDone:            true, // the change may be applied a second time
	HunkStandsAlready:      true, // the change may be applied a second time
	HunkByNumber:           true, // nothing but a line number supports the place
	BaseRecovered:          true, // the change was made for a different text of the file
	SearchDivider:          true, // the author may have meant another reading
	SearchPair:             true, // the block may be only an explanation
	ScopeMissed:            true, // another place may be intended
	PatchAppends:           true, // the text may belong elsewhere
	PatchNoEnd:             true, // more lines may be missing
	PatchEmpty:             true, // the marks of changed lines may have been lost
	InsertMoved:            true, // another line may be intended
	AppliedBefore:          true, // somebody may have taken a part back, or edited it
	InsertRepeats:          true, // the change may be applied a second time
	Omission:               true, // lines would be lost
	ElisionUnsure:          true, // a part may belong elsewhere, or omitted lines would be lost
	TagsReading:            true, // the author may have meant another reading
	TextArtifact:           true, // these characters may be intended
	CopiedText:             true, // other characters may be intended
	LinesLost:              true, // lines would be lost
	CutShort:               true, // lines would be lost
	RepeatedLines:          true, // one copy may be left over by mistake
	InvalidSyntax:          true, // nobody intends a syntax error
	ForeignMarks:           true, // the marks might not belong in the file
	WholeSample:            true, // the block might not be an edit
	WholeUnsure:            true, // another file may be intended, or none
	RenameUnsure:           true, // the two paths may be in the wrong order
	BrokenReference:        true, // the reply may be incomplete, or a name invented
	Alternative:            true, // another block may be intended instead
	WholeFences:            true, // the text may end elsewhere
	Unread:                 true, // this may be only half of the change
	PathProtected:          true, // a program may run the new text
	PathCase:               true, // the existing file may be intended
	PathInvisible:          true, // the path may name a different file than it seems to
	UnsavedText:            true, // the unsaved text may exist nowhere else
	NotebookOpen:           true, // the editor may save different content over it
	MixedEndings:           true, // the editor would change more than intended
}

// Asks reports whether the person is asked about a warning with this code before an apply.
func (c Code) Asks() bool { return asking[c] }

// Asks reports whether the diagnostic is a doubt: a warning about which the person is asked before an apply.
func (d Diagnostic) Asks() bool { return d.Severity == Warning && d.Code.Asks() }

// Doubts returns the diagnostics that are doubts, in order.
func Doubts(ds []Diagnostic) []Diagnostic {
	return text.Only(ds, Diagnostic.Asks)
}
