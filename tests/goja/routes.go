// The front door: harness controls, the hosted plugin's routes, the enable call, and the proxy for the rest.
package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
)

func (e *Engine) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, "/engine/") {
		e.serveControl(w, r)
		return
	}
	defer e.locks.acquire(r)()
	switch {
	case r.URL.Path+"/" == e.pluginRoot:
		http.Redirect(w, r, e.pluginRoot, http.StatusTemporaryRedirect)
	case strings.HasPrefix(r.URL.Path, e.pluginRoot):
		e.servePlugin(w, r)
	case r.Method == http.MethodPost && r.URL.Path == "/api/petal/setPetalEnabled":
		e.servePetal(w, r)
	case r.Method == http.MethodPost && r.URL.Path == "/api/plugin/getLoadedPlugin":
		e.serveLoadedPlugin(w, r)
	case r.Method == http.MethodPost && r.URL.Path == "/api/setting/setSecrets":
		e.templates.noteSecrets(peekBody(r))
		e.serveProxied(w, r)
	default:
		e.serveProxied(w, r)
	}
}

// serveControl answers POST /engine/reload and GET /engine/state: conveniences of the harness that SiYuan lacks.
func (e *Engine) serveControl(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodPost && r.URL.Path == "/engine/reload":
		e.host.reload()
		writeJSON(w, http.StatusOK, e.host.status())
	case r.Method == http.MethodGet && r.URL.Path == "/engine/state":
		writeJSON(w, http.StatusOK, e.host.status())
	default:
		http.NotFound(w, r)
	}
}

// servePetal enables (restarts) or disables the hosted plugin; other plugins are the target's business.
func (e *Engine) servePetal(w http.ResponseWriter, r *http.Request) {
	var wanted struct {
		PackageName string `json:"packageName"`
		Enabled     *bool  `json:"enabled"`
	}
	if json.Unmarshal(peekBody(r), &wanted) != nil || wanted.PackageName != e.config.Plugin {
		e.serveProxied(w, r)
		return
	}
	if !e.authorize(w, r) {
		return
	}
	if wanted.Enabled == nil {
		writeJSON(w, http.StatusOK, envelope(-1, "field [enabled] is required", nil))
		return
	}
	if *wanted.Enabled {
		e.host.reload()
	} else {
		e.host.disable()
	}
	name, version, displayName := e.host.identity()
	writeJSON(w, http.StatusOK, envelope(0, "", map[string]any{
		"name": name, "version": version, "displayName": displayName, "enabled": *wanted.Enabled,
		"js": "", "css": "", "i18n": nil,
		"kernel": map[string]any{"js": "", "existed": true, "incompatible": false},
	}))
}

// serveLoadedPlugin reports the hosted plugin's state the way SiYuan does.
func (e *Engine) serveLoadedPlugin(w http.ResponseWriter, r *http.Request) {
	var wanted struct {
		Name string `json:"name"`
	}
	if json.Unmarshal(peekBody(r), &wanted) != nil || wanted.Name != e.config.Plugin {
		e.serveProxied(w, r)
		return
	}
	if !e.authorize(w, r) {
		return
	}
	plugin := e.host.current()
	if plugin == nil {
		writeJSON(w, http.StatusOK, envelope(4, "plugin ["+wanted.Name+"] not loaded", nil))
		return
	}
	state := plugin.state()
	writeJSON(w, http.StatusOK, envelope(0, "", map[string]any{
		"name": wanted.Name, "state": state.String(), "stateCode": int(state), "methods": []any{},
	}))
}

// peekBody reads the body and puts it back for whoever handles the request next.
func peekBody(r *http.Request) []byte {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	return body
}

func envelope(code int, msg string, data any) map[string]any {
	return map[string]any{"code": code, "msg": msg, "data": data}
}

func writeJSON(w http.ResponseWriter, status int, value any) {
	text, _ := json.Marshal(value)
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	w.Write(text)
}

func writeText(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	io.WriteString(w, text)
}
