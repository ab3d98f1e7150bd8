package reply

import "testing"

// Each language has words for each verb, and the example of each row is recognized.
func TestPhrases(t *testing.T) {
	languages, rows := map[string]bool{}, map[Verb]map[string]bool{}
	for _, p := range phrases() {
		languages[p.language] = true
		if rows[p.verb] == nil {
			rows[p.verb] = map[string]bool{}
		}
		rows[p.verb][p.language] = true
		if _, ok := say(p.example, p.verb); !ok {
			t.Errorf("%q does not say %s", p.example, p.verb)
		}
	}
	if len(languages) < 10 {
		t.Errorf("only %d languages", len(languages))
	}
	for verb, has := range rows {
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
