// siyuan.storage over a local folder: text only, durable when resolved, unordered between calls that overlap.
package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/dop251/goja"
)

// storage is the Go side, free of goja. Reads and writes of one path exclude each other, but do not queue in order.
type storage struct {
	root  string
	locks sync.Map
}

func newStorage(root string) *storage { return &storage{root: root} }

type storageEntry struct {
	Name      string
	IsDir     bool
	IsSymlink bool
	UpdatedS  int64 // modification time in seconds
}

// resolve joins and cleans; a leading slash means the root, an escape is refused.
func (s *storage) resolve(path string) (string, error) {
	full := filepath.Join(s.root, path)
	if full != s.root && !strings.HasPrefix(full, s.root+string(filepath.Separator)) {
		return "", errors.New("path traversal not allowed")
	}
	return full, nil
}

func (s *storage) exclusive(full string) func() {
	lock, _ := s.locks.LoadOrStore(full, &sync.Mutex{})
	lock.(*sync.Mutex).Lock()
	return lock.(*sync.Mutex).Unlock
}

func (s *storage) get(path string) ([]byte, error) {
	full, err := s.resolve(path)
	if err != nil {
		return nil, err
	}
	defer s.exclusive(full)()
	data, err := os.ReadFile(full)
	return data, fatalIfDenied(err)
}

// put writes a temporary file beside the target, syncs it and renames it over the target.
func (s *storage) put(path, text string) error {
	full, err := s.resolve(path)
	if err != nil {
		return err
	}
	defer s.exclusive(full)()
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		return fatalIfDenied(err)
	}
	file, err := os.CreateTemp(filepath.Dir(full), filepath.Base(full)+"*.tmp")
	if err != nil {
		return fatalIfDenied(err)
	}
	_, err = file.WriteString(text)
	err = errors.Join(err, file.Sync(), file.Chmod(0o644), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), full)
	}
	if err != nil {
		os.Remove(file.Name())
	}
	return fatalIfDenied(err)
}

// remove is recursive and not under the path lock; a missing path is a success, the root is refused.
func (s *storage) remove(path string) error {
	full, err := s.resolve(path)
	if err != nil {
		return err
	}
	if full == s.root {
		return errors.New("cannot remove the storage root")
	}
	return os.RemoveAll(full)
}

func (s *storage) list(path string) ([]storageEntry, error) {
	full, err := s.resolve(path)
	if err != nil {
		return nil, err
	}
	found, err := os.ReadDir(full)
	if err != nil {
		return nil, err
	}
	entries := []storageEntry{}
	for _, item := range found {
		info, err := item.Info()
		if err != nil {
			continue
		}
		link := info.Mode()&fs.ModeSymlink != 0
		entries = append(entries, storageEntry{item.Name(), item.IsDir(), link, info.ModTime().Unix()})
	}
	return entries, nil
}

// fatalIfDenied: permission denied in the file layer ends the SiYuan process.
func fatalIfDenied(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		crash(err.Error())
	}
	return err
}

// storageMembers is the JS face: every call in its own goroutine.
func (p *plugin) storageMembers() map[string]any {
	undefined := func(*goja.Runtime) any { return goja.Undefined() }
	done := func(err error) (func(*goja.Runtime) any, error) { return undefined, err }
	watcher := native(func(goja.FunctionCall) goja.Value { return p.refused("the engine harness has no storage watcher") })
	return map[string]any{
		"get": native(func(call goja.FunctionCall) goja.Value {
			path, ok := call.Argument(0).Export().(string)
			if !ok {
				return p.refused("path must be a string")
			}
			return p.async(func() (func(*goja.Runtime) any, error) {
				data, err := p.storage.get(path)
				return func(*goja.Runtime) any { return p.dataObject(data, nil) }, err
			})
		}),
		"put": native(func(call goja.FunctionCall) goja.Value {
			path, text := call.Argument(0).String(), call.Argument(1).String()
			return p.async(func() (func(*goja.Runtime) any, error) { return done(p.storage.put(path, text)) })
		}),
		"remove": native(func(call goja.FunctionCall) goja.Value {
			path := call.Argument(0).String()
			return p.async(func() (func(*goja.Runtime) any, error) { return done(p.storage.remove(path)) })
		}),
		"list": native(func(call goja.FunctionCall) goja.Value {
			path := ""
			if !isNullish(call.Argument(0)) {
				path = call.Argument(0).String()
			}
			return p.async(func() (func(*goja.Runtime) any, error) {
				entries, err := p.storage.list(path)
				return func(vm *goja.Runtime) any {
					items := make([]any, len(entries))
					for i, entry := range entries {
						items[i] = p.object(map[string]any{
							"name": entry.Name, "isDir": entry.IsDir, "isSymlink": entry.IsSymlink, "updated": entry.UpdatedS,
						})
					}
					return vm.NewArray(items...)
				}, err
			})
		}),
		"watcher": p.frozen(map[string]any{"add": watcher, "remove": watcher}),
	}
}
