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

// A Listener accepts the connections of agents for a language server.
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

// Listen opens a socket on which handler answers until ctx is done or the listener is closed. The
// listener serves no folder until [Listener.Serve] is called. `version` is the version of the
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
	// Take the lock before others can see the record.
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

func (l *Listener) open() (err error) {
	if l.record.Socket, err = socketPath(l.record.name); err != nil {
		return err
	}
	l.socket, err = net.ListenUnix("unix", &net.UnixAddr{Name: l.record.Socket, Net: "unix"})
	if err != nil {
		return err
	}
	l.socket.SetUnlinkOnClose(false) // the method remove deletes the socket together with the other files
	if err = os.Chmod(l.record.Socket, 0o600); err == nil {
		err = l.record.write()
	}
	if err != nil {
		_ = l.socket.Close()
	}
	return err
}

// maxSocketPath limits the length of a socket's path, in bytes, on all systems. macOS allows 104
// bytes, including the final zero.
const maxSocketPath = 103

// socketPath returns a path next to the record. If this path would be too long, socketPath creates a folder that
// nobody else can enter, and returns a path in it.
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

// Serve replaces the folders that are served. If some of the folders are missing, it serves the
// others and returns an error.
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

// Seen records that a person is active in this editor now.
func (l *Listener) Seen() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil
	}
	now := time.Now()
	return os.Chtimes(l.record.name+recordFile, now, now)
}

// Close cancels the calls in progress and waits until they end. Then it removes the files by which
// others find the server.
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
			select { // wait before the next attempt, because the error may be that too many files are open
			case <-time.After(time.Second):
			case <-l.ctx.Done():
				return
			}
			continue
		}
		l.running.Go(func() { l.serve(conn) })
	}
}
