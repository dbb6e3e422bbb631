// The plugin's routes: CORS, gzip, authority, state, then http.handler or es.handler.
package main

import (
	"net/http"
	"slices"
	"strings"

	"github.com/dop251/goja"
)

var pluginMethods = []string{"GET", "POST", "PUT", "PATCH", "HEAD", "DELETE", "CONNECT", "TRACE"}

func (e *Engine) servePlugin(raw http.ResponseWriter, r *http.Request) {
	w, finish := compress(raw, r)
	defer finish()
	setCORS(w.Header())
	if r.Method == http.MethodOptions {
		w.Header().Set("Access-Control-Max-Age", "600")
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if !slices.Contains(pluginMethods, r.Method) {
		writeText(w, http.StatusNotFound, "404 page not found")
		return
	}
	if !e.authorize(w, r) {
		return
	}
	plugin := e.host.current()
	switch {
	case plugin == nil:
		writeText(w, http.StatusNotFound, "[plugin:"+e.config.Plugin+"] not found")
	case plugin.state() != stateRunning:
		writeText(w, http.StatusServiceUnavailable, "[plugin:"+e.config.Plugin+"] is not running")
	case isWebSocket(r):
		writeText(w, http.StatusNotImplemented, "WebSocket routes are not imitated by the engine harness")
	case strings.TrimSpace(r.Header.Get("Accept")) == "text/event-stream":
		plugin.serveEvents(w, r)
	default:
		plugin.serveHTTP(w, r)
	}
}

func setCORS(header http.Header) {
	header.Set("Access-Control-Allow-Origin", "*")
	header.Set("Access-Control-Allow-Credentials", "true")
	header.Set("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE, CONNECT, OPTIONS, TRACE")
	header.Set("Access-Control-Allow-Headers", "origin, Content-Length, Content-Type, Authorization")
	header.Set("Access-Control-Allow-Private-Network", "false")
}

// serveHTTP waits for the handler or for the client to leave; the handler itself never notices the leaving.
func (p *plugin) serveHTTP(w http.ResponseWriter, r *http.Request) {
	in, ok := readIncoming(w, r)
	if !ok {
		return
	}
	answer := make(chan func(http.ResponseWriter), 1)
	p.loop.RunOnLoop(func(vm *goja.Runtime) {
		p.callHandler("http", in, goja.Null(), func(result outcome) {
			p.answerHTTP(result, answer)
		})
	})
	select {
	case write := <-answer:
		write(w)
	case <-r.Context().Done():
	}
}

// callHandler runs on the loop; a missing handler is answered like a throwing one.
func (p *plugin) callHandler(kind string, in *incoming, port goja.Value, answered func(outcome)) {
	var holder *goja.Object
	var handler goja.Callable
	found := false
	exception := p.vm.Try(func() {
		holder = p.lookup("server", "private", kind)
		handler, found = goja.AssertFunction(holder.Get("handler"))
	})
	switch {
	case exception != nil:
		answered(outcome{err: exception})
	case !found:
		answered(outcome{err: errHandler(kind)})
	default:
		p.invoke(handler, holder, []goja.Value{p.requestObject(in, port)}, answered)
	}
}

type errHandler string

func (e errHandler) Error() string { return string(e) + " handler is not set" }

// answerHTTP decides between an answer, a 500, a crash and silence; it runs on the loop.
func (p *plugin) answerHTTP(result outcome, answer chan<- func(http.ResponseWriter)) {
	err := result.err
	if err == nil {
		var parsed *reply
		if parsed, err = p.parseReply(result.value); err == nil {
			answer <- parsed.write
			return
		}
		if err == errShape && result.how == resumeTimer {
			crash("handler of [" + p.name + "] resumed by a timer gave an invalid response")
			return
		}
		if err == errShape && result.how == resumeHost {
			logf("engine", "handler resumed by a host call gave an invalid response: the host never answers")
			return
		}
	}
	text := p.failure("HTTP", err)
	answer <- func(w http.ResponseWriter) { writeText(w, http.StatusInternalServerError, text) }
}

// failure is the text of a 500 answer, logged as well.
func (p *plugin) failure(kind string, err error) string {
	text := "[plugin:" + p.name + "] Error occurred while handling " + kind + " request: " + describe(err)
	logf("plugin:"+p.name, "WARN %s", text)
	return text
}
