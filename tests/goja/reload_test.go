// Hot reload: what happens to requests and streams in flight, with and without settling in onunload.
package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestReload(t *testing.T) {
	for _, test := range []struct{ settles, want string }{{"true", "stopping"}, {"false", ""}} {
		engine := start(t, "reload.js", nil, "VERSION", "one", "SETTLES", test.settles)
		inFlight, stream := make(chan answer), make(chan answer)
		go func() { inFlight <- callWithin(t, 1500*time.Millisecond, "POST", engine.route("pending"), "") }()
		go func() {
			stream <- callWithin(t, 3*time.Second, "GET", engine.route("list"), "", "Accept", eventStreamType)
		}()
		time.Sleep(50 * time.Millisecond)

		writeKernel(t, engine.config.KernelFile, "reload.js", "VERSION", "two", "SETTLES", test.settles)
		waitFor(t, func() bool { return call(t, "GET", engine.route("version"), "").body == "two" })

		if got := <-stream; got.hung || got.body != "data:1\n\n" {
			t.Errorf("settles=%s: a stream ends cleanly at a reload, got %+v", test.settles, got)
		}
		if test.want == "" {
			if got := callWithin(t, 100*time.Millisecond, "POST", engine.route("pending"), ""); !got.hung {
				t.Errorf("the path stays locked until the client leaves, got %+v", got)
			}
		}
		if got := <-inFlight; got.body != test.want || got.hung != (test.want == "") {
			t.Errorf("settles=%s: want %q, got %+v", test.settles, test.want, got)
		}
	}
}

func TestReloadControl(t *testing.T) {
	engine := start(t, "reload.js", nil, "VERSION", "one", "SETTLES", "true")
	got := call(t, "POST", engine.baseURL+"/engine/reload", "")
	if !strings.Contains(got.body, `"loads":2`) || !strings.Contains(got.body, `"state":"running"`) {
		t.Errorf("got %+v", got)
	}
}

func TestEval(t *testing.T) {
	var out, errOut bytes.Buffer
	if code := evalScript("testdata/eval.js", &out, &errOut); code != 0 || out.String() != "{\"b\":1,\"a\":[0.1,\"é\"]} 6869\nlater\n" {
		t.Errorf("code %d, out %q, err %q", code, out.String(), errOut.String())
	}
}
