package diag

// asking lists the codes whose warnings are doubts: the change may not be the intended one,
// so it is not made until somebody agrees to it. All other warnings only inform.
var asking = map[Code]bool{
	FindAmbiguous:          true, // another place may be intended
	FindInsideWord:         true, // another name may be intended
	FindNotFound:           true, // a replacement is left out
	FindConsumed:           true, // likewise
	ReplacementIndentation: true,
	ReplacementRepeats:     true, // a line would occur twice
	APContentIndentation:   true,
	APMaybeDone:            true, // it may be applied a second time
	HunkStandsAlready:      true, // likewise
	HunkByNumber:           true, // nothing but a line number supports the place
	BaseRecovered:          true, // the change was made for another text of the file
	SearchDivider:          true, // another reading may be intended
	SearchPair:             true, // it may only explain
	ScopeMissed:            true, // another place may be intended
	PatchAppends:           true, // likewise
	InsertMoved:            true, // another line may be intended
	InsertRepeats:          true, // it may be applied a second time
	Omission:               true, // lines would be lost
	ElisionUnsure:          true, // a part may belong elsewhere, or lines that are left out would be lost
	TagsReading:            true, // another reading may be intended
	TextArtifact:           true, // the file may be intended to look like this
	CopiedText:             true, // other characters may be intended
	LinesLost:              true, // lines would be lost
	CutShort:               true, // likewise
	RepeatedLines:          true, // one copy may be left over
	ForeignMarks:           true, // they may be no lines of the file
	WholeSample:            true, // it may be no edit
	WholeUnsure:            true, // another file may be intended, or none
	Alternative:            true, // another block may be intended instead
	WholeFences:            true, // the text may end elsewhere
	Unread:                 true, // the rest would be only half of the change
	PathProtected:          true, // a program may run the new text
	PathInvisible:          true, // the path may name another file than it seems to
	UnsavedText:            true, // nobody else may have that text
	NotebookOpen:           true, // the editor may save other content over it
	MixedEndings:           true, // the editor changes more than intended
}

// Asks reports whether a warning of the code asks before an apply.
func (c Code) Asks() bool { return asking[c] }

// Asks reports whether d is a doubt: a warning that asks before an apply.
func (d Diagnostic) Asks() bool { return d.Severity == Warning && d.Code.Asks() }

// Doubts returns the diagnostics of ds that ask, in order.
func Doubts(ds []Diagnostic) []Diagnostic {
	var doubts []Diagnostic
	for _, d := range ds {
		if d.Asks() {
			doubts = append(doubts, d)
		}
	}
	return doubts
}
