package lenientjson

import "github.com/go-json-experiment/json/jsontext"

// Quote returns s as a JSON string that escapes only quotes, backslashes and control characters.
// Bytes that are not UTF-8 become U+FFFD, because JSON cannot express them.
func Quote(s string) string {
	quoted, _ := jsontext.AppendQuote(nil, s) // the only possible error is that s is not UTF-8
	return string(quoted)
}

func escaped(c byte) string {
	quoted := Quote(string(rune(c)))
	return quoted[1 : len(quoted)-1]
}
