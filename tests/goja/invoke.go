// Calling into the script and waiting for its answer, with the host's traps for primitives and late resumes.
package main

import (
	"errors"

	"github.com/dop251/goja"
)

// resume tells how a handler came to its end, because the host treats bad results differently for each.
type resume int

const (
	resumeSync      resume = iota // returned a plain value, or threw
	resumeImmediate               // a promise that was settled when the call returned
	resumeTimer                   // a promise settled by a timer
	resumeHost                    // a promise settled by fetch, storage or another host call
)

type outcome struct {
	value goja.Value
	err   error
	how   resume
}

// errRejected carries the host's text: the reason of a rejection is lost.
var errRejected = errors.New("promise rejected: <nil>")

// invoke runs on the loop. answered is called on the loop at most once, and never when the host would wait for ever:
// a promise that settles with a primitive.
func (p *plugin) invoke(fn goja.Callable, this goja.Value, args []goja.Value, answered func(outcome)) {
	value, err := fn(this, args...)
	if err != nil {
		answered(outcome{err: err, how: resumeSync})
		return
	}
	promise, isPromise := exportPromise(value)
	if !isPromise {
		answered(outcome{value: value, how: resumeSync})
		return
	}
	settle := func(state goja.PromiseState, result goja.Value, how resume) {
		switch {
		case state == goja.PromiseStateFulfilled && (isNullish(result) || isObject(result)):
			answered(outcome{value: result, how: how})
		case state == goja.PromiseStateRejected && isObject(result):
			answered(outcome{err: errRejected, how: how})
		default:
			logf("engine", "a handler settled with the primitive %v: the host never answers", result)
		}
	}
	if promise.State() != goja.PromiseStatePending {
		// Attaching a reaction marks a rejection as handled; the state itself is already known.
		settle(promise.State(), promise.Result(), resumeImmediate)
		return
	}
	late := func(state goja.PromiseState) goja.Value {
		return p.vm.ToValue(func(call goja.FunctionCall) goja.Value {
			how := resumeTimer
			if p.hostJob {
				how = resumeHost
			}
			settle(state, call.Argument(0), how)
			return goja.Undefined()
		})
	}
	p.then(value, late(goja.PromiseStateFulfilled), late(goja.PromiseStateRejected))
}

// async returns a promise for work done off the loop. The work returns a function that makes the JS value on the loop.
func (p *plugin) async(work func() (func(*goja.Runtime) any, error)) goja.Value {
	promise, resolve, reject := p.vm.NewPromise()
	go func() {
		make, err := work()
		p.loop.RunOnLoop(func(vm *goja.Runtime) {
			p.hostJob = true
			defer func() { p.hostJob = false }()
			if err != nil {
				reject(vm.NewGoError(err))
				return
			}
			resolve(make(vm))
		})
	}()
	return p.vm.ToValue(promise)
}

// refused is a promise rejected with a GoError.
func (p *plugin) refused(text string) goja.Value {
	return p.async(func() (func(*goja.Runtime) any, error) { return nil, errors.New(text) })
}

// resolved is a promise for a value that needs no work.
func (p *plugin) resolved(value any) goja.Value {
	return p.async(func() (func(*goja.Runtime) any, error) {
		return func(*goja.Runtime) any { return value }, nil
	})
}

func exportPromise(value goja.Value) (*goja.Promise, bool) {
	if value == nil {
		return nil, false
	}
	promise, ok := value.Export().(*goja.Promise)
	return promise, ok
}

func isNullish(value goja.Value) bool {
	return value == nil || goja.IsUndefined(value) || goja.IsNull(value)
}

func isObject(value goja.Value) bool {
	_, ok := value.(*goja.Object)
	return ok
}
