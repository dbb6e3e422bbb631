// Notices a changed file by polling; a rename over it and a write into it both count.
package main

import (
	"context"
	"os"
	"time"
)

const watchInterval = 100 * time.Millisecond

// watchFile calls changed after every difference in identity, time or size. A missing file is waited for.
func watchFile(ctx context.Context, file string, changed func()) {
	before, _ := os.Stat(file)
	ticker := time.NewTicker(watchInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		now, err := os.Stat(file)
		if err != nil {
			continue
		}
		if before == nil || !os.SameFile(before, now) || !now.ModTime().Equal(before.ModTime()) || now.Size() != before.Size() {
			before = now
			changed()
		}
	}
}
