// Package apply makes and reverts all changes of a workspace's files: on disk or in an
// editor, for a person or an agent. See [Applier.Apply].
//
// # The steps of an apply
//
// [Applier.Apply] takes a proposal (how to plan the change on the current files, and a writer
// for them) and a way to ask the person. Its steps are one list in one function:
//
//   - check: plan the change, let it pass the gate of rules R15 to R17, and compare the files with a
//     shared file set.
//   - ask: if the proposal has a question, let the person answer. A reply with doubts always has
//     a question. No lock is held meanwhile. If nobody can be asked, the change is refused.
//   - lock: wait, because a program makes one change at a time. A cancelled call stops waiting.
//   - check again: plan the change again after a question or a wait. If the new plan is
//     different, and one of the two plans has a question, nothing is applied.
//   - commit: the writer changes the files and verifies them. A pending record is in the
//     history before the first file changes.
//   - record: the record is finished.
//   - upload: the file set is updated.
//
// A revert is an apply of the inverse plan, by the same function.
// TestNothingIsAppliedThatWasNotAgreed, TestNoLockIsHeldWhileAsking and
// TestWaitingIsCancelled check the order of the steps.
//
// # The gate
//
// The gate (gate.go) checks rules R15, R16 and R17 on the tree that the change would leave, whoever proposes it. Only
// the gate makes a [Cleared], and a writer accepts nothing else. Package git knows which folders are git directories.
// That package is called three times: by the plan, for the diagnostic of a block; by the gate, to decide; and by the
// commit, under the lock.
//
// # The writers
//
// There are two writers. [Disk] makes one transaction of package disk. The other one, in
// package lspserver, changes files through an editor.
package apply
