package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// replaceMember replaces the value at a pointer in a package.json.
func replaceMember(old string, pointer jsontext.Pointer, value []byte) (string, error) {
	start, end, err := memberSpan(old, pointer)
	if err != nil {
		return "", err
	}
	depth := strings.Count(string(pointer), "/")
	return old[:start] + indented(value, depth, unit(old)) + old[end:], nil
}

// replaceRows replaces the value at a pointer in a package.json with an array that has one element on each
// line.
func replaceRows(old string, pointer jsontext.Pointer, rows []any) (string, error) {
	start, end, err := memberSpan(old, pointer)
	if err != nil {
		return "", err
	}
	indentation := strings.Repeat(unit(old), strings.Count(string(pointer), "/"))
	var lines []string
	for _, row := range rows {
		raw, err := marshal(row)
		if err != nil {
			return "", err
		}
		value := jsontext.Value(raw)
		if err := value.Format(jsontext.SpaceAfterColon(true), jsontext.SpaceAfterComma(true)); err != nil {
			return "", err
		}
		object := strings.TrimSuffix(strings.TrimPrefix(string(value), "{"), "}")
		lines = append(lines, indentation+unit(old)+"{ "+object+" }")
	}
	return old[:start] + "[\n" + strings.Join(lines, ",\n") + "\n" + indentation + "]" + old[end:], nil
}

// memberSpan returns the span in bytes of the value at a pointer in a JSON text.
func memberSpan(src string, pointer jsontext.Pointer) (start, end int, err error) {
	dec := jsontext.NewDecoder(strings.NewReader(src))
	for {
		token, err := dec.ReadToken()
		if err != nil {
			return 0, 0, fmt.Errorf("no value at %s: %w", pointer, err)
		}
		if dec.StackPointer() != pointer || token.Kind() != '"' {
			continue
		}
		value, err := dec.ReadValue()
		end := int(dec.InputOffset())
		return end - len(value), end, err
	}
}

// unit returns the text of one level of indentation in a JSON file.
func unit(src string) string {
	found := regexp.MustCompile(`(?m)^([ \t]+)"`).FindStringSubmatch(src)
	if found == nil {
		return "  "
	}
	return found[1]
}

// marshal returns JSON without HTML escapes, so that `<` stays `<`.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}

// indented formats a JSON value that is nested at the given depth.
func indented(value []byte, depth int, unit string) string {
	var b bytes.Buffer
	if err := json.Indent(&b, value, strings.Repeat(unit, depth), unit); err != nil {
		panic(err) // never happens, because marshal made the value
	}
	return b.String()
}
