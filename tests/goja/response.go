// From a handler's result to an HTTP answer: JSON conversion, strict types, and raw.data that is nulled on the way.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/dop251/goja"
)

// reply is the strictly typed form of {statusCode, headers, cookies, body}.
type reply struct {
	StatusCode int                 `json:"statusCode"`
	Headers    map[string][]string `json:"headers"`
	Cookies    []*http.Cookie      `json:"cookies"`
	Body       *struct {
		Data *struct {
			Type string `json:"type"`
			Data any    `json:"data"`
		} `json:"data"`
		File   *struct{} `json:"file"`
		String *struct {
			Format string `json:"format"`
			Values []any  `json:"values"`
		} `json:"string"`
		Raw *struct {
			ContentType string `json:"contentType"`
		} `json:"raw"`
		Redirect *struct {
			Location string `json:"location"`
		} `json:"redirect"`
		Proxy *struct{} `json:"proxy"`
	} `json:"body"`

	rawData []byte
}

// errShape marks results the host dereferences blindly: nullish, or body / body.raw of a primitive type.
var errShape = errors.New("response has an invalid shape")

// parseReply runs on the loop and changes the handler's object: raw.data becomes null.
func (p *plugin) parseReply(value goja.Value) (*reply, error) {
	if isNullish(value) {
		return nil, errShape
	}
	if !isObject(value) {
		return nil, fmt.Errorf("response must be an object, not %v", value)
	}
	parsed := &reply{}
	err := p.takeRaw(value.ToObject(p.vm), parsed)
	if err != nil {
		return nil, err
	}
	text, err := value.ToObject(p.vm).MarshalJSON()
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, parsed); err != nil {
		return nil, err
	}
	return parsed, nil
}

// takeRaw moves body.raw.data out of the object. A frozen raw is an error; getters may throw.
func (p *plugin) takeRaw(object *goja.Object, into *reply) (err error) {
	if exception := p.vm.Try(func() {
		body := object.Get("body")
		if isNullish(body) {
			return
		}
		if !isObject(body) {
			err = errShape
			return
		}
		raw := body.ToObject(p.vm).Get("raw")
		if isNullish(raw) {
			return
		}
		if !isObject(raw) {
			err = errShape
			return
		}
		if into.rawData, err = rawBytes(raw.ToObject(p.vm).Get("data")); err == nil {
			err = raw.ToObject(p.vm).Set("data", goja.Null())
		}
	}); exception != nil {
		return exception
	}
	return err
}

func rawBytes(value goja.Value) ([]byte, error) {
	if isNullish(value) {
		return nil, nil
	}
	switch data := value.Export().(type) {
	case string:
		return []byte(data), nil
	case goja.ArrayBuffer:
		return append([]byte{}, data.Bytes()...), nil
	case []byte:
		return append([]byte{}, data...), nil
	}
	return nil, fmt.Errorf("raw.data has an unsupported type %T", value.Export())
}

// write sends the reply. `file` and `proxy` bodies are not imitated.
func (r *reply) write(w http.ResponseWriter) {
	status := r.StatusCode
	if status == 0 {
		status = http.StatusOK
	}
	if status < 100 || status > 999 {
		w.WriteHeader(http.StatusOK)
		return
	}
	for name, values := range r.Headers {
		for _, value := range values { // set, not add: only the last value survives
			if value == "" {
				w.Header().Del(name)
			} else {
				w.Header().Set(name, value)
			}
		}
	}
	for _, cookie := range r.Cookies {
		if cookie != nil {
			http.SetCookie(w, cookie)
		}
	}
	body := r.Body
	switch {
	case body == nil:
		r.send(w, status, "", nil)
	case body.Data != nil:
		r.sendData(w, status)
	case body.File != nil:
		writeText(w, http.StatusNotImplemented, "file answers are not imitated by the engine harness")
	case body.String != nil:
		text := body.String.Format
		if len(body.String.Values) > 0 {
			text = fmt.Sprintf(text, body.String.Values...)
		}
		r.send(w, status, "text/plain; charset=utf-8", []byte(text))
	case body.Raw != nil:
		r.send(w, status, body.Raw.ContentType, r.rawData)
	case body.Redirect != nil:
		if status != http.StatusCreated && (status < 300 || status > 308) {
			w.WriteHeader(http.StatusOK)
			return
		}
		w.Header().Set("Location", body.Redirect.Location)
		w.WriteHeader(status)
	case body.Proxy != nil:
		writeText(w, http.StatusNotImplemented, "proxy answers are not imitated by the engine harness")
	default:
		r.send(w, status, "", nil)
	}
}

// sendData knows the JSON kinds; keys come out sorted because the value passed through Go.
func (r *reply) sendData(w http.ResponseWriter, status int) {
	const contentType = "application/json; charset=utf-8"
	switch r.Body.Data.Type {
	case "JSON":
		text, _ := json.Marshal(r.Body.Data.Data)
		r.send(w, status, contentType, text)
	case "IndentedJSON":
		text, _ := json.MarshalIndent(r.Body.Data.Data, "", "    ")
		r.send(w, status, contentType, text)
	case "PureJSON", "JSONP", "AsciiJSON", "SecureJSON", "XML", "YAML", "TOML", "ProtoBuf":
		writeText(w, http.StatusNotImplemented, "data type not imitated by the engine harness: "+r.Body.Data.Type)
	default:
		writeText(w, http.StatusInternalServerError, "unsupported data type: "+r.Body.Data.Type)
	}
}

// send lets a Content-Type of the headers win over the body's own.
func (r *reply) send(w http.ResponseWriter, status int, contentType string, data []byte) {
	if w.Header().Get("Content-Type") == "" && contentType != "" {
		w.Header().Set("Content-Type", contentType)
	}
	w.WriteHeader(status)
	if len(data) > 0 && status != http.StatusNoContent && status != http.StatusNotModified {
		w.Write(data)
	}
}
