// One plugin instance: one goja runtime, one event loop, its states and its life cycle.
package main

import (
	"context"
	"os"
	"sync/atomic"

	"github.com/dop251/goja"
	"github.com/dop251/goja_nodejs/buffer"
	"github.com/dop251/goja_nodejs/console"
	"github.com/dop251/goja_nodejs/eventloop"
	"github.com/dop251/goja_nodejs/require"
	gojaurl "github.com/dop251/goja_nodejs/url"
)

type pluginState int32

const (
	stateReady pluginState = iota
	stateLoading
	stateRunning
	stateStopping
	stateStopped
	stateError
)

func (s pluginState) String() string {
	return [...]string{"ready", "loading", "running", "stopping", "stopped", "error"}[s]
}

type plugin struct {
	engine  *Engine
	name    string
	token   string
	storage *storage
	loop    *eventloop.EventLoop
	ctx     context.Context // ends when the instance stops: streams end with it
	cancel  context.CancelFunc
	phase   atomic.Int32
	started bool

	// Only touched on the loop.
	vm      *goja.Runtime
	then    goja.Callable // Promise.prototype.then as it was before the script ran
	hostJob bool          // true while Go code settles a promise: tells a host resume from a timer's
}

func newPlugin(engine *Engine) *plugin {
	p := &plugin{engine: engine, name: engine.config.Plugin, token: engine.keys.mint(engine.config.Plugin)}
	p.storage = newStorage(engine.config.StorageDir)
	p.ctx, p.cancel = context.WithCancel(context.Background())
	registry := require.NewRegistry()
	registry.RegisterNativeModule(console.ModuleName, console.RequireWithPrinter(pluginPrinter{p.name}))
	p.loop = eventloop.NewEventLoop(eventloop.WithRegistry(registry))
	return p
}

func (p *plugin) state() pluginState        { return pluginState(p.phase.Load()) }
func (p *plugin) setState(next pluginState) { p.phase.Store(int32(next)) }

// load runs the script as one sloppy classic script and the loop until no timer is left: a top-level
// setInterval never returns, as in SiYuan.
func (p *plugin) load() (err error) {
	source, err := os.ReadFile(p.engine.config.KernelFile)
	if err != nil {
		p.setState(stateError)
		return err
	}
	p.setState(stateLoading)
	p.loop.Run(func(vm *goja.Runtime) {
		p.vm = vm
		buffer.Enable(vm)
		gojaurl.Enable(vm)
		prototype := vm.Get("Promise").ToObject(vm).Get("prototype").ToObject(vm)
		p.then, _ = goja.AssertFunction(prototype.Get("then"))
		p.installSiyuan()
		_, err = vm.RunScript(p.name+"/kernel.js", string(source))
	})
	if err != nil {
		p.setState(stateError)
	}
	return err
}

// run starts the loop and the hooks. Failing hooks are logged and do not stop the plugin.
func (p *plugin) run() {
	p.loop.Start()
	p.started = true
	p.hook("onload")
	p.setState(stateRunning)
	p.hook("onrunning")
	p.emit("start", nil)
}

// stop awaits onunload without limit, ends the streams, then the loop. What is pending stays pending for ever.
func (p *plugin) stop() {
	if p.started {
		p.emit("stop", nil)
		p.setState(stateStopping)
		p.hook("onunload")
	}
	p.cancel()
	if p.started {
		p.loop.Stop()
	}
	p.setState(stateStopped)
}

// hook calls a lifecycle hook and waits for it; a primitive result is never waited out.
func (p *plugin) hook(name string) {
	done := make(chan struct{})
	p.loop.RunOnLoop(func(vm *goja.Runtime) {
		lifecycle := p.lookup("plugin", "lifecycle")
		fn, ok := goja.AssertFunction(lifecycle.Get(name))
		if !ok {
			logf("plugin:"+p.name, "ERROR [%s] not bound to a function", name)
			close(done)
			return
		}
		p.invoke(fn, lifecycle, nil, func(result outcome) {
			if result.err != nil {
				logf("plugin:"+p.name, "ERROR [%s]: %s", name, describe(result.err))
			}
			close(done)
		})
	})
	<-done
}

// lookup follows a path from the global siyuan at each call, as the host does; handlers may be swapped.
func (p *plugin) lookup(path ...string) *goja.Object {
	object := p.vm.Get("siyuan").ToObject(p.vm)
	for _, key := range path {
		object = object.Get(key).ToObject(p.vm)
	}
	return object
}

// pluginPrinter is the plugin's console.
type pluginPrinter struct{ name string }

func (p pluginPrinter) Log(text string)   { logf("plugin:"+p.name, "INFO %s", text) }
func (p pluginPrinter) Warn(text string)  { logf("plugin:"+p.name, "WARN %s", text) }
func (p pluginPrinter) Error(text string) { logf("plugin:"+p.name, "ERROR %s", text) }
