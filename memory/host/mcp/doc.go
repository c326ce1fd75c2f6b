// Package mcp is the native host of a memory that another program keeps: an MCP memory
// server, so far the official @modelcontextprotocol/server-memory, over stdio. It is
// read and never written.
//
// Such a memory is a graph of entities with observations and relations. It knows no
// sessions, no times and nobody who said anything. So each entity stands for a session
// without a date, and each observation and relation is one statement of it, said by
// nobody; they come into the sidecar as they stand ([Host.Feed]), where each becomes a
// fact with marks of its own. The server gives no scores either, see [Host.Search].
//
// The server knows no recipients. It is asked in the owner's view only; what a
// recipient gets is ranked and judged by the sidecar alone.
package mcp
