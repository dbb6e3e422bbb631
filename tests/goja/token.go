// Plugin tokens: HS256 JWTs under a per-process key that can be replaced, which kills every token minted before.
package main

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
	"sync"
)

type tokenKeys struct {
	lock sync.RWMutex
	key  []byte
}

func (k *tokenKeys) rotate() {
	key := make([]byte, 32)
	rand.Read(key)
	k.lock.Lock()
	k.key = key
	k.lock.Unlock()
}

// mint returns an administrator token without expiry for the plugin.
func (k *tokenKeys) mint(plugin string) string {
	header, _ := json.Marshal(map[string]string{"alg": "HS256", "typ": "JWT"})
	claims, _ := json.Marshal(map[string]any{
		"iss": "siyuan-kernel", "sub": plugin, "aud": []string{"siyuan-kernel-plugin"}, "role": 0,
	})
	signed := base64.RawURLEncoding.EncodeToString(header) + "." + base64.RawURLEncoding.EncodeToString(claims)
	return signed + "." + k.sign(signed)
}

func (k *tokenKeys) valid(token string) bool {
	cut := strings.LastIndexByte(token, '.')
	return cut > 0 && hmac.Equal([]byte(token[cut+1:]), []byte(k.sign(token[:cut])))
}

func (k *tokenKeys) sign(text string) string {
	k.lock.RLock()
	defer k.lock.RUnlock()
	mac := hmac.New(sha256.New, k.key)
	mac.Write([]byte(text))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}
