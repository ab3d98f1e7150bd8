package fileset

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// A liar is a server that speaks the protocol of PostgreSQL and answers queries as a test
// wants.
type liar struct {
	rows func(query string, row func(values ...[]byte) error) // answers a query with rows
	raw  []byte                                               // sent instead of rows
}

// listen returns the URL of the server.
func (l liar) listen(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() { defer conn.Close(); _ = l.serve(conn) }()
		}
	}()
	return "postgres://u@" + listener.Addr().String() + "/d?sslmode=disable"
}

func (l liar) serve(conn net.Conn) error {
	b := pgproto3.NewBackend(conn, conn)
	if _, err := b.ReceiveStartupMessage(); err != nil {
		return err
	}
	b.Send(&pgproto3.AuthenticationOk{})
	ready := &pgproto3.ReadyForQuery{TxStatus: 'I'}
	b.Send(ready)
	query := ""
	for {
		if err := b.Flush(); err != nil {
			return err
		}
		message, err := b.Receive()
		if err != nil {
			return err
		}
		switch m := message.(type) {
		case *pgproto3.Parse:
			query = strings.Clone(m.Query)
			b.Send(&pgproto3.ParseComplete{})
		case *pgproto3.Describe:
			if m.ObjectType == 'S' {
				b.Send(&pgproto3.ParameterDescription{ParameterOIDs: parameters(query)})
			}
			b.Send(columns(query))
		case *pgproto3.Bind:
			b.Send(&pgproto3.BindComplete{})
		case *pgproto3.Execute:
			if err := l.answer(conn, b, query); err != nil {
				return err
			}
		case *pgproto3.Query:
			b.Send(&pgproto3.CommandComplete{CommandTag: []byte("SELECT 0")})
			b.Send(ready)
		case *pgproto3.Sync:
			b.Send(ready)
		}
	}
}

func (l liar) answer(conn net.Conn, b *pgproto3.Backend, query string) error {
	if strings.Contains(query, "doc_path") {
		if l.raw != nil {
			_, err := conn.Write(l.raw)
			return err
		}
		_ = query
		l.rows(query, func(values ...[]byte) error {
			b.Send(&pgproto3.DataRow{Values: values[:min(len(values), len(columns(query).Fields))]}) // without the content, or with it
			return b.Flush()
		})
	}
	b.Send(&pgproto3.CommandComplete{CommandTag: []byte("SELECT 1")})
	return nil
}

var places = regexp.MustCompile(`\$\d+`)

func parameters(query string) (types []uint32) {
	for range places.FindAllString(query, -1) {
		types = append(types, 25) // OID of text
	}
	if strings.Contains(query, "LIMIT $2") {
		types[1] = 20 // OID of int8
	}
	return types
}

// columns returns the columns of a query for entries, in the binary format.
func columns(query string) *pgproto3.RowDescription {
	d := &pgproto3.RowDescription{}
	if !strings.Contains(query, "doc_path") {
		return d
	}
	types := []uint32{25, 20, 25, 20, 20, 25}
	if strings.Contains(query, ", content FROM") {
		types = append(types, 17)
	}
	for _, oid := range types {
		d.Fields = append(d.Fields, pgproto3.FieldDescription{Name: []byte("c"), DataTypeOID: oid, DataTypeSize: -1, Format: 1})
	}
	return d
}

