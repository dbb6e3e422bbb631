// siyuan.secrets and siyuan.vars: names from flags, from setSecrets calls seen on the way, or from the target's conf.
package main

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/dop251/goja"
)

type templateValues struct {
	target *url.URL
	token  string
	lock   sync.Mutex
	fixed  map[string]nameValues // by kind: "secrets", "vars"
	noted  nameValues            // the last setSecrets through this port; nil before any
}

type namedItems struct {
	Items []struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	} `json:"items"`
}

func (n namedItems) byName() nameValues {
	values := nameValues{}
	for _, item := range n.Items {
		values[item.Name] = item.Value
	}
	return values
}

func newTemplateValues(config Config, target *url.URL) *templateValues {
	return &templateValues{
		target: target, token: config.Token,
		fixed: map[string]nameValues{"secrets": config.Secrets, "vars": config.Vars},
	}
}

// noteSecrets remembers the list that a setSecrets call replaces.
func (t *templateValues) noteSecrets(body []byte) {
	var items namedItems
	if json.Unmarshal(body, &items) == nil {
		t.lock.Lock()
		t.noted = items.byName()
		t.lock.Unlock()
	}
}

func (t *templateValues) find(kind, name string) (string, bool) {
	if value, found := t.fixed[kind][name]; found {
		return value, true
	}
	t.lock.Lock()
	noted := t.noted
	t.lock.Unlock()
	if kind == "secrets" && noted != nil {
		value, found := noted[name]
		return value, found
	}
	value, found := t.askTarget(kind)[name]
	return value, found
}

// askTarget reads the target's settings; a target without them has no names.
func (t *templateValues) askTarget(kind string) nameValues {
	request, err := http.NewRequest(http.MethodPost, t.target.String()+"/api/system/getConf", strings.NewReader("{}"))
	if err != nil {
		return nil
	}
	request.Header.Set("Content-Type", "application/json")
	if t.token != "" {
		request.Header.Set("Authorization", "Token "+t.token)
	}
	response, err := (&http.Client{Timeout: 2 * time.Second}).Do(request)
	if err != nil {
		return nil
	}
	defer response.Body.Close()
	var answer struct {
		Data struct {
			Conf struct {
				Secrets   namedItems `json:"secrets"`
				Variables namedItems `json:"variables"`
			} `json:"conf"`
		} `json:"data"`
	}
	json.NewDecoder(response.Body).Decode(&answer)
	if kind == "secrets" {
		return answer.Data.Conf.Secrets.byName()
	}
	return answer.Data.Conf.Variables.byName()
}

var shellName = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}|\$([A-Za-z_][A-Za-z0-9_]*)`)

// expand replaces {{kind.NAME}}, $NAME and ${NAME}; unknown names stay as they are.
func (t *templateValues) expand(kind, text string) string {
	braces := regexp.MustCompile(`\{\{` + kind + `\.([^{}]+)\}\}`)
	for _, pattern := range []*regexp.Regexp{braces, shellName} {
		text = pattern.ReplaceAllStringFunc(text, func(match string) string {
			groups := pattern.FindStringSubmatch(match)
			if value, found := t.find(kind, strings.Join(groups[1:], "")); found {
				return value
			}
			return match
		})
	}
	return text
}

// resolveFunction is synchronous; anything but a string gives "".
func (p *plugin) resolveFunction(kind string) native {
	return func(call goja.FunctionCall) goja.Value {
		text, ok := call.Argument(0).Export().(string)
		if !ok {
			return p.vm.ToValue("")
		}
		return p.vm.ToValue(p.engine.templates.expand(kind, text))
	}
}
