// The request object a handler receives: frozen outside, Go-backed maps inside (random key order, never mutate).
package main

import (
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"

	"github.com/dop251/goja"
)

// incoming is a request read completely, before the loop sees it.
type incoming struct {
	http *http.Request
	body []byte
	form *multipart.Form // nil unless well-formed multipart
}

// readIncoming returns false after answering 400: an empty file part is refused before the handler.
func readIncoming(w http.ResponseWriter, r *http.Request) (*incoming, bool) {
	in := &incoming{http: r}
	kind, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	writes := r.Method == http.MethodPost || r.Method == http.MethodPut || r.Method == http.MethodPatch
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, false
	}
	switch {
	case kind == "multipart/form-data" && params["boundary"] != "":
		form, err := multipart.NewReader(strings.NewReader(string(body)), params["boundary"]).ReadForm(32 << 20)
		if err != nil {
			in.body = body
			break
		}
		for _, files := range form.File {
			for _, file := range files {
				if file.Size == 0 {
					writeText(w, http.StatusBadRequest, "empty file part")
					return nil, false
				}
			}
		}
		in.form = form
	case kind == "application/x-www-form-urlencoded" && writes:
		// The host's form parser consumes the body and hands nothing on.
	default:
		in.body = body
	}
	return in, true
}

// requestObject runs on the loop. port is null for HTTP handlers.
func (p *plugin) requestObject(in *incoming, port goja.Value) *goja.Object {
	r := in.http
	rest := "/" + strings.TrimPrefix(r.URL.Path, p.engine.pluginRoot)
	user := goja.Value(goja.Null())
	if name, password, given := r.BasicAuth(); given {
		user = p.frozen(map[string]any{"username": name, "password": password})
	}
	headers := map[string][]string(r.Header.Clone())
	delete(headers, "Cookie")
	delete(headers, "Authorization")
	cookies := map[string][]string{}
	for _, cookie := range r.Cookies() {
		cookies[cookie.Name] = append(cookies[cookie.Name], cookie.Value)
	}
	contentType, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	return p.frozen(map[string]any{
		"url": p.frozen(map[string]any{
			"user": user, "host": r.Host, "path": r.URL.Path, "pathname": r.URL.EscapedPath(),
			"fragment": "", "hash": "", "search": r.URL.RawQuery, "query": map[string][]string(r.URL.Query()),
		}),
		"request": p.frozen(map[string]any{
			"method": r.Method, "uri": r.RequestURI, "proto": r.Proto,
			"protoMajor": r.ProtoMajor, "protoMinor": r.ProtoMinor,
			"headers": headers, "cookies": cookies,
			"contentType": strings.TrimSpace(contentType), "contentLength": r.ContentLength,
			"referer": r.Referer(), "userAgent": r.UserAgent(),
			"body": p.bodyObject(in),
		}),
		"context": p.frozen(map[string]any{
			"path": rest, "fullPath": "/plugin/private/:name/*path",
			"clientIp": clientIP(r), "remoteIp": hostOf(r.RemoteAddr), "remoteAddr": r.RemoteAddr,
			"params": map[string][]string{"name": {p.name}, "path": {rest}},
		}),
		"port": port,
	})
}

func (p *plugin) bodyObject(in *incoming) *goja.Object {
	if in.form == nil {
		return p.frozen(map[string]any{"form": goja.Null(), "data": p.dataObject(in.body, nil)})
	}
	files := p.vm.NewObject()
	for name, parts := range in.form.File {
		list := make([]any, len(parts))
		for i, part := range parts {
			list[i] = p.object(map[string]any{
				"filename": part.Filename, "headers": map[string][]string(part.Header), "size": part.Size,
				"data": p.dataObject(readPart(part), nil),
			})
		}
		files.Set(name, p.vm.NewArray(list...))
	}
	form := p.object(map[string]any{"values": in.form.Value, "files": files})
	return p.frozen(map[string]any{"form": form, "data": goja.Null()})
}

func readPart(part *multipart.FileHeader) []byte {
	file, err := part.Open()
	if err != nil {
		return nil
	}
	defer file.Close()
	data, _ := io.ReadAll(file)
	return data
}
