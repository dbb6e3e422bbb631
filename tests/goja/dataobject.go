// Data objects: bytes with async text/json/buffer/arrayBuffer, all over one shared backing array.
package main

import (
	"encoding/json"

	"github.com/dop251/goja"
	"github.com/dop251/goja_nodejs/buffer"
)

// dataObject adds the four methods to the members (which may be nil).
func (p *plugin) dataObject(data []byte, members map[string]any) *goja.Object {
	if members == nil {
		members = map[string]any{}
	}
	if data == nil {
		data = []byte{}
	}
	read := func(convert func(*goja.Runtime) any) native {
		return func(goja.FunctionCall) goja.Value {
			return p.async(func() (func(*goja.Runtime) any, error) { return convert, nil })
		}
	}
	members["text"] = read(func(*goja.Runtime) any { return string(data) })
	members["buffer"] = read(func(vm *goja.Runtime) any { return buffer.WrapBytes(vm, data) })
	members["arrayBuffer"] = read(func(vm *goja.Runtime) any { return vm.NewArrayBuffer(data) })
	// Go-decoded on purpose: Go-backed objects with random key order and lost mutations.
	members["json"] = native(func(goja.FunctionCall) goja.Value {
		return p.async(func() (func(*goja.Runtime) any, error) {
			var value any
			err := json.Unmarshal(data, &value)
			return func(*goja.Runtime) any { return value }, err
		})
	})
	return p.object(members)
}
