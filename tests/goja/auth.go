// Who may reach the plugin's routes: plugin token, API token, loopback without access code, Basic with it.
package main

import (
	"net"
	"net/http"
	"net/url"
	"strings"
)

const (
	msgHeader  = "Auth failed [header: Authorization]"
	msgQuery   = "Auth failed [query: token]"
	msgSession = "Auth failed [session]"
	msgLock    = "Lock screen password authentication failed, please refresh the page and log in again"
	msgRemote  = "For security reasons, please set [Lock screen password] when using non-127.0.0.1 access"
)

// authorize answers the refusal itself and returns false, or returns true for an administrator. First match decides.
func (e *Engine) authorize(w http.ResponseWriter, r *http.Request) bool {
	refuse := func(msg string) bool {
		writeJSON(w, http.StatusUnauthorized, map[string]any{"code": -1, "msg": msg})
		return false
	}
	if token := r.Header.Get("X-Auth-Token"); token != "" {
		if e.keys.valid(token) {
			return true
		}
		logf("engine", "invalid X-Auth-Token on %s", r.URL.Path)
	}
	if token, given := schemeToken(r.Header.Get("Authorization")); given {
		return e.isAPIToken(token) || refuse(msgHeader)
	}
	if token := r.URL.Query().Get("token"); token != "" {
		return e.isAPIToken(token) || refuse(msgQuery)
	}
	if e.config.AccessCode == "" {
		return isLocal(r) || refuse(msgRemote)
	}
	if _, password, given := r.BasicAuth(); given && password == e.config.AccessCode {
		return true
	}
	agent := r.UserAgent()
	if !strings.HasPrefix(agent, "Mozilla/") && !strings.HasPrefix(agent, "SiYuan/") {
		return refuse(msgSession)
	}
	if r.Method == http.MethodGet && !isWebSocket(r) {
		http.Redirect(w, r, "/check-auth?to="+url.QueryEscape(r.URL.RequestURI()), http.StatusFound)
		return false
	}
	return refuse(msgLock)
}

func (e *Engine) isAPIToken(token string) bool {
	return e.config.Token != "" && token == e.config.Token
}

// schemeToken knows exactly four spellings; every other scheme falls through to the next rule.
func schemeToken(header string) (string, bool) {
	for _, scheme := range []string{"Token ", "token ", "Bearer ", "bearer "} {
		if token, found := strings.CutPrefix(header, scheme); found {
			return token, true
		}
	}
	return "", false
}

// isLocal: peer, forwarded addresses and Origin must be loopback. Host is never checked (3.7.3).
func isLocal(r *http.Request) bool {
	if !isLoopbackHost(hostOf(r.RemoteAddr)) || !isLoopbackHost(clientIP(r)) {
		return false
	}
	if origin := r.Header.Get("Origin"); origin != "" {
		parsed, err := url.Parse(origin)
		if err != nil || !isLoopbackHost(parsed.Hostname()) {
			return false
		}
	}
	if forwarded := r.Header.Get("X-Forwarded-Host"); forwarded != "" {
		host, _, err := net.SplitHostPort(forwarded)
		return err == nil && isLoopbackHost(host)
	}
	return true
}

// clientIP trusts the forwarded headers of anyone, as SiYuan does.
func clientIP(r *http.Request) string {
	if forwarded := r.Header.Get("X-Forwarded-For"); forwarded != "" {
		parts := strings.Split(forwarded, ",")
		return strings.TrimSpace(parts[len(parts)-1])
	}
	if real := r.Header.Get("X-Real-Ip"); real != "" {
		return strings.TrimSpace(real)
	}
	return hostOf(r.RemoteAddr)
}

func hostOf(address string) string {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return address
	}
	return host
}

func isLoopbackHost(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
