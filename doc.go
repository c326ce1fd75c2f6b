// Package epagent holds no code. It is the root of the module: the command is in
// cmd/epagent, the library in agent. The test beside this file holds the direction
// of imports (ARCHITECTURE.md).
package epagent
