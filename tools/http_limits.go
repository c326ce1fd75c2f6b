package tools

import "time"

// Limits bound what clients of the HTTP server may take. A zero field has its
// default.
type Limits struct {
	Body        int64         // bytes of a request's body; default: 4 MiB
	Header      int           // bytes of its header; default: 32 KiB
	Rate        float64       // requests a second of one principal; default: 500
	Burst       int           // of these at once; default: 1000
	Calls       int           // calls of one principal in flight; default: 64
	Streams     int           // streams of one principal; default: 16
	Sessions    int           // of one principal; default: 32
	AllSessions int           // of all principals; default: 1000
	Idle        time.Duration // a session that nobody uses ends; default: 30 min
	Read        time.Duration // for a request to arrive; default: 30 s
	Write       time.Duration // for a client to take a part of an answer; default: 30 s
	Grace       time.Duration // for calls in flight when the server ends; default: 10 s
	Watch       time.Duration // how often tokens of open streams are looked at again; default: 1 s
}

func (l Limits) withDefaults() Limits {
	return Limits{
		Body:        orDefault(l.Body, maxLine),
		Header:      orDefault(l.Header, 32<<10),
		Rate:        orDefault(l.Rate, 500),
		Burst:       orDefault(l.Burst, 1000),
		Calls:       orDefault(l.Calls, 64),
		Streams:     orDefault(l.Streams, 16),
		Sessions:    orDefault(l.Sessions, 32),
		AllSessions: orDefault(l.AllSessions, 1000),
		Idle:        orDefault(l.Idle, 30*time.Minute),
		Read:        orDefault(l.Read, 30*time.Second),
		Write:       orDefault(l.Write, 30*time.Second),
		Grace:       orDefault(l.Grace, 10*time.Second),
		Watch:       orDefault(l.Watch, time.Second),
	}
}

func orDefault[T int | int64 | float64 | time.Duration](value, byDefault T) T {
	if value <= 0 {
		return byDefault
	}
	return value
}
