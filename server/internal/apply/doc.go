// Package apply makes and reverts all changes of a workspace's files: on disk or in an editor, for a person or an
// agent. See [Applier.Apply].
//
// # The steps of an apply
//
// [Applier.Apply] gets a proposal (how to plan the change on the current files, and a writer for them) and a function
// that asks the person. One function lists its steps:
//
//   - check: plan the change, check rules R15 to R17 (the gate), and compare the files with a shared file set.
//   - ask: if the proposal has a question, wait for the person's answer, without a lock. A reply with doubts always has a
//     question. If nobody can be asked, the change is refused.
//   - lock: wait, because a program makes one change at a time. A cancelled call stops waiting.
//   - check again: plan the change again after a question or a wait. If the new plan is different, and either of the two
//     plans has a question, nothing is applied.
//   - commit: the writer changes the files and verifies them. A pending record is in the history before the first file
//     changes.
//   - record: the record is finished.
//   - upload: the file set is updated.
//
// A revert is an apply of the inverse plan, by the same function. TestNothingIsAppliedThatWasNotAgreed,
// TestNoLockIsHeldWhileAsking and TestWaitingIsCancelled check the order of the steps.
//
// # The gate
//
// The gate (gate.go) checks rules R15, R16 and R17 on the tree after the change, for every proposal. Only the gate
// makes a [Cleared], and a writer accepts nothing else. Package git decides which folders are git directories. It is
// called three times: by the plan, for the diagnostic of a block; by the gate, to decide; and by the commit, under the
// lock.
//
// # The writers
//
// There are two writers. [Disk] makes one transaction of package disk. The writer in package lspserver changes files
// through an editor.
package apply
