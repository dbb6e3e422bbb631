// siyuan.logger: strings as they are, everything else as JSON (an Error prints {}), returns undefined.
package main

import (
	"strings"

	"github.com/dop251/goja"
)

func (p *plugin) loggerMembers() map[string]any {
	members := map[string]any{}
	for _, level := range []string{"trace", "debug", "info", "warn", "error"} {
		level := level
		members[level] = native(func(call goja.FunctionCall) goja.Value {
			parts := make([]string, len(call.Arguments))
			for i, argument := range call.Arguments {
				parts[i] = p.logText(argument)
			}
			logf("plugin:"+p.name, "%s %s", strings.ToUpper(level), strings.Join(parts, " "))
			return goja.Undefined()
		})
	}
	return members
}

func (p *plugin) logText(value goja.Value) string {
	if text, ok := value.Export().(string); ok {
		return text
	}
	text := p.stringify(value)
	if text == "" {
		return "null"
	}
	return text
}

// stringify is JSON.stringify; "" when the value has no JSON form or the conversion throws.
func (p *plugin) stringify(value goja.Value) string {
	json := p.vm.Get("JSON").ToObject(p.vm)
	stringify, _ := goja.AssertFunction(json.Get("stringify"))
	text, err := stringify(json, value)
	if err != nil || isNullish(text) {
		return ""
	}
	return text.String()
}
