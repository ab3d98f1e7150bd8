package postgres

import (
	"bytes"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/jackc/pgx/v5/pgconn"
)

// The formats of a value on the connection.
const (
	textFormat   int16 = 0
	binaryFormat int16 = 1
)

// The OIDs of the types, which are the same in every server.
const (
	oidBytea = 17
	oidInt8  = 20
	oidInt4  = 23
	oidText  = 25
)

// errShape is a result that does not have the columns that the server announced.
var errShape = errors.New("the database answers with other columns than it should")

// encode leaves the type of a number or text to the server: the statement says it.
func encode(args []driver.NamedValue) (values [][]byte, formats []int16, err error) {
	for _, arg := range args {
		value, format := []byte(nil), textFormat
		switch v := arg.Value.(type) {
		case int64:
			value = strconv.AppendInt(nil, v, 10)
		case string:
			value = []byte(v)
		case []byte:
			value, format = v, binaryFormat
		default:
			return nil, nil, fmt.Errorf("no argument can be a %T", v)
		}
		values, formats = append(values, value), append(formats, format)
	}
	return values, formats, nil
}

type rows struct{ *pgconn.ResultReader }

func (r rows) Columns() []string {
	names := make([]string, len(r.FieldDescriptions()))
	for i, field := range r.FieldDescriptions() {
		names[i] = field.Name
	}
	return names
}

func (r rows) Close() error {
	_, err := r.ResultReader.Close()
	return err
}

func (r rows) Next(row []driver.Value) error {
	if !r.NextRow() {
		if err := r.Close(); err != nil {
			return err
		}
		return io.EOF
	}
	values, fields := r.Values(), r.FieldDescriptions()
	if len(values) != len(row) || len(fields) != len(row) { // a server may announce others meanwhile
		return errShape
	}
	for i := range row {
		var err error
		if row[i], err = decode(fields[i], values[i]); err != nil {
			return err
		}
	}
	return nil
}

// decode copies the value, as the next row overwrites it.
func decode(field pgconn.FieldDescription, value []byte) (driver.Value, error) {
	switch oid, n := field.DataTypeOID, len(value); {
	case value == nil:
		return nil, nil
	case field.Format != binaryFormat:
	case oid == oidInt8 && n == 8:
		return int64(binary.BigEndian.Uint64(value)), nil
	case oid == oidInt4 && n == 4:
		return int64(int32(binary.BigEndian.Uint32(value))), nil
	case oid == oidText:
		return string(value), nil
	case oid == oidBytea:
		return bytes.Clone(value), nil
	}
	return nil, fmt.Errorf("the database answers with %d bytes of type %d in format %d, which is none that is expected", len(value), field.DataTypeOID, field.Format)
}
