// The engine: wires listener, routes, plugin host, token keys and proxy together, and owns their life.
package main

import (
	"context"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"time"
)

// keyRotationDelay: SiYuan <= 3.7.3 replaces the key of plugin tokens this long after listening.
const keyRotationDelay = time.Second

// shutdownGrace: open connections are cut this long after the plugin has stopped.
const shutdownGrace = 500 * time.Millisecond

type Config struct {
	Listen, Target, KernelFile, Plugin string
	Token, AccessCode, StorageDir      string
	Secrets, Vars                      nameValues
}

type Engine struct {
	config     Config
	baseURL    string
	pluginRoot string
	target     *url.URL
	proxy      *httputil.ReverseProxy
	keys       tokenKeys
	locks      pathLocks
	templates  *templateValues
	host       *pluginHost
	server     *http.Server
	stopWatch  context.CancelFunc
}

// startEngine listens, loads the plugin's script and returns; the hooks run on in the background.
func startEngine(config Config) (*Engine, error) {
	target, err := url.Parse(config.Target)
	if err != nil {
		return nil, err
	}
	if config.KernelFile, err = filepath.Abs(config.KernelFile); err != nil {
		return nil, err
	}
	if config.StorageDir == "" {
		if config.StorageDir, err = os.MkdirTemp("", "goja-engine-storage-"); err != nil {
			return nil, err
		}
	}
	if config.StorageDir, err = filepath.Abs(config.StorageDir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(config.StorageDir, 0o755); err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", config.Listen)
	if err != nil {
		return nil, err
	}
	_, port, _ := net.SplitHostPort(listener.Addr().String())

	engine := &Engine{
		config:     config,
		baseURL:    "http://127.0.0.1:" + port,
		pluginRoot: "/plugin/private/" + config.Plugin + "/",
		target:     target,
	}
	engine.keys.rotate()
	engine.proxy = newProxy(engine)
	engine.templates = newTemplateValues(config, target)
	engine.host = newPluginHost(engine)
	engine.server = &http.Server{Handler: engine}
	go engine.server.Serve(listener)
	if config.AccessCode != "" {
		time.AfterFunc(keyRotationDelay, engine.keys.rotate)
	}
	<-engine.host.startInBackground()

	watching, cancel := context.WithCancel(context.Background())
	engine.stopWatch = cancel
	go watchFile(watching, config.KernelFile, engine.host.reload)
	return engine, nil
}

// stop ends the plugin (onunload is awaited without limit, as in SiYuan), then the connections.
func (e *Engine) stop() {
	e.stopWatch()
	e.host.shutdown()
	grace, cancel := context.WithTimeout(context.Background(), shutdownGrace)
	defer cancel()
	if e.server.Shutdown(grace) != nil {
		e.server.Close()
	}
}
