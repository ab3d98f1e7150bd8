# What is downloaded or made goes to node_modules, build, dist, extension/bin and extension/out, which git ignores.

staticcheck := go run honnef.co/go/tools/cmd/staticcheck@v0.8.2
target := $(shell node -p 'process.platform + "-" + process.arch' 2>/dev/null)

.PHONY: run test build gen lint test-go test-windows test-neovim test-extension test-browser test-release fuzz mutate bench bench-go measure package release local-package screenshot pictures system tools
.NOTPARALLEL:

# Opens the sample workspace in an editor with the packaged extension.
run: local-package
	node scripts/run.mjs

# Nothing is skipped here.
test: export APTIX_POSTGRES = required
test: system lint test-go test-neovim test-extension test-browser test-release

build: node_modules
	CGO_ENABLED=0 go build -trimpath -ldflags "-X main.version=$$(node -p 'require("./extension/package.json").version')" -o extension/bin/aptix$$(go env GOEXE) ./server/cmd/aptix
	node scripts/bundle.mjs

# Writes what is generated from Go: the protocol in TypeScript, the settings, the documentation.
gen: tools
	go run ./server/internal/gen

lint: node_modules
	test -z "$$(gofmt -l protocol server extension/chat | tee /dev/stderr)"
	go vet ./...
	GOOS=windows CGO_ENABLED=0 go vet ./...
	GOOS=darwin CGO_ENABLED=0 go vet ./...
	$(staticcheck) ./...
	node_modules/.bin/tsc -p extension
	node_modules/.bin/biome ci

test-go: tools
	go test -race -timeout 40m ./...

# The Windows build of the Go tests and of all cases, with Wine: TESTS='./server/internal/disk' for some of them.
test-windows: tools
	node scripts/test-windows.mjs $(TESTS)

# The language server in a second editor.
test-neovim: system
	go test -tags neovim ./server/internal/neovimtest

# Mocha inside the extension host of a real VS Code.
test-extension: build system
	node scripts/install-host.mjs
	node scripts/test-extension.mjs

# The packaged extension, used as a person does; FILES names some of the files in extension/test/browser.
test-browser: local-package system
	node scripts/install-host.mjs
	node scripts/test-browser.mjs $(FILES)

# A whole release for this system, twice, from two clones of what is committed.
test-release: node_modules
	go test -tags release -timeout 20m ./server/internal/release

# One minute for each fuzz target, or FUZZTIME.
fuzz: tools
	scripts/fuzz

# Plants bugs, one at a time, and wants each to be caught by a test.
mutate: tools
	go run ./server/internal/mutate

# What becomes of edits that models wrote and of damaged diffs; APTIX_PEERS names a folder
# with clones of public repositories.
measure: build
	go run ./server/internal/measure -write docs/matching.md

# Whole commands beside git apply, or a program that only reads and writes the same bytes.
# BENCH=REGEXP picks works, ROUNDS=N repeats them, APTIX_BASE=FILE adds a second aptix;
# BENCHFLAGS=-write writes the table and the curves into docs/performance.md; -growth
# measures the curves alone, BENCHFLAGS='-growth -write' writes them.
bench: tools
	@go run ./server/internal/benchtable $(BENCHFLAGS)

bench-go: tools
	go test -run '^$$' -bench . -benchmem ./...

# One .vsix for each platform, in dist.
package: build
	node scripts/package.mjs

# All files of a release in dist/release; RELEASEFLAGS='-only linux/amd64' makes those for one system.
release: build
	go run ./server/internal/release $(RELEASEFLAGS)

# Larger than a release's, and made in seconds.
local-package: build
	node scripts/package.mjs --quality 7 $(target)

# The picture of the README.
screenshot: test-browser
	mkdir -p docs
	cp build/screenshots/reply.png docs/screenshot.png

# The pictures of the walkthrough and of the extension's page; pngquant makes them small.
pictures: local-package system
	node scripts/install-host.mjs
	PICTURES=dark node --test --test-reporter=spec extension/test/browser/walkthrough.test.mjs
	PICTURES=light node --test --test-reporter=spec extension/test/browser/walkthrough.test.mjs
	pngquant --force --ext .png --strip --skip-if-larger extension/walkthrough/*.png

node_modules: package.json package-lock.json .npmrc | tools
	npm ci
	touch $@

# Chromium and Neovim for the tests with real editors, PostgreSQL for those of shared file sets.
system: node_modules
	node scripts/install-system.mjs

tools:
	@command -v go >/dev/null || { echo 'Aptix is built with Go, which is not on the PATH: https://go.dev/dl/'; exit 1; }
	@command -v npm >/dev/null || { echo 'Aptix is built with Node.js 20 or later, and npm is not on the PATH: https://nodejs.org/'; exit 1; }
	@node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' || { echo "Aptix is built with Node.js 20 or later; this is $$(node --version)"; exit 1; }
