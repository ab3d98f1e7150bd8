package reply

import (
	"maps"
	"testing"
)

// Each language has words for every verb, or only for the verbs whose meaning the files do not show. The example of
// each row is recognized.
func TestPhrases(t *testing.T) {
	rows := map[Verb]map[string]bool{}
	for _, p := range phrases() {
		if rows[p.verb] == nil {
			rows[p.verb] = map[string]bool{}
		}
		rows[p.verb][p.language] = true
		if _, ok := say(p.example, p.verb); !ok {
			t.Errorf("%q does not say %s", p.example, p.verb)
		}
	}
	if n := len(rows[Common]); n < 10 {
		t.Errorf("only %d languages", n)
	}
	for verb, has := range rows {
		languages := rows[Common]
		if verb == Delete || verb == NotNow || verb == Remember || verb == Wait || verb == Retract {
			languages = rows[Delete]
		}
		for language := range languages {
			if !has[language] {
				t.Errorf("no words for %q in %q", verb, language)
			}
		}
	}
}

func TestSayWantsWholeWords(t *testing.T) {
	for line, verb := range map[string]Verb{"The address of the adder": Add, "A recreated premise": Create, "undeleted": Delete} {
		if at, ok := say(line, verb); ok {
			t.Errorf("%q says %q", line, at.In(line))
		}
	}
}

func TestIntroducesNew(t *testing.T) {
	for label, want := range map[string]bool{
		"Change line 13 to:": true, "Replace it with": true, "将第 13 行改为：": true, "Ersetze Zeile 5 durch:": true,
		"Code to replace:": false, "Replace:": false, "Before:": false, "Change this:": false, "": false,
	} {
		if introducesNew(label) != want {
			t.Errorf("%q: %v", label, !want)
		}
	}
}

func TestOnlyShown(t *testing.T) {
	for line, want := range map[string]bool{
		"Example:": true, "The old version:": true, "A naive fix would be": true, "You wrote:": true, "Upstream has:": true,
		"This is what I tried first, which failed:": true, "On the `main` branch the file looks like this:": true,
		"Is this right?": true, "旧版本：": true, "例：": true, "Par exemple :": true, "Alte Version:": true, "Для справки:": true,
		"`src/a.py` (staging)": true, "src/a.py @ HEAD~1": true, "`src/a.py` — example": true, "**src/a.py** (do not change)": true,
		"**src/a.py** (unchanged)": true, "Example (`src/a.py`):": true, "The file currently looks like this:": true, "Currently:": true,
		"To give you a feeling, this is roughly what it would look like:": true,
		"`src/a.py` as it is now:":                                        true, "`src/a.py` before the change:": true,

		"Cart:": false, "`src/a.py` after the change:": false, "This is how it looks now:": false, "We currently update it twice:": false, "The fix:": false, "Replace the old version:": false, "To make the example work, update the cart:": false,
		"The old rate was wrong. Here is the fix:": false, "This is the new rate:": false, "### Why?": false, "Zde je návrh změny:": false,
		"For reference, here is the complete file:": false, "修改如下：": false, "Ersetze die alte Version:": false,
		"`src/a.py` (updated)": false, "**src/a.py** (lines 3-9)": false, "`src/a.py` (modifié)": false, "`src/a.py` — the entry point": false,
		"`src/a.py` を次のように変更してください。": false, "src/[id].tsx": false, "**src/a.py** (1/2)": false, "Update `src/a.py` (the CLI):": false,
	} {
		if at, ok := onlyShown(line); ok != want {
			t.Errorf("%q: %v, %q", line, ok, at.In(line))
		}
	}
}

func TestWaits(t *testing.T) {
	for line, want := range map[string]bool{
		"Please don't do that.": true, "Bitte mach das nicht.": true, "それはやめてください。": true, "Por favor, no hagas eso.": true,
		"Hand out this pull request and ask whether it may be merged:": true, "Раздайте этот патч.": true,

		"Please don't do that in a loop.": false, "If a user clicks twice, we don't do that.": false, "The pools hand over this connection.": false,
	} {
		if at, ok := say(line, Wait); ok != want {
			t.Errorf("%q: %v, %q", line, ok, at.In(line))
		}
	}
}

func TestWithdraws(t *testing.T) {
	for line, want := range map[string]bool{
		"Do not apply the second block.": true, "This works. Please ignore the above.": true, "Correction: use `0.21`.": true,
		"Wait, 9090 is taken.": true, "Sorry, that is the wrong file.": true, "The change to `src/a.py` is optional.": true,
		"Den zweiten Block bitte nicht anwenden.": true, "上記は無視してください。": true, "请忽略以上内容。": true, "You can skip the last block.": true, "Only apply the first change.": true,
		"Pensándolo mejor, deja `a.txt` como está.": true, "Aplica solo la parte de `src/a.cpp`.": true, "Wende bitte nur den ersten Block an.": true,
		"You don't need to apply the second patch.": true, "The last block is only an example.": true,
		"The test failed, and I've since reverted the second edit.": true, "Die zweite Änderung habe ich zurückgenommen.": true, "The last change was wrong.": true,

		"Wait for the server, then test it.": false, "Sorry for the confusion earlier!": false, "`name` is now optional.": false,
		"Don't forget to restart the server.": false, "You can ignore the warning.": false, "No other changes are needed.": false,
		"Further changes are not needed.": false, "To undo it, run `git checkout .`.": false, "- Correction : utiliser le même modèle": false,
		"We don't apply the discount twice.": false, "You can skip the tests.": false, "The changes are backward compatible.": false,
		"This change is an important step.": false, "You don't need to change anything else.": false,
		"I reverted the order of the list.": false, "The old limit was wrong.": false, "To be able to revert it, commit first.": false,
	} {
		if at, ok := withdraws(line); ok != want {
			t.Errorf("%q: %v, %q", line, ok, at.In(line))
		}
	}
}

// The number of an issue is not a number that a line of code could get.
func TestNumbers(t *testing.T) {
	got := Numbers("The wait is 30 s now, not 45, see #2147.\n", nil)
	if want := map[string]string{"30": "45", "45": "30"}; !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestMayHaveCommand(t *testing.T) {
	for body, want := range map[string]bool{
		`[{"command": "git rm a"}]`:                          true,
		`[{"Command_Line": "git rm a"}]`:                     true,
		`[{"arguments": "{\"cmd\": \"git rm a\"}"}]`:         true,
		`[{"c\u006fmmand": "git rm a"}]`:                     true,
		`[{"path": "src/command.py", "content": "a = 1"}]`:   false,
		`[{"path": "a.py", "content": "commit the change"}]`: false,
	} {
		if got := mayHaveCommand(body); got != want {
			t.Errorf("%s: got %v, want %v", body, got, want)
		}
	}
}
