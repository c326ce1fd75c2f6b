package tools

import "github.com/mark3labs/mcp-go/server"

// MCP is the library's server, for clients in the same process.
func MCP(s *Server) *server.MCPServer { return s.mcp }
