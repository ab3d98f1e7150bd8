package schema

import (
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
)

// A Place is what can be at one place of a block: an object, an element of an
// array, or a value. Nothing is known about the zero Place.
type Place struct {
	schema *jsonschema.Schema
	lines  *jsonschema.Schema // the same place in a line patch, where schema is that of other blocks
}

// A Member is a member that an object can have.
type Member struct {
	Name     string
	Place    Place // of its value
	Required bool  // in the object as it is
}

// At is the place that names lead to from the top of a block. Arrays are passed
// through: the place of `files` and `path` is the path of every entry.
func At(names ...string) Place {
	p := Place{schema: below(editBlock(), names), lines: below(lineBlock(), names)}
	if p.schema == nil {
		return Place{schema: p.lines}
	}
	return p
}

// InLines is At for a block that is known to be a line patch.
func InLines(names ...string) Place { return Place{schema: below(lineBlock(), names)} }

func below(s *jsonschema.Schema, names []string) *jsonschema.Schema {
	for _, name := range names {
		if s.Items != nil {
			s = s.Items
		}
		if s = s.Properties[name]; s == nil {
			return nil
		}
	}
	return s
}

// Doc says what is there, in plain text; "" where that is not known.
func (p Place) Doc() string {
	if p.schema == nil {
		return ""
	}
	return p.schema.Description
}

// List reports whether an array is there.
func (p Place) List() bool { return p.schema != nil && p.schema.Items != nil }

// Strings reports whether an array of strings is there, and Number whether a
// number does.
func (p Place) Strings() bool { return p.List() && p.schema.Items.Type == "string" }
func (p Place) Number() bool  { return p.schema != nil && p.schema.Type == "integer" }

// Values are what can be written there, where that is a list; or else what most
// often is.
func (p Place) Values() []Value {
	if p.schema == nil {
		return nil
	}
	var values []Value
	docs, _ := p.schema.Extra[enumDescriptions].([]string)
	for i, v := range p.schema.Enum {
		values = append(values, Value{v.(string), docs[i]})
	}
	for _, v := range p.schema.Examples {
		values = append(values, Value{Name: v.(string)})
	}
	return values
}

// Members are those that the object there, or each object of the array there, can
// have besides present: what is required comes first, and what only answers have is
// left out. present has the value of
// each member that is a string.
func (p Place) Members(present map[string]string) []Member {
	if p.schema == nil {
		return nil
	}
	object := objectOf(p.schema)
	if lines := objectOf(p.lines); lines != nil && !holds(object, present) && holds(lines, present) {
		object = lines
	}
	shapes := fitting(object.OneOf, present)
	var members []Member
	for _, name := range object.PropertyOrder {
		if _, there := present[name]; there || name == "$schema" || object.Properties[name].ReadOnly || never(shapes, name) {
			continue
		}
		members = append(members, Member{name, Place{schema: object.Properties[name]}, needed(object, shapes, name)})
	}
	slices.SortStableFunc(members, func(a, b Member) int {
		switch {
		case a.Required == b.Required:
			return 0
		case a.Required:
			return -1
		}
		return 1
	})
	return members
}

// objectOf is a schema, or that of its elements.
func objectOf(s *jsonschema.Schema) *jsonschema.Schema {
	if s != nil && s.Items != nil {
		return s.Items
	}
	return s
}

// holds reports whether an object may have all of some members.
func holds(object *jsonschema.Schema, present map[string]string) bool {
	for name := range present {
		if object.Properties[name] == nil {
			return false
		}
	}
	return true
}

// fitting are the shapes that the members of an object leave open; all of them
// where it has members of two.
func fitting(shapes []*jsonschema.Schema, present map[string]string) []*jsonschema.Schema {
	var fit []*jsonschema.Schema
	for _, s := range shapes {
		if fits(s, present) {
			fit = append(fit, s)
		}
	}
	if fit == nil {
		return shapes
	}
	return fit
}

func fits(shape *jsonschema.Schema, present map[string]string) bool {
	for name, value := range present {
		p := shape.Properties[name]
		if p != nil && (excluded(p) || (p.Enum != nil && !slices.Contains(p.Enum, any(value)))) {
			return false
		}
	}
	return true
}

// excluded reports whether a member has no use: it must be missing, or null.
func excluded(p *jsonschema.Schema) bool { return p.Not != nil || p.Type == "null" }

// never reports whether no shape has a use for a member.
func never(shapes []*jsonschema.Schema, name string) bool {
	return len(shapes) > 0 && !slices.ContainsFunc(shapes, func(s *jsonschema.Schema) bool {
		p := s.Properties[name]
		return p == nil || !excluded(p)
	})
}

// needed reports whether an object lacks a member in every shape.
func needed(object *jsonschema.Schema, shapes []*jsonschema.Schema, name string) bool {
	return slices.Contains(object.Required, name) || len(shapes) > 0 &&
		!slices.ContainsFunc(shapes, func(s *jsonschema.Schema) bool { return !slices.Contains(s.Required, name) })
}
