package settings

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
)

// Parse reads the section "aptix" of an editor's settings: null, or an object that is nested or has dotted keys. A
// setting with a missing or wrong value gets its default. Each wrong value adds a problem for the log.
func Parse(raw []byte) (s Settings, problems []string) {
	s = Default()
	var found any
	if err := json.Unmarshal(raw, &found); err != nil {
		return s, []string{fmt.Sprintf("the settings are not JSON: %v", err)}
	}
	if found == nil {
		return s, nil
	}
	object, ok := found.(map[string]any)
	if !ok {
		return s, []string{fmt.Sprintf("the settings are %s, but must be an object", raw)}
	}
	if inner, ok := object[Section].(map[string]any); ok {
		object = inner // the message didChangeConfiguration wraps the settings in an object named "aptix"
	}
	return s, s.set(flat("", object))
}

func flat(prefix string, object map[string]any) map[string]any {
	all := map[string]any{}
	for name, value := range object {
		if inner, ok := value.(map[string]any); ok {
			maps.Copy(all, flat(prefix+name+".", inner))
		} else {
			all[prefix+name] = value
		}
	}
	return all
}

func (s *Settings) set(values map[string]any) (problems []string) {
	fields := reflect.ValueOf(s).Elem()
	for i := range fields.NumField() {
		key := fields.Type().Field(i).Tag.Get("key")
		value, set := values[key]
		delete(values, key)
		if !set || value == nil {
			continue
		}
		if problem := assign(fields.Field(i), value); problem != "" {
			problems = append(problems, fmt.Sprintf("%s.%s is %v (%s); %v is used instead", Section, key, value, problem, fields.Field(i)))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		problems = append(problems, fmt.Sprintf("%s.%s is not a setting", Section, key))
	}
	return problems
}

// assign sets a field to a value. If the value is wrong, assign leaves the field unchanged and returns a message with
// the allowed values.
func assign(field reflect.Value, value any) (problem string) {
	if enum, ok := field.Interface().(interface{ Values() []string }); ok {
		text, _ := value.(string)
		if !slices.Contains(enum.Values(), text) {
			return "expected one of " + strings.Join(enum.Values(), ", ")
		}
	}
	if field.Kind() == reflect.Int {
		number, ok := value.(float64)
		if !ok || number != math.Trunc(number) || number < 0 || number > math.MaxInt32 {
			return "expected a whole number, 0 or more"
		}
	}
	if field.Kind() == reflect.Slice {
		return assignList(field, value)
	}
	from := reflect.ValueOf(value)
	if from.Kind() != field.Kind() && field.Kind() != reflect.Int {
		if field.Kind() == reflect.Bool {
			return "expected true or false"
		}
		return "expected a string"
	}
	field.Set(from.Convert(field.Type()))
	return ""
}

func assignList(field reflect.Value, value any) (problem string) {
	all, ok := value.([]any)
	list := make([]string, len(all))
	for i, one := range all {
		text, is := one.(string)
		list[i], ok = text, ok && is
	}
	if !ok {
		return "expected a list of strings"
	}
	field.Set(reflect.ValueOf(list))
	return ""
}
