// Refusals around the plugin, the dead plugin token, and how re-enabling heals it.
package main

import (
	"strings"
	"testing"
	"time"
)

func TestRefusalsWithoutAccessCode(t *testing.T) {
	engine := start(t, "traps.js", nil)
	url := engine.route("object")
	for _, test := range []struct {
		name    string
		url     string
		status  int
		body    string
		headers []string
	}{
		{"loopback", url, 200, "ok", nil},
		{"right token", url, 200, "ok", []string{"Authorization", "Bearer T", "Origin", "https://example.org"}},
		{"wrong token", url, 401, `{"code":-1,"msg":"Auth failed [header: Authorization]"}`, []string{"Authorization", "Token no"}},
		{"empty token", url, 200, "ok", []string{"Authorization", "Token "}},
		{"other scheme", url, 200, "ok", []string{"Authorization", "TOKEN no"}},
		{"wrong query", url + "?token=no", 401, `{"code":-1,"msg":"Auth failed [query: token]"}`, nil},
		{"foreign origin", url, 401, "Lock screen password", []string{"Origin", "https://example.org"}},
		{"null origin", url, 401, "Lock screen password", []string{"Origin", "null"}},
		{"local origin", url, 200, "ok", []string{"Origin", "http://app.localhost:5173"}},
		{"forwarded", url, 401, "Lock screen password", []string{"X-Forwarded-For", "10.0.0.1"}},
	} {
		got := call(t, "GET", test.url, "", test.headers...)
		if got.status != test.status || !strings.Contains(got.body, test.body) {
			t.Errorf("%s: want %d %q, got %+v", test.name, test.status, test.body, got)
		}
	}
}

func TestAccessCodeAndDeadToken(t *testing.T) {
	engine := start(t, "token.js", func(c *Config) { c.AccessCode = "X" })
	token := []string{"Authorization", "Token T"}
	if got := call(t, "POST", engine.route("a"), ""); got.status != 401 || got.body != `{"code":-1,"msg":"Auth failed [session]"}` {
		t.Errorf("no token: %+v", got)
	}
	if got := call(t, "GET", engine.route("a"), "", "User-Agent", "Mozilla/5.0"); got.status != 302 {
		t.Errorf("a browser is sent to the lock screen: %+v", got)
	}
	if got := call(t, "GET", engine.route("a"), "", token...); got.body != "200" {
		t.Errorf("the plugin's token is good in the first second: %+v", got)
	}
	time.Sleep(keyRotationDelay + 100*time.Millisecond)
	if got := call(t, "GET", engine.route("a"), "", token...); got.body != "401" {
		t.Errorf("and dead after it: %+v", got)
	}
	if got := call(t, "GET", engine.route("list-own"), "", token...); got.body != "200" {
		t.Errorf("an Authorization of its own works: %+v", got)
	}

	enable := `{"packageName":"p","enabled":true}`
	if got := call(t, "POST", engine.baseURL+"/api/petal/setPetalEnabled", enable); got.status != 401 {
		t.Errorf("enabling needs the token: %+v", got)
	}
	if got := call(t, "POST", engine.baseURL+"/api/petal/setPetalEnabled", enable, token...); !strings.HasPrefix(got.body, `{"code":0,`) {
		t.Errorf("enabling: %+v", got)
	}
	if got := call(t, "GET", engine.route("a"), "", token...); got.body != "200" {
		t.Errorf("re-enabling mints a good token: %+v", got)
	}
}

func TestDisabledAndBroken(t *testing.T) {
	engine := start(t, "traps.js", nil)
	call(t, "POST", engine.baseURL+"/api/petal/setPetalEnabled", `{"packageName":"p","enabled":false}`)
	if got := call(t, "GET", engine.route("object"), ""); got.status != 404 || got.body != "[plugin:p] not found" {
		t.Errorf("disabled: %+v", got)
	}
	broken := start(t, "traps.js", nil, "var routes", "import 'x'; var routes")
	if got := call(t, "GET", broken.route("object"), ""); got.status != 503 || got.body != "[plugin:p] is not running" {
		t.Errorf("broken: %+v", got)
	}
}
