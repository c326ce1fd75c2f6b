package tools

// Principal is who speaks over a connection. The zero value is nobody, for whom no
// server is made. Only how a connection comes about (a flag of the process, a
// token) chooses one; no argument of a tool does.
type Principal struct {
	kind principalKind
}

type principalKind uint8

const (
	nobody principalKind = iota
	owner
)

// Owner is the person whose memory it is: every tool is theirs.
func Owner() Principal { return Principal{kind: owner} }

// String returns "owner" or "nobody"; it is fit for a log.
func (p Principal) String() string {
	if p.kind == owner {
		return "owner"
	}
	return "nobody"
}
