package settings

import (
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	changed := Settings{ServerPath: "/x", Strict: true, Profile: ProfileSYS004, Check: CheckAll, MissingFind: MissingFindSkip, Confirm: ConfirmAlways, Protected: []string{"*.ps1"}, AgentsConfirm: ConfirmWarnings, CodeLens: false, HistoryMaxAge: 7, HistoryMaxSize: 0, HistoryIgnored: true, FileSet: "postgres://h/d", Trace: TraceVerbose}
	for _, c := range []struct {
		name, json string
		want       Settings
		problems   []string
	}{
		{"null", `null`, Default(), nil},
		{"empty", `{}`, Default(), nil},
		{"nested", `{"server":{"path":"/x"},"strict":true,"profile":"sys-004","check":"all","missingFind":"skip","confirm":"always","protected":["*.ps1"],"agents":{"confirm":"warnings"},"codeLens":{"enabled":false},"markChangedFiles":false,"history":{"maxAge":7,"maxSize":0,"ignoredFiles":true},"fileSet":"postgres://h/d","trace":{"server":"verbose"}}`, changed, nil},
		{"dotted", `{"server.path":"/x","strict":true,"profile":"sys-004","check":"all","missingFind":"skip","confirm":"always","protected":["*.ps1"],"agents.confirm":"warnings","codeLens.enabled":false,"markChangedFiles":false,"history.maxAge":7,"history.maxSize":0,"history.ignoredFiles":true,"fileSet":"postgres://h/d","trace.server":"verbose"}`, changed, nil},
		{"with its section", `{"aptix":{"strict":true}}`, Settings{Strict: true, Profile: ProfileNone, Check: CheckReplies, MissingFind: MissingFindRefuse, Confirm: ConfirmWarnings, Protected: []string{}, AgentsConfirm: ConfirmAlways, CodeLens: true, MarkChanged: true, HistoryMaxAge: 90, HistoryMaxSize: 256, Trace: TraceOff}, nil},
		{"null member", `{"strict":null,"codeLens":null}`, Default(), []string{"aptix.codeLens is not a setting"}},
		{"wrong types", `{"strict":"yes","confirm":3,"codeLens":{"enabled":[1]}}`, Default(), []string{
			"aptix.strict is yes (expected true or false); false is used instead",
			"aptix.confirm is 3 (expected one of warnings, always); warnings is used instead",
			"aptix.codeLens.enabled is [1] (expected true or false); true is used instead",
		}},
		{"no list of names", `{"protected":["a",1]}`, Default(), []string{"aptix.protected is [a 1] (expected a list of strings); [] is used instead"}},
		{"no number of days", `{"history":{"maxAge":1.5,"maxSize":-1}}`, Default(), []string{
			"aptix.history.maxAge is 1.5 (expected a whole number, 0 or more); 90 is used instead",
			"aptix.history.maxSize is -1 (expected a whole number, 0 or more); 256 is used instead",
		}},
		{"wrong value beside right ones", `{"confirm":"never","strict":true}`, Settings{Strict: true, Profile: ProfileNone, Check: CheckReplies, MissingFind: MissingFindRefuse, Confirm: ConfirmWarnings, Protected: []string{}, AgentsConfirm: ConfirmAlways, CodeLens: true, MarkChanged: true, HistoryMaxAge: 90, HistoryMaxSize: 256, Trace: TraceOff},
			[]string{"aptix.confirm is never (expected one of warnings, always); warnings is used instead"}},
		{"unknown", `{"strct":true,"trace":{"client":1}}`, Default(), []string{"aptix.strct is not a setting", "aptix.trace.client is not a setting"}},
		{"no object", `[1]`, Default(), []string{"the settings are [1], but must be an object"}},
		{"no JSON", `{`, Default(), []string{"the settings are not JSON: unexpected end of JSON input"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, problems := Parse([]byte(c.json))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("settings (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.problems, problems); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

// The settings of a workspace come with a repository. They can change the display, but they
// cannot weaken questions and refusals or change which data is kept or sent.
func TestWorkspacesCannotWeaken(t *testing.T) {
	harmless := []string{"profile", "check", "codeLens.enabled", "markChangedFiles", "trace.server"}
	fields := reflect.TypeFor[Settings]()
	for i := range fields.NumField() {
		key, scope := fields.Field(i).Tag.Get("key"), fields.Field(i).Tag.Get("scope")
		if ours := scope == "machine" || scope == "application"; ours == slices.Contains(harmless, key) {
			t.Errorf("aptix.%s has the scope %s", key, scope)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`{"aptix":{"strict":true,"codeLens":{"enabled":false}}}`)
	f.Add(`{"confirm":{"x":{}},"trace.server":"off"}`)
	f.Add(`null`)
	f.Fuzz(func(t *testing.T, raw string) {
		s, _ := Parse([]byte(raw))
		if s.Confirm != ConfirmWarnings && s.Confirm != ConfirmAlways {
			t.Errorf("confirm = %q", s.Confirm)
		}
	})
}
