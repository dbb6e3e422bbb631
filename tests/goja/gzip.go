// Gzip on plugin routes whenever the client accepts it, flushed with every flush, named even on empty answers.
package main

import (
	"compress/gzip"
	"net/http"
	"path"
	"slices"
	"strings"
)

var uncompressed = []string{".pdf", ".mp3", ".wav", ".ogg", ".mov", ".weba", ".mkv", ".mp4", ".webm", ".flac"}

// compress returns the writer to use and what to call when the answer is complete.
func compress(w http.ResponseWriter, r *http.Request) (http.ResponseWriter, func()) {
	if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") ||
		strings.Contains(r.Header.Get("Connection"), "Upgrade") ||
		slices.Contains(uncompressed, path.Ext(r.URL.Path)) {
		return w, func() {}
	}
	w.Header().Set("Content-Encoding", "gzip")
	w.Header().Set("Vary", "Accept-Encoding")
	compressed := &gzipWriter{ResponseWriter: w, gzip: gzip.NewWriter(w)}
	return compressed, compressed.finish
}

type gzipWriter struct {
	http.ResponseWriter
	gzip *gzip.Writer
	used bool
}

func (g *gzipWriter) WriteHeader(status int) {
	g.Header().Del("Content-Length")
	g.Header().Set("Content-Encoding", "gzip")
	g.ResponseWriter.WriteHeader(status)
}

func (g *gzipWriter) Write(data []byte) (int, error) {
	if !g.used {
		g.used = true
		g.Header().Del("Content-Length")
	}
	return g.gzip.Write(data)
}

func (g *gzipWriter) Flush() {
	if g.used {
		g.gzip.Flush()
	}
	g.ResponseWriter.(http.Flusher).Flush()
}

func (g *gzipWriter) finish() {
	if g.used {
		g.gzip.Close()
	}
}
