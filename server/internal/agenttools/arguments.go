package agenttools

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// define completes the tool `t`. The schemas follow from the types In and Out. The tool checks its arguments against
// the schema before it calls `call`.
func define[In, Out any](t Tool, call func(context.Context, Host, In) (Out, []protocol.ToolMessage, error)) Tool {
	t.Input, t.Output = sync.OnceValue(schemaFor[In]), sync.OnceValue(schemaFor[Out])
	t.call = func(ctx context.Context, host Host, raw json.RawMessage) (any, []protocol.ToolMessage, error) {
		var in In
		if err := decode(raw, t.Input(), &in); err != nil {
			return nil, nil, err
		}
		return some(call(ctx, host, in))
	}
	return t
}

func some[Out any](out Out, warnings []protocol.ToolMessage, err error) (any, []protocol.ToolMessage, error) {
	return out, warnings, err
}

// ownSchemas has the schemas of types whose allowed values a Go type cannot express.
var ownSchemas = map[reflect.Type]*jsonschema.Schema{
	reflect.TypeFor[formatName](): {Type: "string", Enum: formatNames()},
	reflect.TypeFor[searchMode](): {Type: "string", Enum: []any{string(byWords), string(byLiteral), string(byRegexp)}},
	reflect.TypeFor[count]():      {Type: "integer", Minimum: new(1.0), Maximum: new(float64(1 << 30))},
}

// A count is a number of at least 1, or 0 if no number was given.
type count int

// UnmarshalJSON accepts every integer as JSON Schema defines it, including 20.0 and 2e1.
func (c *count) UnmarshalJSON(raw []byte) error {
	var n float64
	if err := json.Unmarshal(raw, &n); err != nil {
		return err
	}
	*c = count(n)
	return nil
}

// schemaFor returns the schema of a type. Unlike the library's schema of a list, it does not allow null.
func schemaFor[T any]() *jsonschema.Schema {
	s, err := jsonschema.For[T](&jsonschema.ForOptions{TypeSchemas: ownSchemas})
	if err != nil {
		panic(err) // a type without a schema makes every test fail
	}
	plainLists(s)
	return s
}

func plainLists(s *jsonschema.Schema) {
	if s.Items != nil {
		s.Type, s.Types = "array", nil
		plainLists(s.Items)
	}
	for _, p := range s.Properties {
		plainLists(p)
	}
}

// decode reads the arguments of a tool and checks them against the schema. The arguments are objects that contain no
// other objects.
func decode(raw json.RawMessage, schema *jsonschema.Schema, into any) error {
	if len(bytes.TrimSpace(raw)) == 0 || bytes.Equal(bytes.TrimSpace(raw), []byte("null")) {
		raw = json.RawMessage("{}")
	}
	var all any
	if err := jsonv2.Unmarshal(raw, &all); err != nil {
		return Refuse("bad-arguments", "the arguments are not valid JSON: %v", err)
	}
	given, ok := all.(map[string]any)
	if !ok {
		return Refuse("bad-arguments", "the arguments are %s, but must be an object", withArticle(kindOf(all)))
	}
	var messages []protocol.ToolMessage
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if why := mismatch(name, given[name], schema); why != "" && len(messages) < maxMessages {
			messages = append(messages, protocol.ToolMessage{Code: "bad-arguments", Message: why})
		}
	}
	for _, name := range schema.Required {
		if _, there := given[name]; !there {
			messages = append(messages, protocol.ToolMessage{Code: "bad-arguments",
				Message: fmt.Sprintf("%q is missing: %s", name, schema.Properties[name].Description)})
		}
	}
	if messages != nil {
		return &Refusal{Messages: messages}
	}
	return json.Unmarshal(raw, into)
}

// mismatch explains why an argument does not fit the schema, or returns "". It quotes only the beginning of names and
// values, which may have any length.
func mismatch(name string, value any, schema *jsonschema.Schema) string {
	p := schema.Properties[name]
	name = text.Short(name)
	switch {
	case p == nil && len(schema.PropertyOrder) == 0:
		return fmt.Sprintf("there is no argument %q: this tool takes none", name)
	case p == nil:
		return fmt.Sprintf("there is no argument %q; this tool takes %s", name, strings.Join(schema.PropertyOrder, ", "))
	case kindOf(value) != p.Type:
		return fmt.Sprintf("%q is %s, but must be %s", name, withArticle(kindOf(value)), withArticle(p.Type))
	case len(p.Enum) > 0 && !slices.Contains(p.Enum, value):
		return fmt.Sprintf("%q is %q, but must be one of %v", name, text.Short(fmt.Sprint(value)), p.Enum)
	}
	if n, ok := value.(float64); ok && (p.Minimum != nil && n < *p.Minimum || p.Maximum != nil && n > *p.Maximum) {
		return fmt.Sprintf("%q is %.0f, but must be from %.0f to %.0f", name, n, *p.Minimum, *p.Maximum)
	}
	return ""
}

func kindOf(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			return "integer"
		}
		return "number"
	case []any:
		return "array"
	}
	return "object"
}

func withArticle(kind string) string {
	switch kind {
	case "null":
		return kind
	case "integer", "array", "object":
		return "an " + kind
	}
	return "a " + kind
}
