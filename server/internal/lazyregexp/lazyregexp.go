// Package lazyregexp has regular expressions for package variables that are compiled when
// they are first used. A command needs few of them, and to compile all takes a tenth of
// the processor time of a one-line patch (a row of make bench).
package lazyregexp

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// A Regexp is a [regexp.Regexp], with those of its methods that are needed.
type Regexp struct{ compiled func() *regexp.Regexp }

// inTest is as in the package of the same name in Go's own source.
var inTest = len(os.Args) > 0 && strings.HasSuffix(strings.TrimSuffix(os.Args[0], ".exe"), ".test")

// New is the regular expression that s is the text of. A text of none panics: in tests at
// once.
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
