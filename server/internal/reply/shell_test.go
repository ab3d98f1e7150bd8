package reply

import (
	"fmt"
	"strings"
	"testing"
)

func TestEffects(t *testing.T) {
	for script, want := range map[string]string{
		"cd src\nrm a.py b.py":            "deletes src/a.py 1, deletes src/b.py 1",
		"cat x | tee 'a b.txt' > c":       "writes c? 0, writes a b.txt 0",
		"PS> Remove-Item src\\old.py":     "deletes src/old.py 0",
		"echo don't\ngit rm a.py":         "deletes a.py 1",
		"sed -i s/a/b/ a.py":              "edits a.py 0",
		"a.py -> b.py":                    "",
		"echo x >&2 2>/dev/null":          "",
		"git apply <<'E'\n+++ b/x.c\nE\n": "writes x.c 0",

		"yq -i '.a.b = \"c\"' a.yml":                        "edits .a.b = \"c\" 0, edits a.yml 0",
		"yq '.a.b' a.yml":                                   "",
		"jq '.a = 1' a.json | sponge a.json":                "writes a.json 0",
		"jq . a.json > b.json":                              "writes b.json? 0",
		"awk -i inplace '{print}' a.csv":                    "edits inplace 0, edits {print} 0, edits a.csv 0",
		"ed -s a.c <<'E'\n1d\nw\nE":                         "edits a.c 0",
		"ex -sc '1d|x' a.c":                                 "edits 1d|x 0, edits a.c 0",
		"vim a.c":                                           "",
		"dd if=a of=b/c.bin bs=1":                           "writes b/c.bin 0",
		"xmlstarlet ed --inplace -d //a pom.xml":            "edits ed 0, edits //a 0, edits pom.xml 0",
		"find src -name '*.py' -exec sed -i s/a/b/ {} +":    "edits src/**/*.py 0",
		"find . -name '*.pyc' -delete":                      "deletes ./**/*.pyc 0",
		"find src -name '*.c' | xargs -n 1 perl -pi -e a":   "edits src/**/*.c 0",
		"grep -rl old src | xargs sed -i s/old/new/":        "edits **/* 0",
		"some-tool --in-place=yes a.ini":                    "edits a.ini 0",
		"grep -i a a.py; docker run -i x; pip install -i y": "",
		"patch --dry-run < x.diff":                          "",
		"[IO.File]::WriteAllText(\"src/a.cs\", $t)":         "writes src/a.cs 0",
		"python -c \"open('a/b.py', 'w').write(x)\"":        "writes a/b.py 0",
	} {
		var got []string
		for _, e := range effects(script) {
			doubt := ""
			if !e.sure {
				doubt = "?"
			}
			got = append(got, fmt.Sprintf("%s %s%s %d", e.does, e.path, doubt, e.line))
		}
		if got := strings.Join(got, ", "); got != want {
			t.Errorf("%q has the effects %s, want %s", script, got, want)
		}
	}
}

func TestWrittenBy(t *testing.T) {
	for program, want := range map[string]string{
		`p = Path(f"src/locales/{lang}.json"); p.write_text("x")`:      "src/locales/*.json",
		`(Path("src") / "locales" / f"{lang}.json").write_text(x)`:     "src/locales/*.json",
		`for p in Path("src").glob("*.py"): p.write_text("")`:          "src/*.py",
		`with open(os.path.join("src", "a.py"), "w") as f: f.write(x)`: "a.py src/a.py",
		"fs.writeFileSync(`src/${name}.ts`, x)":                        "src/*.ts",
		`File.write("lib/a.rb", File.read("lib/b.rb"))`:                "lib/a.rb lib/b.rb",
		`os.WriteFile("a/b.go", data, 0o644)`:                          "a/b.go",
		`file_put_contents('src/a.php', $x);`:                          "src/a.php",
		`Files.writeString(Path.of("src/A.java"), x);`:                 "src/A.java",
		`fs::write("src/a.rs", x)?;`:                                   "src/a.rs",
		`print(json.load(open("src/a.json"))["version"])`:              "",
		`files.append("src/a.py")`:                                     "",
		`const a = require("./src/a.js"); console.log(a)`:              "",
	} {
		if got := strings.Join(writtenBy(program), " "); got != want {
			t.Errorf("%s writes %q, want %q", program, got, want)
		}
	}
}

func TestAim(t *testing.T) {
	for command, want := range map[string]string{
		"git apply x.patch":                 "src/a.ts",
		"git apply --directory=web x.patch": "web/src/a.ts",
		"git apply --directory web x.patch": "web/src/a.ts",
		"git -C web apply x.patch":          "web/src/a.ts",
		"patch -p1 -d web < x.patch":        "web/src/a.ts",
		"cd web && patch -p1 < ../x.patch":  "web/src/a.ts",
		"git apply -p2 x.patch":             "a.ts",
		"git apply -p 5 x.patch":            "a.ts",
		"git apply -p0 x.patch":             "b/src/a.ts",
		"git apply -C2 x.patch":             "src/a.ts",
	} {
		if got := effects(command)[0].patch.of("src/a.ts"); got != want {
			t.Errorf("%s changes %s, want %s", command, got, want)
		}
	}
}
