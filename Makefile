# The one list of commands. `make check` is what CI runs (.ci/run).
GO ?= go
LINT = $(GO) tool -modfile=lint.mod

.PHONY: build mcpb test race lint fuzz golden bench check cross

build: ## the binary, without cgo
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags "-s -w" -o epagent ./cmd/epagent

mcpb: build ## a bundle that MCP clients install by a click
	./epagent mcp bundle -o epagent.mcpb

test: ## the tests
	$(GO) test ./...

race: ## the tests under the race detector (needs a C compiler)
	$(GO) test -race ./...

lint: ## formatting, vet, staticcheck
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo "run gofmt -w on these"; exit 1; }
	$(GO) vet ./...
	$(LINT) staticcheck ./...

cross: ## vet for the other systems: compiles there, not tested there
	GOOS=windows GOARCH=amd64 $(GO) vet ./...
	GOOS=darwin GOARCH=arm64 $(GO) vet ./...

fuzz: ## every fuzz target, a few seconds each
	.ci/fuzz 5s

golden: ## write the golden files anew; read the diff before committing
	$(GO) test ./tools ./cmd/epagent -update

bench: ## the benchmarks, with ratios against floors and peers of the same run
	$(GO) test -run '^$$' -bench . -benchtime 1x ./memory/... ./privacy/... ./agent/...
	cd privacy/benchcedar && $(GO) test -run '^$$' -bench .

check: ## everything that CI runs
	.ci/run
