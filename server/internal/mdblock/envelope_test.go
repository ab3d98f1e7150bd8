package mdblock

import "testing"

func TestCloseEnvelope(t *testing.T) {
	const patch = "*** Begin Patch\n*** Update File: a.md\n@@\n '''\n-make\n+go\n '''\n*** End Patch\n"
	runClosing(t, []closingCase{
		{"fences as context", "'''text\n" + patch + "'''\ntext\n", []found{{"text", patch, true}}},
		{"below a command", "'''bash\napply_patch <<EOF\n" + patch + "EOF\n'''\n", []found{{"bash", "apply_patch <<EOF\n" + patch + "EOF\n", true}}},
		{"without a fence", patch + "\n'''go\nx\n'''\n", []found{{"go", "x\n", true}}},
		{"without its end", "'''text\n*** Begin Patch\n*** Update File: a\n@@\n x\n'''\n", []found{{"text", "*** Begin Patch\n*** Update File: a\n@@\n x\n", true}}},
	})
}
