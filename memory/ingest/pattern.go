package ingest

import (
	"regexp"
	"sync"
)

// pattern is a regular expression that is compiled when it is first asked. Every command
// starts with this package, few read a file, and each of those needs the patterns of one
// format: compiling all of them took most of the time of a start.
type pattern struct {
	source string
	once   sync.Once
	re     *regexp.Regexp
}

// patterns are all of them, so that a test can compile each (TestPatterns).
var patterns []*pattern

// lazily is regexp.MustCompile for a variable of the package. What can't be compiled
// panics at its first use.
func lazily(source string) *pattern {
	p := &pattern{source: source}
	patterns = append(patterns, p)
	return p
}

func (p *pattern) get() *regexp.Regexp {
	p.once.Do(func() { p.re = regexp.MustCompile(p.source) })
	return p.re
}

// The methods are those of [regexp.Regexp].

func (p *pattern) Match(b []byte) bool                    { return p.get().Match(b) }
func (p *pattern) MatchString(s string) bool              { return p.get().MatchString(s) }
func (p *pattern) FindString(s string) string             { return p.get().FindString(s) }
func (p *pattern) FindStringIndex(s string) []int         { return p.get().FindStringIndex(s) }
func (p *pattern) FindStringSubmatch(s string) []string   { return p.get().FindStringSubmatch(s) }
func (p *pattern) FindStringSubmatchIndex(s string) []int { return p.get().FindStringSubmatchIndex(s) }
func (p *pattern) FindSubmatch(b []byte) [][]byte         { return p.get().FindSubmatch(b) }
func (p *pattern) FindAllString(s string, n int) []string { return p.get().FindAllString(s, n) }
func (p *pattern) ReplaceAllString(src, repl string) string {
	return p.get().ReplaceAllString(src, repl)
}
func (p *pattern) FindAllStringSubmatch(s string, n int) [][]string {
	return p.get().FindAllStringSubmatch(s, n)
}
func (p *pattern) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return p.get().FindAllStringSubmatchIndex(s, n)
}
func (p *pattern) FindAllSubmatch(b []byte, n int) [][][]byte { return p.get().FindAllSubmatch(b, n) }
func (p *pattern) Split(s string, n int) []string             { return p.get().Split(s, n) }
