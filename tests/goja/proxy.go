// Everything that is not the hosted plugin goes to the target, with the plugin's own token exchanged or refused.
package main

import (
	"net/http"
	"net/http/httputil"
)

func newProxy(e *Engine) *httputil.ReverseProxy {
	return &httputil.ReverseProxy{
		Rewrite:       func(p *httputil.ProxyRequest) { p.SetURL(e.target) },
		FlushInterval: -1,
		Transport:     &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 64},
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			if r.Context().Err() == nil {
				logf("engine", "target: %s %s: %v", r.Method, r.URL.Path, err)
			}
			// A target that dies in mid-call looks to the caller like a SiYuan that dies: no answer at all.
			panic(http.ErrAbortHandler)
		},
	}
}

// serveProxied exchanges a live plugin token for the API token and answers 401 to a dead one under an access code.
func (e *Engine) serveProxied(w http.ResponseWriter, r *http.Request) {
	token := r.Header.Get("X-Auth-Token")
	if token != "" && r.Header.Get("Authorization") == "" {
		switch {
		case e.keys.valid(token):
			r.Header.Del("X-Auth-Token")
			if e.config.Token != "" {
				r.Header.Set("Authorization", "Token "+e.config.Token)
			}
		case e.config.AccessCode != "":
			writeJSON(w, http.StatusUnauthorized, map[string]any{"code": -1, "msg": msgSession})
			return
		}
	}
	e.proxy.ServeHTTP(w, r)
}
