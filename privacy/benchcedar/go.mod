module github.com/epagent/epagent/privacy/benchcedar

go 1.26.0

require (
	github.com/cedar-policy/cedar-go v1.9.2
	github.com/epagent/epagent v0.0.0
)

require (
	github.com/go-json-experiment/json v1.27.2 // indirect
	github.com/goccy/go-yaml v1.19.2 // indirect
	github.com/mtibben/confusables v0.0.0-20210201002637-9d1b0723b659 // indirect
	golang.org/x/exp v0.0.0-20230713183714-613f0c0eb8a1 // indirect
	golang.org/x/text v0.44.0 // indirect
)

replace github.com/epagent/epagent => ../..
