// siyuan.client: fetch to this program's own port as administrator; socket and event are not imitated.
package main

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"time"

	"github.com/dop251/goja"
)

const fetchTimeout = 60 * time.Second

// fetchClient is one for the process: its cookie jar outlives reloads and dies with the process.
var fetchClient = newFetchClient()

func newFetchClient() *http.Client {
	jar, _ := cookiejar.New(nil)
	return &http.Client{Timeout: fetchTimeout, Jar: jar, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
}

func (p *plugin) clientMembers() map[string]any {
	absent := native(func(goja.FunctionCall) goja.Value { return p.refused("not imitated by the engine harness") })
	return map[string]any{"fetch": native(p.fetch), "socket": absent, "event": absent}
}

func (p *plugin) fetch(call goja.FunctionCall) goja.Value {
	path, ok := call.Argument(0).Export().(string)
	if !ok || !strings.HasPrefix(path, "/") {
		return p.refused("path must be a string starting with /")
	}
	method, headers, body := p.fetchInit(call.Argument(1))
	return p.async(func() (func(*goja.Runtime) any, error) {
		request, err := http.NewRequest(method, p.engine.baseURL+path, bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		request.Header.Set("User-Agent", "req/v3 (https://github.com/imroc/req)")
		if len(body) > 0 {
			request.Header.Set("Content-Type", http.DetectContentType(body))
		}
		for name, value := range headers {
			request.Header.Set(name, value)
		}
		request.Header.Set("X-Auth-Token", p.token)
		response, err := fetchClient.Do(request)
		if err != nil {
			return nil, err
		}
		defer response.Body.Close()
		data, err := io.ReadAll(response.Body)
		if err != nil {
			return nil, errors.New("read response body: " + err.Error())
		}
		joined := map[string]string{}
		for name, values := range response.Header {
			joined[name] = strings.Join(values, ", ")
		}
		return func(*goja.Runtime) any {
			return p.dataObject(data, map[string]any{
				"url":        path,
				"ok":         response.StatusCode >= 200 && response.StatusCode < 300,
				"status":     response.StatusCode,
				"statusText": response.Status,
				"headers":    joined,
			})
		}, nil
	})
}

// fetchInit reads the init object on the loop. Bodies other than strings and ArrayBuffers are silently dropped.
func (p *plugin) fetchInit(init goja.Value) (method string, headers map[string]string, body []byte) {
	method, headers = http.MethodGet, map[string]string{}
	if !isObject(init) {
		return
	}
	object := init.ToObject(p.vm)
	if given := object.Get("method"); !isNullish(given) {
		method = given.String()
	}
	if given := object.Get("headers"); isObject(given) {
		for _, name := range given.ToObject(p.vm).Keys() {
			headers[name] = given.ToObject(p.vm).Get(name).String()
		}
	}
	if given := object.Get("body"); !isNullish(given) {
		switch content := given.Export().(type) {
		case string:
			if !isObject(given) {
				body = []byte(content)
			}
		case goja.ArrayBuffer:
			body = content.Bytes()
		}
	}
	return
}
