// Package oauth makes the server a protected resource of OAuth 2.1: it says which
// authorization server gives out its tokens (RFC 9728), checks an access token, a
// JWT by the server's keys (RFC 9068, RFC 7517) or any token by introspection
// (RFC 7662), and maps its subject to a principal.
//
// It gives out no tokens and signs nobody in. A subject that is not mapped gets
// nothing, and nobody is the owner unless the mapping says so. Only asymmetric
// signatures count. A token is for us only if its audience names this resource.
//
// Start reading at [New] and [Resource.Verify].
package oauth
