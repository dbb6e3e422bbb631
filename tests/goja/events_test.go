// Event streams: exact Accept, encoding, hooks, and sending after the end.
package main

import (
	"strings"
	"testing"
	"time"
)

const eventStreamType = "text/event-stream"

func TestEventStreamChosenByExactAccept(t *testing.T) {
	engine := start(t, "events.js", nil)
	for _, accept := range []string{"text/event-stream, */*", "TEXT/EVENT-STREAM", "application/json, text/event-stream"} {
		if got := call(t, "GET", engine.route("list"), "", "Accept", accept); got.body != "http" {
			t.Errorf("%s must reach the HTTP handler, got %+v", accept, got)
		}
	}
	got := call(t, "GET", engine.route("list"), "", "Accept", eventStreamType)
	if want := "id:7\nevent:ready\nretry:5\ndata:a\ndata:b\n\n"; got.body != want || !got.hung {
		t.Errorf("want an open stream with %q, got %+v", want, got)
	}
	if got.header.Get("Content-Type") != "text/event-stream;charset=utf-8" {
		t.Errorf("content type %q", got.header.Get("Content-Type"))
	}
	waitFor(t, func() bool { return call(t, "GET", engine.route("list-seen"), "").body == "open,close" })

	if got := call(t, "GET", engine.route("list-throw"), "", "Accept", eventStreamType); got.status != 500 || !strings.Contains(got.body, "no stream") {
		t.Errorf("a throw before any event is a 500, got %+v", got)
	}
}

func TestSendAfterClose(t *testing.T) {
	engine := start(t, "events.js", nil)
	call(t, "GET", engine.route("list-late16"), "", "Accept", eventStreamType)
	if got := call(t, "GET", engine.route("list-seen"), ""); got.status != 200 {
		t.Errorf("16 late sends are survived, got %+v", got)
	}
	call(t, "GET", engine.route("list-late17"), "", "Accept", eventStreamType)
	if got := call(t, "GET", engine.route("list-seen"), ""); !got.hung {
		t.Errorf("the 17th late send kills the plugin, got %+v", got)
	}
}

func TestOpenStreamLocksItsPath(t *testing.T) {
	engine := start(t, "events.js", nil)
	go call(t, "GET", engine.route("mcp"), "", "Accept", eventStreamType)
	time.Sleep(50 * time.Millisecond)
	if got := callWithin(t, 150*time.Millisecond, "POST", engine.route("mcp"), ""); !got.hung {
		t.Errorf("a POST to the stream's path waits, got %+v", got)
	}
	if got := callWithin(t, 2*time.Second, "POST", engine.route("mcp"), ""); got.body != "http" {
		t.Errorf("free after the stream's end, got %+v", got)
	}
}
