// Shared by the tests: an engine on a fixture, a target that echoes, and requests with a short patience.
package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const patience = 400 * time.Millisecond

// echoTarget reports what reached it, and 401 where the API token is missing.
func echoTarget(t *testing.T) *httptest.Server {
	target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.URL.Path == "/api/system/getConf" {
			io.WriteString(w, `{"data":{"conf":{"secrets":{"items":[{"name":"ASKED","value":"two"}]}}}}`)
			return
		}
		if r.URL.Path == "/api/slow" {
			time.Sleep(200 * time.Millisecond)
		}
		status := http.StatusOK
		if r.URL.Path == "/api/who" && r.Header.Get("Authorization") != "Token T" {
			status = http.StatusUnauthorized
		}
		writeJSON(w, status, map[string]any{
			"body": string(body), "authorization": r.Header.Get("Authorization"),
			"xAuthToken": r.Header.Get("X-Auth-Token"), "type": r.Header.Get("Content-Type"),
		})
	}))
	t.Cleanup(target.Close)
	return target
}

// start runs a fixture with text replacements and waits until its hooks are done.
func start(t *testing.T, fixture string, change func(*Config), replace ...string) *Engine {
	t.Helper()
	kernel := filepath.Join(t.TempDir(), "kernel.js")
	writeKernel(t, kernel, fixture, replace...)
	config := Config{
		Listen: "127.0.0.1:0", Target: echoTarget(t).URL, KernelFile: kernel, Plugin: "p", Token: "T",
		StorageDir: t.TempDir(), Secrets: nameValues{"GIVEN": "one"}, Vars: nameValues{},
	}
	if change != nil {
		change(&config)
	}
	engine, err := startEngine(config)
	if err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool { return engine.host.current().state() >= stateRunning })
	t.Cleanup(func() { engine.server.Close() })
	return engine
}

// writeKernel writes beside the file and renames over it, as a deployment should.
func writeKernel(t *testing.T, kernel, fixture string, replace ...string) {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("testdata", fixture))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer(replace...).Replace(string(source))
	if err := os.WriteFile(kernel+".new", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(kernel+".new", kernel); err != nil {
		t.Fatal(err)
	}
}

func waitFor(t *testing.T, ready func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); !ready(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("waited too long")
		}
	}
}

type answer struct {
	status int
	body   string
	header http.Header
	hung   bool
}

// call sends a request with header pairs; a client of its own, so that no keep-alive or cookie is shared.
func call(t *testing.T, method, url, body string, headers ...string) answer {
	t.Helper()
	return callWithin(t, patience, method, url, body, headers...)
}

func callWithin(t *testing.T, limit time.Duration, method, url, body string, headers ...string) answer {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Add(headers[i], headers[i+1])
	}
	response, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(request)
	if err != nil {
		if ctx.Err() == nil {
			t.Errorf("%s %s: %v", method, url, err)
		}
		return answer{hung: true}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return answer{status: response.StatusCode, body: string(text), header: response.Header, hung: err != nil}
}

func (e *Engine) route(path string) string { return e.baseURL + e.pluginRoot + path }