func number(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

// line returns a row of an entry, in the formats that the client asked for.
func line(docPath string, more ...[]byte) [][]byte {
	return append([][]byte{[]byte(docPath), number(1), []byte(text.SumHex("x")), number(1), number(1), []byte("cli")}, more...)
}

// fewerColumns announces a row with no columns, and then sends a row of the query.
func fewerColumns() []byte {
	none, err := (&pgproto3.RowDescription{}).Encode(nil)
	row, err2 := (&pgproto3.DataRow{Values: line("a/b.txt", []byte("x"))}).Encode(none)
	if err := errors.Join(err, err2); err != nil {
		panic(err)
	}
	return row
}

// Whatever a server answers, a call ends with a clear error, in bounded memory and time.
func TestHostileServer(t *testing.T) {
	endless := func(_ string, row func(...[]byte) error) {
		for row(line("a/b.txt", []byte("x"))...) == nil {
		}
	}
	for name, l := range map[string]liar{
		"endless rows":      {rows: endless},
		"a row of 1 GB":     {raw: []byte{'D', 0x3f, 0xff, 0xff, 0xff, 0, 1}},
		"a negative length": {raw: []byte{'D', 0xff, 0xff, 0xff, 0xff, 0, 1}},
		"fewer columns":     {raw: fewerColumns()},
		"no message":        {raw: []byte("HTTP/1.1 400 Bad Request\r\n\r\n")},
		"no columns":        {rows: func(_ string, row func(...[]byte) error) { _ = row() }},
		"NULLs":             {rows: func(_ string, row func(...[]byte) error) { _ = row(make([][]byte, 7)...) }},
		"other types": {rows: func(_ string, row func(...[]byte) error) {
			_ = row(number(1), []byte("x"), number(1), []byte("x"), []byte("x"), number(1), []byte("x"))
		}},
		"a docPath of 8 MB": {rows: func(_ string, row func(...[]byte) error) {
			_ = row(line(strings.Repeat("a", 8<<20), []byte("x"))...)
		}},
		"the file of another docPath": {rows: func(_ string, row func(...[]byte) error) {
			_ = row(line("other.txt", []byte("x"))...)
			_ = row(line("../other.txt", []byte("x"))...)
			_ = row(line("third.txt", []byte("x"))...)
		}},
		"other content": {rows: func(query string, row func(...[]byte) error) {
			_ = row(line("a/b.txt", []byte("not x"))...)
			_ = row(line("", []byte("not x"))...)
		}},
		"nothing, ever": {rows: func(string, func(...[]byte) error) { time.Sleep(2 * patienceOfTest) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := Open(context.Background(), l.listen(t))
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			s.patience = patienceOfTest
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if f, err := s.Get(context.Background(), "a/b.txt"); err == nil {
				t.Errorf("got %d bytes of %s", len(f.Content), f.DocPath)
			}
			if all, err := s.List(context.Background(), "", 1); err == nil {
				t.Errorf("listed %d", len(all))
			}
			if all, err := s.Known(context.Background(), []string{"a/b.txt"}); err == nil {
				t.Errorf("known are %d", len(all))
			}
			runtime.ReadMemStats(&after)
			if n := int64(after.HeapSys) - int64(before.HeapSys); n > 512<<20 {
				t.Errorf("%d MiB more are held", n>>20)
			}
		})
	}
}

// Notifications, which nobody asked for, are not kept in memory.
func TestHostileNotifications(t *testing.T) {
	raw, err := (&pgproto3.NotificationResponse{Payload: "x"}).Encode(nil)
	done, err2 := (&pgproto3.CommandComplete{CommandTag: []byte("SELECT 0")}).Encode(raw)
	must(t, errors.Join(err, err2))
	s := open(t, liar{raw: done}.listen(t))
	if _, err := s.Get(context.Background(), "a/b.txt"); !errors.Is(err, ErrNotFound) {
		t.Fatal(err)
	}
	c, err := s.db.Conn(context.Background())
	must(t, err)
	must(t, c.Raw(func(c any) error {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if n, err := c.(*stdlib.Conn).Conn().WaitForNotification(ctx); err == nil {
			t.Errorf("%+v is kept", n)
		}
		return nil
	}))
	must(t, c.Close())
}

// A server that never answers a query cannot make the client use much memory, because the client does not read its long
// messages.
func TestHostileGreeting(t *testing.T) {
	many := &pgproto3.ParameterStatus{Value: strings.Repeat("x", 1<<10)}
	for name, c := range map[string]struct {
		message func(i int) pgproto3.BackendMessage
		want    string
	}{
		"parameters": {func(i int) pgproto3.BackendMessage { many.Name = strconv.Itoa(i); return many }, "too many parameters"},
		"a long error": {func(int) pgproto3.BackendMessage {
			return &pgproto3.ErrorResponse{Severity: "FATAL", Code: "28000", Message: "no " + strings.Repeat("é", 1<<20)}
		}, "FATAL: no é"},
	} {
		sent := make(chan int, 1)
		where := greeting(t, func(b *pgproto3.Backend) {
			i := 0
			for ; b.Flush() == nil && i < 1_000_000; i++ {
				b.Send(c.message(i))
			}
			sent <- i
		})
		_, err := Open(context.Background(), where)
		if err == nil || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 2_000 || !utf8.ValidString(err.Error()) {
			t.Errorf("%s: %.300v", name, err)
		}
		if n := <-sent; n > 900_000 {
			t.Errorf("%s: %d messages were read", name, n)
		}
	}
}

// greeting returns the URL of a server that answers only the first message.
func greeting(t *testing.T, answer func(*pgproto3.Backend)) string {
	t.Helper()
	return greetingWith(t, &pgproto3.AuthenticationOk{}, answer)
}

func greetingWith(t *testing.T, first pgproto3.BackendMessage, answer func(*pgproto3.Backend)) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		b := pgproto3.NewBackend(conn, conn)
		if _, err := b.ReceiveStartupMessage(); err == nil {
			b.Send(first)
			answer(b)
		}
	}()
	return "postgres://u@" + listener.Addr().String() + "/d?sslmode=disable"
}

