// Event streams: es.handler's port, headers flushed with the first event, and the deadly 17th send after the end.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/dop251/goja"
)

// swallowedSends: so many sends after the end vanish; the next one blocks the event loop for ever.
const swallowedSends = 16

// eventStream queues encoded events between the loop and the connection. open and late are guarded by lock.
type eventStream struct {
	lock   sync.Mutex
	queue  []string
	open   bool
	late   int
	wakeup chan struct{}
}

// push reports whether the caller, the event loop, must block for ever.
func (s *eventStream) push(text string) (deadly bool) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if !s.open {
		s.late++
		return s.late > swallowedSends
	}
	s.queue = append(s.queue, text)
	s.wake()
	return false
}

// end closes the stream; what is still queued is lost.
func (s *eventStream) end() {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.open, s.queue = false, nil
	s.wake()
}

func (s *eventStream) take() (events []string, open bool) {
	s.lock.Lock()
	defer s.lock.Unlock()
	events, s.queue = s.queue, nil
	return events, s.open
}

func (s *eventStream) wake() {
	select {
	case s.wakeup <- struct{}{}:
	default:
	}
}

func (p *plugin) serveEvents(w http.ResponseWriter, r *http.Request) {
	in, ok := readIncoming(w, r)
	if !ok {
		return
	}
	stream := &eventStream{open: true, wakeup: make(chan struct{}, 1)}
	failed := make(chan string, 1)
	var port *goja.Object // both only touched on the loop
	settled := false
	p.loop.RunOnLoop(func(vm *goja.Runtime) {
		port = p.eventPort(stream)
		p.callHandler("es", in, port, func(result outcome) {
			switch {
			case result.err != nil:
				failed <- p.failure("EventSource", result.err)
			case result.how == resumeSync || isNullish(result.value) || isObject(result.value):
				settled = true
				p.callHook(port, "onopen", "open")
			}
		})
	})

	p.pump(w, r, stream, failed)
	stream.end()
	p.loop.RunOnLoop(func(*goja.Runtime) {
		if settled {
			p.callHook(port, "onclose", "close")
		}
	})
}

// pump copies events to the client until the port closes, the handler fails, the client leaves or the plugin stops.
func (p *plugin) pump(w http.ResponseWriter, r *http.Request, stream *eventStream, failed <-chan string) {
	started := false
	for {
		select {
		case <-stream.wakeup:
			events, open := stream.take()
			for _, event := range events {
				if !started {
					started = true
					w.Header().Set("Content-Type", "text/event-stream;charset=utf-8")
					w.Header().Set("Cache-Control", "no-cache")
					w.WriteHeader(http.StatusOK)
				}
				w.Write([]byte(event))
			}
			if len(events) > 0 {
				w.(http.Flusher).Flush()
			}
			if !open {
				return
			}
		case text := <-failed:
			if started {
				w.Write([]byte(text))
			} else {
				writeText(w, http.StatusInternalServerError, text)
			}
			return
		case <-r.Context().Done():
			return
		case <-p.ctx.Done():
			return
		}
	}
}

// eventPort is the sealed request.port of an event stream.
func (p *plugin) eventPort(stream *eventStream) *goja.Object {
	return p.sealed(map[string]any{
		"onopen":  goja.Null(),
		"onclose": goja.Null(),
		"close":   native(func(goja.FunctionCall) goja.Value { stream.end(); return goja.Undefined() }),
		"send": native(func(call goja.FunctionCall) goja.Value {
			if !isObject(call.Argument(0)) {
				panic(p.vm.NewTypeError("event must be an object"))
			}
			text, ok := encodeEvent(call.Argument(0).ToObject(p.vm))
			if !ok {
				panic(p.vm.NewTypeError("data is required"))
			}
			if stream.push(text) {
				logf("engine", "send number %d after the end of an event stream: the plugin is dead", swallowedSends+1)
				select {}
			}
			return goja.Undefined()
		}),
	})
}

func (p *plugin) callHook(port *goja.Object, name, kind string) {
	if hook, ok := goja.AssertFunction(port.Get(name)); ok {
		hook(port, p.object(map[string]any{"type": kind}))
	}
}

var fieldEscapes = strings.NewReplacer("\n", `\n`, "\r", `\r`)
var dataEscapes = strings.NewReplacer("\n", "\ndata:", "\r", `\r`)

// encodeEvent returns false when data is missing. id and event only as strings, retry only as a number.
func encodeEvent(event *goja.Object) (string, bool) {
	data := event.Get("data")
	if data == nil || goja.IsUndefined(data) {
		return "", false
	}
	var text strings.Builder
	for _, name := range []string{"id", "event"} {
		if value := event.Get(name); value != nil {
			if field, ok := value.Export().(string); ok && field != "" {
				text.WriteString(name + ":" + fieldEscapes.Replace(field) + "\n")
			}
		}
	}
	if value := event.Get("retry"); value != nil {
		switch value.Export().(type) {
		case int64, float64:
			if retry := value.ToInteger(); retry > 0 {
				fmt.Fprintf(&text, "retry:%d\n", retry)
			}
		}
	}
	text.WriteString("data:" + dataEscapes.Replace(eventData(data)) + "\n\n")
	return text.String(), true
}

func eventData(value goja.Value) string {
	switch data := value.Export().(type) {
	case nil:
		return "<nil>"
	case string:
		return data
	case []byte:
		return string(data)
	case map[string]any, []any:
		text, _ := json.Marshal(data)
		return string(text)
	default:
		return fmt.Sprint(data)
	}
}
