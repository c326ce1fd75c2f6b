package tools

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/epagent/epagent/tools/oauth"
)

// comesRight refuses what a web page makes a browser send: a request whose Host is
// not one of ours (DNS rebinding), and one from a page that was not allowed. It
// answers the questions that browsers ask beforehand. It reports whether the
// request goes on.
func (h *HTTP) comesRight(w http.ResponseWriter, r *http.Request) bool {
	if !h.ourHost(r) {
		refuse(w, http.StatusForbidden)
		return false
	}
	origins := r.Header.Values("Origin")
	if len(origins) == 0 {
		return true
	}
	if len(origins) > 1 || !h.ourOrigin(r, origins[0]) {
		// What tells an app where to sign in is for all to read.
		if strings.HasPrefix(r.URL.Path, oauth.PathMetadata) && h.o.OAuth != nil {
			return true
		}
		refuse(w, http.StatusForbidden)
		return false
	}
	header := w.Header()
	header.Set("Access-Control-Allow-Origin", origins[0])
	header.Add("Vary", "Origin")
	header.Set("Access-Control-Expose-Headers", "Mcp-Session-Id, WWW-Authenticate, Retry-After")
	if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
		header.Set("Access-Control-Allow-Methods", "GET, POST, DELETE")
		header.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Accept, Last-Event-ID, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name")
		header.Set("Access-Control-Max-Age", "600")
		w.WriteHeader(http.StatusNoContent)
		return false
	}
	return true
}

// ourHost reports whether a request names a host that this server is: one of the
// names it was given, the address that the connection came in by, or, on a
// loopback connection, any name of the loopback.
func (h *HTTP) ourHost(r *http.Request) bool {
	host := hostName(r.Host)
	if slices.ContainsFunc(h.o.Hosts, func(ours string) bool { return strings.EqualFold(ours, host) }) {
		return true
	}
	local := localAddr(r)
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return local.IsLoopback() && strings.EqualFold(host, "localhost")
	}
	ip = ip.Unmap().WithZone("")
	return local.IsValid() && (ip == local || ip.IsLoopback() && local.IsLoopback())
}

// ourOrigin reports whether scripts of a page may ask: an allowed page, one of the
// server itself, or, on a loopback connection, one of this machine.
func (h *HTTP) ourOrigin(r *http.Request, origin string) bool {
	if slices.Contains(h.o.Origins, origin) {
		return true
	}
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return false // "null" too
	}
	if strings.EqualFold(u.Host, r.Host) && (u.Scheme == "https") == (r.TLS != nil) {
		return true
	}
	host := hostName(u.Host)
	ip, err := netip.ParseAddr(host)
	return localAddr(r).IsLoopback() && (strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback())
}

// hostName is a host without its port and brackets.
func hostName(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		return host
	}
	return strings.Trim(hostport, "[]")
}

// localAddr is the address of this side of the connection; invalid if unknown.
func localAddr(r *http.Request) netip.Addr {
	addr, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return netip.Addr{}
	}
	if tcp, ok := addr.(*net.TCPAddr); ok {
		return tcp.AddrPort().Addr().Unmap().WithZone("")
	}
	return netip.Addr{}
}
