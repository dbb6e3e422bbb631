// The host's global mutex per URL path, with its exemptions by last segment, by prefix, and for WebSockets.
package main

import (
	"net/http"
	"strings"
	"sync"
)

var exemptSegments = []string{"get", "list", "search", "render", "ls"}

var exemptPrefixes = []string{
	"/stage/", "/assets/", "/emojis/", "/plugins/", "/public/", "/snippets/", "/templates/", "/widgets/",
	"/appearance/", "/export/", "/history/", "/api/query/", "/api/search/", "/api/network/", "/api/broadcast/",
	"/api/ai/", "/es/", "/mcp",
}

type pathLocks struct{ byPath sync.Map }

// acquire waits for the path's turn and returns the release. A client that leaves while waiting keeps its place:
// its request still runs, as on the real host.
func (l *pathLocks) acquire(r *http.Request) (release func()) {
	if isWebSocket(r) || isExempt(r.URL.Path) {
		return func() {}
	}
	lock, _ := l.byPath.LoadOrStore(r.URL.Path, &sync.Mutex{})
	mutex := lock.(*sync.Mutex)
	mutex.Lock()
	return mutex.Unlock
}

// isExempt takes the decoded path. A trailing slash makes the last segment empty, hence not exempt.
func isExempt(path string) bool {
	for _, prefix := range exemptPrefixes {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	last := path[strings.LastIndexByte(path, '/')+1:]
	for _, prefix := range exemptSegments {
		if strings.HasPrefix(last, prefix) {
			return true
		}
	}
	return false
}

func isWebSocket(r *http.Request) bool {
	return strings.Contains(strings.ToLower(r.Header.Get("Connection")), "upgrade") &&
		strings.EqualFold(r.Header.Get("Upgrade"), "websocket")
}