// A statusReader recognises the messages no matter how the reads divide them.
func TestStatusReader(t *testing.T) {
	var sent []byte
	for i := range 40 {
		for _, m := range []pgproto3.BackendMessage{&pgproto3.NoticeResponse{Message: strings.Repeat("S", i)}, &pgproto3.ParameterStatus{Name: "n", Value: strings.Repeat("v", i)}} {
			var err error
			sent, err = m.Encode(sent)
			must(t, err)
		}
	}
	read := func(r io.Reader, before int) (int, error) {
		all, err := io.ReadAll(&statusReader{Reader: r, statuses: before})
		return len(all), err
	}
	const statuses = 40*(64+len("n\x00\x00")) + 39*40/2
	for _, r := range []func() io.Reader{
		func() io.Reader { return bytes.NewReader(sent) }, func() io.Reader { return iotest.OneByteReader(bytes.NewReader(sent)) }, func() io.Reader { return iotest.HalfReader(bytes.NewReader(sent)) },
	} {
		if n, err := read(r(), maxStatuses-statuses); n != len(sent) || err != nil {
			t.Errorf("%d of %d bytes, %v", n, len(sent), err)
		}
		if _, err := read(r(), maxStatuses-statuses+1); !errors.Is(err, errStatuses) {
			t.Errorf("one byte too many: %v", err)
		}
	}
}

const patienceOfTest = time.Second

// The test server is accepted if it answers honestly. This proves that the servers of the tests above are refused for
// the intended reasons.
func TestHonestServer(t *testing.T) {
	s := open(t, liar{rows: func(_ string, row func(...[]byte) error) { _ = row(line("a/b.txt", []byte("x"))...) }}.listen(t))
	if f, err := s.Get(context.Background(), "a/b.txt"); err != nil || f.Content != "x" {
		t.Errorf("got %+v, %v", f, err)
	}
	if all, err := s.List(context.Background(), "", 1); err != nil || len(all) != 1 {
		t.Errorf("listed %+v, %v", all, err)
	}
	if known, err := s.Known(context.Background(), []string{"a/b.txt"}); err != nil || len(known) != 1 {
		t.Errorf("known are %+v, %v", known, err)
	}
}

// A server that asks for the password itself gets it only over a connection that nobody else
// can read.
func TestPasswordIsNotSentInClear(t *testing.T) {
	for where, sent := range map[string]bool{
		"postgres://u:secret@db.example.org/d?sslmode=disable":                       false,
		"postgres://u:secret@192.0.2.1/d?sslmode=disable":                            false,
		"postgres://u:secret@127.0.0.1/d?sslmode=disable":                            true,
		"postgres://u:secret@[::1]/d?sslmode=disable":                                true,
		"postgres://u:secret@localhost/d?sslmode=disable":                            true,
		"postgres://u:secret@localhost.example.org/d?sslmode=disable":                false,
		"postgres://u:secret@db.example.org/d?sslmode=disable&require_auth=password": true,
	} {
		got := make(chan string, 1)
		server := greetingWith(t, &pgproto3.AuthenticationCleartextPassword{}, func(b *pgproto3.Backend) {
			defer close(got)
			if b.Flush() != nil || b.SetAuthType(pgproto3.AuthTypeCleartextPassword) != nil {
				return
			}
			if m, err := b.Receive(); err == nil {
				got <- fmt.Sprintf("%+v", m)
			}
		})
		address, err := url.Parse(server)
		must(t, err)
		config, err := pgconn.ParseConfig(where)
		must(t, err)
		keepPassword(config)
		config.LookupFunc = func(context.Context, string) ([]string, error) { return []string{"127.0.0.1"}, nil }
		config.DialFunc = func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "tcp", address.Host)
		}
		c, err := pgconn.ConnectConfig(context.Background(), config)
		if err == nil {
			_ = c.Close(context.Background())
		}
		if has := strings.Contains(<-got, "secret"); has != sent {
			t.Errorf("%s: sent %v, %v", where, has, err)
		}
	}
	for where, refuses := range map[string]string{
		"postgres://u@db.example.org/d":                     "!password", // without encryption on the server, this URL continues in clear text
		"postgres://u@db.example.org/d?sslmode=require":     "",
		"postgres://u@db.example.org/d?sslmode=verify-full": "",
		"postgres://u@/d?host=/run/postgresql":              "",
		"postgres://u@localhost,db.example.org/d":           "!password",
	} {
		config, err := pgconn.ParseConfig(where)
		must(t, err)
		if keepPassword(config); config.RequireAuth != refuses {
			t.Errorf("%s: %q", where, config.RequireAuth)
		}
	}
}
