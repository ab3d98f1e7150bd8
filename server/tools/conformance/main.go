// Command conformance tests any program with the cases of testdata/conformance, and prints the failures.
// testdata/conformance/README.md explains what a failure means.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/tools/casefile"
)

func main() {
	dir := flag.String("dir", "testdata/conformance", "the `folder` with the cases")
	only := flag.String("run", "", "run only the cases whose name, such as git/offset, matches this `regexp`")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: conformance [-dir DIR] [-run REGEXP] -- COMMAND..., with {reply}, {root} and {flags} in it")
		flag.PrintDefaults()
	}
	flag.Parse()
	failed, err := run(*dir, *only, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(2)
	}
	if failed > 0 {
		os.Exit(1)
	}
}

// run tries a command on the cases of a folder and returns the number of failures. It prints a line for each case that
// fails, and the count for each folder of cases.
func run(dir, only string, command []string) (failed int, err error) {
	if !strings.Contains(strings.Join(command, " "), "{reply}") {
		return 0, fmt.Errorf("no command, or none with {reply} in it: -- aptix apply {flags} --root {root} {reply}")
	}
	wanted, err := regexp.Compile(only)
	if err != nil {
		return 0, err
	}
	cases, err := casefile.Load(dir)
	if err != nil {
		return 0, err
	}
	if command, err = located(command); err != nil {
		return 0, err
	}
	problems, err := tryAll(command, cases, wanted)
	if err != nil {
		return 0, err
	}
	return report(cases, problems), nil
}

// located makes the path of a command's program absolute, because the command runs in other folders.
func located(command []string) ([]string, error) {
	program, err := exec.LookPath(command[0])
	if err != nil {
		return nil, err
	}
	if program, err = filepath.Abs(program); err != nil {
		return nil, err
	}
	return slices.Concat([]string{program}, command[1:]), nil
}

// report prints the failures and the counts for each folder.
func report(cases []*casefile.Case, problems map[string]string) (failed int) {
	type count struct{ passed, all int }
	counts := map[string]count{}
	var folders []string
	for _, c := range cases {
		problem, tried := problems[c.Name]
		if !tried {
			continue
		}
		folder := path.Dir(c.Name)
		n, known := counts[folder]
		if !known {
			folders = append(folders, folder)
		}
		n.all++
		if problem == "" {
			n.passed++
		} else {
			failed++
			fmt.Printf("%s (%s): %s\n", c.Name, strings.Join(c.Rules, ", "), problem)
			for _, other := range c.Differs {
				fmt.Printf("\tdiffers: %s\n", other)
			}
		}
		counts[folder] = n
	}
	for _, folder := range folders {
		fmt.Printf("%-16s passes %d of %d\n", folder, counts[folder].passed, counts[folder].all)
	}
	return failed
}
