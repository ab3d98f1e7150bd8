package link

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"
	"go.uber.org/zap"
)

// A Listener is a language server that agents can reach.
type Listener struct {
	socket  *net.UnixListener
	lock    *flock.Flock
	log     *zap.Logger
	version string
	handler Handler

	ctx     context.Context
	cancel  context.CancelFunc
	running sync.WaitGroup

	mu     sync.Mutex
	record record
	closed bool
}

// Listen opens a socket, on which handler answers until ctx is done or the listener
// is closed. It serves no folder yet: see [Listener.Serve]. version is that of the
// program.
func Listen(ctx context.Context, stateDir, version string, log *zap.Logger, handler Handler) (*Listener, error) {
	if err := os.MkdirAll(runDir(stateDir), 0o700); err != nil {
		return nil, err
	}
	if _, err := living(stateDir); err != nil {
		return nil, err
	}
	name := filepath.Join(runDir(stateDir), rand.Text()[:8])
	l := &Listener{version: version, log: log, handler: handler, lock: flock.New(name+lockFile, flock.SetPermissions(0o600))}
	// Before the record is there for others to see.
	if locked, err := l.lock.TryLock(); err != nil || !locked {
		_ = l.lock.Close()
		return nil, fmt.Errorf("%s%s is in use: %w", name, lockFile, errors.Join(os.ErrExist, err))
	}
	l.record = record{PID: os.Getpid(), Version: version, Folders: []string{}, name: name}
	if err := l.open(); err != nil {
		l.record.remove()
		_ = l.lock.Close()
		return nil, err
	}
	l.ctx, l.cancel = context.WithCancel(ctx)
	l.running.Go(l.accept)
	context.AfterFunc(l.ctx, func() { _ = l.socket.Close() })
	return l, nil
}

// open makes the socket, and the record of it.
func (l *Listener) open() (err error) {
	if l.record.Socket, err = socketPath(l.record.name); err != nil {
		return err
	}
	l.socket, err = net.ListenUnix("unix", &net.UnixAddr{Name: l.record.Socket, Net: "unix"})
	if err != nil {
		return err
	}
	l.socket.SetUnlinkOnClose(false) // remove does it, with the rest
	if err = os.Chmod(l.record.Socket, 0o600); err == nil {
		err = l.record.write()
	}
	if err != nil {
		_ = l.socket.Close()
	}
	return err
}

// maxSocketPath is how many bytes the path of a socket may have everywhere: macOS
// has room for 104 with the zero at the end.
const maxSocketPath = 103

// socketPath is beside the record, or where that is too long in a folder of its own
// that nobody else can enter.
func socketPath(name string) (string, error) {
	if path := name + socketFile; len(path) <= maxSocketPath {
		return path, nil
	}
	base := os.Getenv("XDG_RUNTIME_DIR")
	if !filepath.IsAbs(base) {
		base = os.TempDir()
	}
	dir := filepath.Join(base, socketDir(name))
	return filepath.Join(dir, "s"+socketFile), os.Mkdir(dir, 0o700)
}

// Serve tells which folders are served from now on. One that is not there is left
// out, and an error in the end.
func (l *Listener) Serve(dirs []string) error {
	folders, errs := []string{}, []error(nil)
	for _, dir := range dirs {
		folder, err := resolve(dir)
		if err == nil {
			folders = append(folders, folder)
		}
		errs = append(errs, err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil
	}
	l.record.Folders = folders
	return errors.Join(append(errs, l.record.write())...)
}

// Seen tells that a person is in this editor now.
func (l *Listener) Seen() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil
	}
	now := time.Now()
	return os.Chtimes(l.record.name+recordFile, now, now)
}

// Close cancels the calls in flight and waits for them, and removes what others find
// the server by.
func (l *Listener) Close() {
	l.mu.Lock()
	again := l.closed
	l.closed = true
	l.mu.Unlock()
	if again {
		return
	}
	l.cancel()
	_ = l.socket.Close()
	l.running.Wait()
	l.record.remove()
	_ = l.lock.Close()
}

func (l *Listener) accept() {
	for {
		conn, err := l.socket.AcceptUnix()
		switch {
		case err != nil && l.ctx.Err() != nil:
			return
		case err != nil:
			l.log.Error("agents cannot connect", zap.Error(err))
			select { // it may be that too many files are open
			case <-time.After(time.Second):
			case <-l.ctx.Done():
				return
			}
			continue
		}
		l.running.Go(func() { l.serve(conn) })
	}
}
