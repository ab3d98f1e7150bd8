package diag

// asking lists the codes whose warnings are doubts: the change may not be the one that was
// meant, so it is not made before someone agreed to it. All other warnings only inform.
var asking = map[Code]bool{
	FindAmbiguous:          true, // another place may be meant
	FindInsideWord:         true, // another name may be meant
	FindNotFound:           true, // a replacement is left out
	FindConsumed:           true, // likewise
	ReplacementIndentation: true,
	ReplacementRepeats:     true, // a line would be there twice
	APContentIndentation:   true,
	APMaybeDone:            true, // it may be applied a second time
	HunkStandsAlready:      true, // likewise
	HunkByNumber:           true, // nothing shows that the place is the right one
	BaseRecovered:          true, // the file is not the one that the change was made for
	SearchDivider:          true, // another reading may be meant
	ScopeMissed:            true, // another place may be meant
	PatchAppends:           true, // likewise
	InsertMoved:            true, // another line may be meant
	InsertRepeats:          true, // it may be applied a second time
	Omission:               true, // lines would be lost
	ElisionUnsure:          true, // a part may go elsewhere, or lines that are left out would be lost
	TagsReading:            true, // another reading may be meant
	TextArtifact:           true, // the file may be meant to be so
	CopiedText:             true, // other characters may be meant
	LinesLost:              true, // lines would be lost
	CutShort:               true, // likewise
	ForeignMarks:           true, // they may be no lines of the file
	WholeSample:            true, // it may be no edit
	WholeUnsure:            true, // another file may be meant, or none
	Alternative:            true, // another block may be meant instead
	WholeFences:            true, // the text may end elsewhere
	Unread:                 true, // the rest would be half of what was meant
	PathProtected:          true, // a program may run what is written
	PathInvisible:          true, // it may not be the file that it seems to be
	UnsavedText:            true, // nobody else may have that text
	NotebookOpen:           true, // the editor may save other content over it
	MixedEndings:           true, // the editor changes more than is meant
}

// Asks reports whether a warning of the code asks before an apply.
func (c Code) Asks() bool { return asking[c] }

// Asks reports whether d is a doubt: a warning that asks before an apply.
func (d Diagnostic) Asks() bool { return d.Severity == Warning && d.Code.Asks() }

// Doubts are those of ds that ask, in order.
func Doubts(ds []Diagnostic) []Diagnostic {
	var doubts []Diagnostic
	for _, d := range ds {
		if d.Asks() {
			doubts = append(doubts, d)
		}
	}
	return doubts
}
