// Log lines of harness and plugin, all on stderr, and the one exit for what would kill SiYuan itself.
package main

import (
	"fmt"
	"os"
	"strings"
	"sync"
)

var logLock sync.Mutex

// logf prints every line of the text with the prefix, whole lines at a time.
func logf(prefix, format string, args ...any) {
	text := strings.TrimRight(fmt.Sprintf(format, args...), "\n")
	logLock.Lock()
	defer logLock.Unlock()
	for _, line := range strings.Split(text, "\n") {
		fmt.Fprintf(os.Stderr, "[%s] %s\n", prefix, line)
	}
}

// crash stands for "the SiYuan process dies here". A variable so that tests can observe it.
var crash = func(reason string) {
	logf("engine", "SiYuan would crash here: %s", reason)
	os.Exit(2)
}
