// Builds the global `siyuan` and freezes or seals its parts as the host does.
package main

import (
	"runtime"

	"github.com/dop251/goja"
)

type native = func(goja.FunctionCall) goja.Value

func (p *plugin) installSiyuan() {
	name, version, displayName := p.engine.host.identity()
	holder := func() *goja.Object { return p.sealed(map[string]any{"handler": goja.Null()}) }
	p.vm.Set("siyuan", p.frozen(map[string]any{
		"plugin": p.frozen(map[string]any{
			"name": name, "version": version, "displayName": displayName, "platform": runtime.GOOS,
			"i18n": goja.Null(),
			"lifecycle": p.sealed(map[string]any{
				"onload": goja.Null(), "onrunning": goja.Null(), "onunload": goja.Null(),
			}),
		}),
		"event":   p.sealed(map[string]any{"handler": goja.Null(), "emit": p.emitFunction()}),
		"logger":  p.frozen(p.loggerMembers()),
		"storage": p.frozen(p.storageMembers()),
		"client":  p.frozen(p.clientMembers()),
		"server": p.frozen(map[string]any{
			"private": p.frozen(map[string]any{"http": holder(), "ws": holder(), "es": holder()}),
		}),
		"rpc":     p.frozen(p.rpcMembers()),
		"mcp":     p.frozen(p.mcpMembers()),
		"secrets": p.frozen(map[string]any{"resolve": p.resolveFunction("secrets")}),
		"vars":    p.frozen(map[string]any{"resolve": p.resolveFunction("vars")}),
	}))
}

func (p *plugin) object(members map[string]any) *goja.Object {
	object := p.vm.NewObject()
	for name, member := range members {
		object.Set(name, member)
	}
	return object
}

func (p *plugin) frozen(members map[string]any) *goja.Object { return p.close("freeze", members) }
func (p *plugin) sealed(members map[string]any) *goja.Object { return p.close("seal", members) }

func (p *plugin) close(how string, members map[string]any) *goja.Object {
	object := p.object(members)
	seal, _ := goja.AssertFunction(p.vm.Get("Object").ToObject(p.vm).Get(how))
	seal(goja.Undefined(), object)
	return object
}
