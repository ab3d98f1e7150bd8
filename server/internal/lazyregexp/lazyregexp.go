// Package lazyregexp provides regular expressions that are compiled on first use, for package variables. A command
// needs only a few of them. Compiling all of them would take a tenth of the processor time that applying a one-line
// patch takes (measured by make bench).
package lazyregexp

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// A Regexp is a [regexp.Regexp] with only the methods that are needed.
type Regexp struct{ compiled func() *regexp.Regexp }

// inTest is true while a test runs. Go's own package of the same name uses the same condition.
var inTest = len(os.Args) > 0 && strings.HasSuffix(strings.TrimSuffix(os.Args[0], ".exe"), ".test")

// New returns the regular expression s. If s is invalid, its first use panics. During tests, New itself panics.
func New(s string) *Regexp {
	r := &Regexp{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(s) })}
	if inTest {
		r.compiled()
	}
	return r
}

func (r *Regexp) MatchString(s string) bool            { return r.compiled().MatchString(s) }
func (r *Regexp) FindString(s string) string           { return r.compiled().FindString(s) }
func (r *Regexp) FindStringIndex(s string) []int       { return r.compiled().FindStringIndex(s) }
func (r *Regexp) FindStringSubmatch(s string) []string { return r.compiled().FindStringSubmatch(s) }
func (r *Regexp) FindStringSubmatchIndex(s string) []int {
	return r.compiled().FindStringSubmatchIndex(s)
}
func (r *Regexp) FindAllStringIndex(s string, most int) [][]int {
	return r.compiled().FindAllStringIndex(s, most)
}
func (r *Regexp) FindAllStringSubmatch(s string, most int) [][]string {
	return r.compiled().FindAllStringSubmatch(s, most)
}
func (r *Regexp) FindAllStringSubmatchIndex(s string, most int) [][]int {
	return r.compiled().FindAllStringSubmatchIndex(s, most)
}
func (r *Regexp) ReplaceAllString(s, by string) string { return r.compiled().ReplaceAllString(s, by) }
func (r *Regexp) ReplaceAllStringFunc(s string, by func(string) string) string {
	return r.compiled().ReplaceAllStringFunc(s, by)
}
