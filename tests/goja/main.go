// Entry point of the engine tier: flags, the two modes (host a kernel.js, or -eval a script), signals.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

// nameValues collects repeated -secret NAME=VALUE flags.
type nameValues map[string]string

func (n nameValues) String() string { return "" }

func (n nameValues) Set(text string) error {
	name, value, found := strings.Cut(text, "=")
	if !found || name == "" {
		return fmt.Errorf("expected NAME=VALUE")
	}
	n[name] = value
	return nil
}

func main() {
	config := Config{Secrets: nameValues{}, Vars: nameValues{}}
	evalFile := flag.String("eval", "", "run this script in a bare goja runtime and print what it logs, instead of hosting a plugin")
	flag.StringVar(&config.Listen, "listen", "127.0.0.1:0", "address to own")
	flag.StringVar(&config.Target, "target", "", "base URL of the SiYuan that answers everything but the plugin's routes")
	flag.StringVar(&config.KernelFile, "kernel", "", "kernel.js to host; reloaded when it changes")
	flag.StringVar(&config.Plugin, "plugin", "siyuan-plugins-mcp-sisyphus", "plugin name")
	flag.StringVar(&config.Token, "token", "", "SiYuan API token, of this port and of the target")
	flag.StringVar(&config.AccessCode, "access-code", "", "access code of this port; empty: loopback is administrator")
	flag.StringVar(&config.StorageDir, "storage", "", "folder behind siyuan.storage; empty: a temporary one")
	flag.Var(config.Secrets, "secret", "NAME=VALUE for siyuan.secrets.resolve, repeatable; other names are asked of the target")
	flag.Var(config.Vars, "var", "NAME=VALUE for siyuan.vars.resolve, repeatable; other names are asked of the target")
	flag.Parse()

	if *evalFile != "" {
		os.Exit(evalScript(*evalFile, os.Stdout, os.Stderr))
	}
	if config.Target == "" || config.KernelFile == "" {
		fmt.Fprintln(os.Stderr, "engine: -target and -kernel are required (or -eval FILE)")
		os.Exit(64)
	}
	os.Exit(serve(config))
}

// serve runs until SIGTERM or SIGINT and returns the exit code.
func serve(config Config) int {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT)
	engine, err := startEngine(config)
	if err != nil {
		fmt.Fprintln(os.Stderr, "engine:", err)
		return 1
	}
	line, _ := json.Marshal(map[string]any{
		"apiUrl": engine.baseURL,
		"mcpUrl": engine.baseURL + engine.pluginRoot + "mcp/listen",
		"pid":    os.Getpid(),
		"loadMs": engine.host.loadMs(),
	})
	fmt.Println(string(line))
	<-signals
	engine.stop()
	return 0
}
