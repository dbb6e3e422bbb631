// What a handler may return or throw: answers, 500s, silence, and the crash.
package main

import (
	"strings"
	"testing"
	"time"
)

func TestHandlerResults(t *testing.T) {
	engine := start(t, "traps.js", nil)
	crashed := make(chan string, 4)
	original := crash
	crash = func(reason string) { crashed <- reason }
	t.Cleanup(func() { crash = original })

	const hang = -1
	for _, test := range []struct {
		path   string
		status int
		text   string
	}{
		{"object", 200, "ok"},
		{"undefined", 500, "[plugin:p] Error occurred while handling HTTP request: "},
		{"undefined-immediate", 500, ""},
		{"undefined-timer", hang, ""},
		{"undefined-host", hang, ""},
		{"body-string", 500, ""},
		{"string", 500, ""},
		{"string-immediate", hang, ""},
		{"string-timer", hang, ""},
		{"string-host", hang, ""},
		{"throw", 500, "boom"},
		{"reject", 500, "promise rejected: <nil>"},
		{"reject-primitive", hang, ""},
		{"array", 500, ""},
		{"status-type", 500, ""},
		{"header-type", 500, ""},
		{"header-last", 202, ""},
		{"raw-kept", 200, "kept"},
		{"raw-kept", 200, ""}, // the host nulled raw.data in the plugin's own object
		{"raw-frozen", 500, ""},
		{"raw-bytes", 200, "ij"},
		{"raw-buffer", 200, "hi"},
		{"raw-number", 500, ""},
		{"raw-int8", 500, ""},
	} {
		got := call(t, "GET", engine.route(test.path), "")
		if test.status == hang {
			if !got.hung {
				t.Errorf("%s: want silence, got %d %q", test.path, got.status, got.body)
			}
			continue
		}
		if got.hung || got.status != test.status || !strings.Contains(got.body, test.text) {
			t.Errorf("%s: want %d %q, got %+v", test.path, test.status, test.text, got)
		}
		if test.status == 200 && test.text == "" && got.body != "" {
			t.Errorf("%s: want an empty body, got %q", test.path, got.body)
		}
	}
	if values := call(t, "GET", engine.route("header-last"), "").header["X-A"]; len(values) != 1 || values[0] != "2" {
		t.Errorf("only the last header value survives, got %v", values)
	}
	if len(crashed) != 1 {
		t.Errorf("want one crash (undefined after a timer), got %d", len(crashed))
	}
}

func TestRequestObject(t *testing.T) {
	engine := start(t, "traps.js", nil)
	got := call(t, "GET", engine.route("request?a=1"), "", "Authorization", "Token T", "Cookie", "s=1", "mcp-session-id", "x")
	for _, want := range []string{`"Mcp-Session-Id":["x"]`, `"path":"/request"`, `"search":"a=1"`, `"port":null`, `"strict":false`} {
		if !strings.Contains(got.body, want) {
			t.Errorf("want %s in %s", want, got.body)
		}
	}
	if strings.Contains(got.body, "Cookie") || strings.Contains(got.body, "Authorization") {
		t.Errorf("Cookie and Authorization must not reach the plugin: %s", got.body)
	}
	if got := call(t, "POST", engine.route("echo"), "a=1", "Content-Type", "application/x-www-form-urlencoded"); got.body != "" {
		t.Errorf("urlencoded bodies are lost, got %q", got.body)
	}
	if got := call(t, "POST", engine.route("echo"), "{}", "Content-Type", "application/json"); got.body != "{}" {
		t.Errorf("want the body, got %+v", got)
	}
	if got := call(t, "OPTIONS", engine.route("echo"), ""); got.status != 204 {
		t.Errorf("OPTIONS never reaches the plugin, got %+v", got)
	}
}

func TestPathLock(t *testing.T) {
	engine := start(t, "traps.js", nil)
	together := func(url string) time.Duration {
		begin, done := time.Now(), make(chan bool)
		for range 3 {
			go func() { callWithin(t, 5*time.Second, "GET", url, ""); done <- true }()
		}
		for range 3 {
			<-done
		}
		return time.Since(begin)
	}
	if took := together(engine.route("slow")); took < 600*time.Millisecond {
		t.Errorf("same path must be serialised, took %v", took)
	}
	if took := together(engine.route("list-slow")); took > 500*time.Millisecond {
		t.Errorf("list… is exempt, took %v", took)
	}
	if took := together(engine.baseURL + "/api/slow"); took < 600*time.Millisecond {
		t.Errorf("API paths are serialised too, took %v", took)
	}

	// A client that leaves frees the path although the handler still hangs.
	go call(t, "GET", engine.route("hang"), "")
	time.Sleep(50 * time.Millisecond)
	begin := time.Now()
	callWithin(t, 900*time.Millisecond, "GET", engine.route("hang"), "")
	if took := time.Since(begin); took > 1200*time.Millisecond {
		t.Errorf("the path stayed locked: %v", took)
	}
}

func TestHostCalls(t *testing.T) {
	engine := start(t, "traps.js", nil)
	for path, want := range map[string]string{
		"fetch-bodies": `["hi","hi","","","",""]`,
		"fetch-info": `{"status":200,"statusText":"200 OK","ok":true,"type":"application/json; charset=utf-8",` +
			`"authorization":"Token T","sent":"text/plain; charset=utf-8","bad":"GoError","isError":true}`,
		"storage": `{"stored":"[object Object]","names":["b.json"],"escape":"path traversal not allowed","gone":"GoError"}`,
		"secret":  "one two {{secrets.NONE}}",
	} {
		if got := call(t, "GET", engine.route(path), ""); got.body != want {
			t.Errorf("%s: want %s, got %+v", path, want, got)
		}
	}
}
