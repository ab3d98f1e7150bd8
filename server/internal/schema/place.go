package schema

import (
	"maps"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Place describes one place of a block: an object, an element of an array, or a value. The
// zero Place describes nothing.
type Place struct {
	schema *jsonschema.Schema
	lines  *jsonschema.Schema // the same place in a line patch; only set if `schema` is for the other kinds of blocks
}

// A Member is a member that an object can have.
type Member struct {
	Name     string
	Place    Place // the place of the member's value
	Required bool  // an object with the members in `present` must also have this member; see [Place.Members]
}

// At returns the place to which member names lead from the top of a block, through arrays: At("files", "path") is the
// path of every entry.
func At(names ...string) Place {
	p := Place{schema: below(editBlock(), names), lines: below(lineBlock(), names)}
	if p.schema == nil {
		return Place{schema: p.lines}
	}
	return p
}

// InLines is like [At], but for a block that is known to be a line patch.
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

// Doc returns a description of the place in plain text, or "" if nothing is known.
func (p Place) Doc() string {
	if p.schema == nil {
		return ""
	}
	return p.schema.Description
}

// List reports whether the place holds an array.
func (p Place) List() bool { return p.schema != nil && p.schema.Items != nil }

// Strings reports whether the place holds an array of strings.
func (p Place) Strings() bool { return p.List() && p.schema.Items.Type == "string" }
func (p Place) Number() bool  { return p.schema != nil && p.schema.Type == "integer" }

// Values returns all values that the place can have, if they can be listed. Otherwise it returns the usual values.
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

// Members returns the members that can be added to an object at the place, or to each object of an array at the place.
// `present` maps each member that the object already has to its value, if the value is a string. Required members come
// first. Members that occur only in Aptix's answers are left out.
func (p Place) Members(present map[string]string) []Member {
	if p.schema == nil {
		return nil
	}
	object := objectOf(p.schema)
	if lines := objectOf(p.lines); lines != nil && !holds(object, present) && holds(lines, present) {
		object = lines
	}
	shapes := fitting(object.OneOf, present)
	var required, optional []Member
	for _, name := range object.PropertyOrder {
		if _, there := present[name]; there || name == "$schema" || object.Properties[name].ReadOnly || never(shapes, name) {
			continue
		}
		if place := (Place{schema: object.Properties[name]}); needed(object, shapes, name) {
			required = append(required, Member{name, place, true})
		} else {
			optional = append(optional, Member{name, place, false})
		}
	}
	return append(required, optional...)
}

// objectOf returns the schema of the elements if s describes an array. Otherwise it returns s.
func objectOf(s *jsonschema.Schema) *jsonschema.Schema {
	if s != nil && s.Items != nil {
		return s.Items
	}
	return s
}

func holds(object *jsonschema.Schema, present map[string]string) bool {
	return !text.AnyIn(maps.Keys(present), func(name string) bool { return object.Properties[name] == nil })
}

// fitting returns the shapes that are still possible for an object with the given members. If no shape has all of these
// members, it returns all shapes.
func fitting(shapes []*jsonschema.Schema, present map[string]string) []*jsonschema.Schema {
	fit := slices.DeleteFunc(slices.Clone(shapes), func(s *jsonschema.Schema) bool { return !fits(s, present) })
	if len(fit) == 0 {
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

func excluded(p *jsonschema.Schema) bool { return p.Not != nil || p.Type == "null" }

func never(shapes []*jsonschema.Schema, name string) bool {
	return len(shapes) > 0 && !slices.ContainsFunc(shapes, func(s *jsonschema.Schema) bool {
		p := s.Properties[name]
		return p == nil || !excluded(p)
	})
}

func needed(object *jsonschema.Schema, shapes []*jsonschema.Schema, name string) bool {
	return slices.Contains(object.Required, name) || len(shapes) > 0 &&
		!slices.ContainsFunc(shapes, func(s *jsonschema.Schema) bool { return !slices.Contains(s.Required, name) })
}
