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

// A Regexp is a [regexp.Regexp] with only the methods that are needed. It runs only on texts that may match.
type Regexp struct{ compiled func() *compiled }

type compiled struct {
	*regexp.Regexp
	needed needed
}

// inTest is true while a test runs. Go's own package of the same name uses the same condition.
var inTest = len(os.Args) > 0 && strings.HasSuffix(strings.TrimSuffix(os.Args[0], ".exe"), ".test")

// New returns the regular expression s. If s is invalid, its first use panics. During tests, New itself panics.
func New(s string) *Regexp {
	r := &Regexp{sync.OnceValue(func() *compiled { return &compiled{regexp.MustCompile(s), neededBy(s)} })}
	if inTest {
		r.compiled()
	}
	return r
}

// in returns the compiled expression, or nil if `s` certainly does not match.
func (r *Regexp) in(s string) *regexp.Regexp {
	if c := r.compiled(); c.needed.areIn(s) {
		return c.Regexp
	}
	return nil
}

// MatchString calls the method of [regexp.Regexp] with the same name, as do the other methods.
func (r *Regexp) MatchString(s string) bool {
	e := r.in(s)
	return e != nil && e.MatchString(s)
}

func (r *Regexp) FindString(s string) string {
	if e := r.in(s); e != nil {
		return e.FindString(s)
	}
	return ""
}

func (r *Regexp) FindStringIndex(s string) []int {
	if e := r.in(s); e != nil {
		return e.FindStringIndex(s)
	}
	return nil
}

func (r *Regexp) FindStringSubmatch(s string) []string {
	if e := r.in(s); e != nil {
		return e.FindStringSubmatch(s)
	}
	return nil
}

func (r *Regexp) FindStringSubmatchIndex(s string) []int {
	if e := r.in(s); e != nil {
		return e.FindStringSubmatchIndex(s)
	}
	return nil
}

func (r *Regexp) FindAllStringIndex(s string, most int) [][]int {
	if e := r.in(s); e != nil {
		return e.FindAllStringIndex(s, most)
	}
	return nil
}

func (r *Regexp) FindAllStringSubmatch(s string, most int) [][]string {
	if e := r.in(s); e != nil {
		return e.FindAllStringSubmatch(s, most)
	}
	return nil
}

func (r *Regexp) FindAllStringSubmatchIndex(s string, most int) [][]int {
	if e := r.in(s); e != nil {
		return e.FindAllStringSubmatchIndex(s, most)
	}
	return nil
}

func (r *Regexp) ReplaceAllString(s, by string) string {
	if e := r.in(s); e != nil {
		return e.ReplaceAllString(s, by)
	}
	return s
}

func (r *Regexp) ReplaceAllStringFunc(s string, by func(string) string) string {
	if e := r.in(s); e != nil {
		return e.ReplaceAllStringFunc(s, by)
	}
	return s
}
