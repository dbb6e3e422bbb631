// siyuan.rpc and siyuan.mcp: they answer like the host, but nothing is ever called through them.
package main

import "github.com/dop251/goja"

func (p *plugin) rpcMembers() map[string]any {
	accept := native(func(goja.FunctionCall) goja.Value { return p.resolved(goja.Undefined()) })
	return map[string]any{"bind": accept, "unbind": accept, "broadcast": accept}
}

func (p *plugin) mcpMembers() map[string]any {
	return map[string]any{
		"registerTool": native(func(call goja.FunctionCall) goja.Value {
			if !isObject(call.Argument(1)) {
				return p.refused("tool options must be an object")
			}
			options := call.Argument(1).ToObject(p.vm)
			if isNullish(options.Get("description")) || isNullish(options.Get("inputSchema")) {
				return p.refused("description and inputSchema are required")
			}
			described := map[string]any{"name": call.Argument(0), "readOnly": false}
			for _, key := range []string{"title", "description", "readOnly", "inputSchema", "outputSchema"} {
				if value := options.Get(key); !isNullish(value) {
					described[key] = value
				}
			}
			return p.resolved(p.object(described))
		}),
		"unregisterTool": native(func(goja.FunctionCall) goja.Value { return p.resolved(goja.Undefined()) }),
	}
}
