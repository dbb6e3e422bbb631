// The plugin manager: at most one running instance, started, stopped and reloaded under one lock.
package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"
)

type pluginHost struct {
	engine *Engine
	change sync.Mutex // held for a whole start or stop, hooks included
	live   atomic.Pointer[plugin]
	loads  atomic.Int64
	loadUs atomic.Int64
	closed bool
}

func newPluginHost(engine *Engine) *pluginHost { return &pluginHost{engine: engine} }

func (h *pluginHost) current() *plugin { return h.live.Load() }

// startInBackground closes the channel once the script has run (or failed); the hooks follow on their own.
func (h *pluginHost) startInBackground() <-chan struct{} {
	loaded := make(chan struct{})
	go func() {
		h.change.Lock()
		defer h.change.Unlock()
		h.start(func() { close(loaded) })
	}()
	return loaded
}

// reload returns after the new instance runs, or has failed to.
func (h *pluginHost) reload() {
	h.change.Lock()
	defer h.change.Unlock()
	if h.closed {
		return
	}
	h.stop()
	h.start(func() {})
}

func (h *pluginHost) disable() {
	h.change.Lock()
	defer h.change.Unlock()
	h.stop()
}

func (h *pluginHost) shutdown() {
	h.change.Lock()
	defer h.change.Unlock()
	h.closed = true
	h.stop()
}

func (h *pluginHost) start(loaded func()) {
	plugin := newPlugin(h.engine)
	h.live.Store(plugin)
	begin := time.Now()
	err := plugin.load()
	h.loadUs.Store(time.Since(begin).Microseconds())
	h.loads.Add(1)
	loaded()
	if err != nil {
		logf("engine", "kernel script failed: %s", describe(err))
		return
	}
	plugin.run()
}

func (h *pluginHost) stop() {
	if plugin := h.live.Load(); plugin != nil {
		plugin.stop()
		h.live.Store(nil)
	}
}

// loadMs is the time to compile and run the script, in milliseconds.
func (h *pluginHost) loadMs() float64 { return float64(h.loadUs.Load()) / 1000 }

func (h *pluginHost) status() map[string]any {
	state := "none"
	if plugin := h.current(); plugin != nil {
		state = plugin.state().String()
	}
	return map[string]any{"state": state, "loads": h.loads.Load(), "loadMs": h.loadMs()}
}

// identity reads plugin.json beside the kernel file when there is one.
func (h *pluginHost) identity() (name, version, displayName string) {
	var manifest struct {
		Version     string            `json:"version"`
		DisplayName map[string]string `json:"displayName"`
	}
	name = h.engine.config.Plugin
	text, err := os.ReadFile(filepath.Join(filepath.Dir(h.engine.config.KernelFile), "plugin.json"))
	if err == nil {
		json.Unmarshal(text, &manifest)
	}
	displayName = name
	for _, key := range []string{"en", "en_US", "default"} {
		if text := manifest.DisplayName[key]; text != "" {
			displayName = text
		}
	}
	return name, manifest.Version, displayName
}
