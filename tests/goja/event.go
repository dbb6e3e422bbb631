// siyuan.event: host events to the plugin's handler, never awaited, exceptions swallowed.
package main

import (
	"crypto/rand"
	"fmt"

	"github.com/dop251/goja"
)

// emit hands {id, type, detail} to the handler in its own turn of the loop. detail nil becomes null.
func (p *plugin) emit(kind string, detail goja.Value) {
	p.loop.RunOnLoop(func(vm *goja.Runtime) {
		handler, ok := goja.AssertFunction(p.lookup("event").Get("handler"))
		if !ok {
			return
		}
		if detail == nil {
			detail = goja.Null()
		}
		handler(p.lookup("event"), p.object(map[string]any{"id": uuid4(), "type": kind, "detail": detail}))
	})
}

// emitFunction is siyuan.event.emit: topic "runtime" comes back to the own handler, "plugin" is only logged.
func (p *plugin) emitFunction() native {
	return func(call goja.FunctionCall) goja.Value {
		if topic := call.Argument(0).String(); topic == "runtime" {
			p.emit(topic, call.Argument(1))
		} else {
			logf("plugin:"+p.name, "DEBUG event [%s]", topic)
		}
		return goja.Undefined()
	}
}

func uuid4() string {
	bytes := make([]byte, 16)
	rand.Read(bytes)
	bytes[6], bytes[8] = bytes[6]&0x0f|0x40, bytes[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", bytes[:4], bytes[4:6], bytes[6:8], bytes[8:10], bytes[10:])
}
