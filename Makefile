# What is downloaded or made goes to node_modules, build, dist, extension/bin and extension/out, which git ignores.

# Runs a command with its temporary files in memory, if the system has room there: most of the time of the
# tests of disk is that of a file system's journal.
in-memory := scripts/in-memory
# One set of flags for programs, tests and checks: each package is compiled once, and once more for the race
# detector, the only one that needs cgo.
export CGO_ENABLED = 0
export GOFLAGS := $(GOFLAGS) -trimpath
# Some tests mostly wait, so the tests of two packages run at a time for each core.
cores := $(shell node -p 'os.availableParallelism()' 2>/dev/null || echo 1)
# Tests make many values that live shortly, so collecting garbage less often saves a tenth of their time. Results are
# never taken from Go's cache (-count=1): it does not know that some tests build the program themselves.
plain = GOGC=400 $(in-memory) go test -count=1 -vet=off -p $(cores) -timeout 40m
# The race detector leaves out SQLite's library, which is C translated to Go: its own memory took more than half of the
# time of these tests. No other package can be left out: the linker could take an atomic value's code from there, and
# the detector would not see what it orders.
race := env CGO_ENABLED=1 GOGC=400 go test -count=1 -vet=off -race -gcflags=modernc.org/sqlite/lib=-race=false
# The packages whose goroutines share something: those that start goroutines or have locks or atomic values. What
# is only computed once (sync.OnceValue) counts for the packages that use it at the same time.
shares := \bgo (func|[a-zA-Z.]+\()|parallel\.(New|With)|sync\.(Mutex|RWMutex|WaitGroup|Map|Pool)|atomic\.
concurrent := go list $$(grep -rlE --include='*.go' --exclude='*_test.go' '$(shares)' server | sed 's|/[^/]*$$||; s|^|./|' | sort -u) ./server/tools/soak
sequential := go list ./... | grep -vxF "$$($(concurrent))"
# Tests of those packages with many trials, one after the other, or of a great size, which takes the race detector
# minutes and shows it nothing more.
long := ^(TestCommitKeepsNames|TestEvery(Operation|Step)MayFail.*|TestExplore.*|TestHistoryAgreesAfterKill|TestKilledAtEveryStep|TestLargeReply|TestManyFilesMayFailAndCrash|TestManyOpenDocuments|TestPowerLoss.*|TestRecoveryMayCrashToo|TestSlowEditorWithManyDocuments)$$
staticcheck := go run honnef.co/go/tools/cmd/staticcheck@v0.8.2
# The functions that the program never calls; a tool or a test may call them, so the compiler cannot say.
deadcode := GOOS=linux go run golang.org/x/tools/cmd/deadcode@v0.52.0 ./server/cmd/aptix
target := $(shell node -p 'process.platform + "-" + process.arch' 2>/dev/null)

.PHONY: run test check test-long test-race build gen lint test-go test-plain test-raced host test-slow test-windows test-neovim test-extension test-browser test-release fuzz mutate bench bench-go measure matrix package release local-package screenshot pictures system tools
.NOTPARALLEL:

# Opens the sample workspace in an editor with the packaged extension.
run: local-package
	node scripts/run.mjs

# Everything, in some trials: `make test-long` makes more, and `make test-race` uses the race detector for all. The tests
# in editors mostly wait, so they run beside those that compute.
test: export APTIX_POSTGRES = required
test: system lint
	scripts/at-once '$(MAKE) test-go' '$(MAKE) test-neovim test-extension'
	scripts/at-once '$(MAKE) test-browser' '$(MAKE) test-release'

# The quick part, for each change: every case goes through the engine and the command line.
check: lint
	APTIX_QUICK=1 $(in-memory) go test -vet=off -p $$((2 * $(cores))) ./...

build: node_modules
	go build -ldflags "-X main.version=$$(node -p 'require("./extension/package.json").version')" -o extension/bin/aptix$$(go env GOEXE) ./server/cmd/aptix
	node scripts/bundle.mjs

# Writes what is generated from Go: the protocol in TypeScript, the settings, the documentation.
gen: tools
	go run ./server/tools/gen

# deadcode uses one core most of the time, so it runs beside the other checks.
lint: node_modules
	test -z "$$(gofmt -l protocol server extension/chat | tee /dev/stderr)"
	mkdir -p build; $(deadcode) >build/deadcode & dead=$$!; \
	  go vet ./... && $(staticcheck) ./... && node_modules/.bin/tsc -p extension && node_modules/.bin/biome ci; status=$$?; \
	  wait $$dead && test $$status = 0 && test -z "$$(tee /dev/stderr <build/deadcode)"

# A package whose goroutines share something is tested once, with the race detector; only its long tests are made
# without it. plan, which counts allocations, is tested both ways. `go vet` is a part of lint.
test-go: tools
	scripts/at-once '$(MAKE) test-raced' '$(MAKE) test-plain'

# What takes longest is named first, so that it starts first.
test-plain: tools
	$(plain) -run '$(long)' ./server/internal/disk ./server/internal/lspserver
	$(plain) ./server/tools/casetest ./server/internal/convert ./server/internal/plan $$($(sequential))

test-raced: tools
	APTIX_QUICK=1 $(in-memory) $(race) -p $(cores) -timeout 40m -skip '$(long)' ./server/internal/lspserver $$($(concurrent))
	$(in-memory) $(race) -timeout 40m ./server/tools/casetest -run '^TestCases$$' -sample 10

# All Go tests with all trials, a release of the size that ships, and `go vet` for other systems: for each night.
test-long: tools
	APTIX_LONG=1 $(in-memory) go test -timeout 180m ./...
	APTIX_LONG=1 $(MAKE) test-release
	GOOS=windows go vet ./...
	GOOS=darwin go vet ./...

# All Go tests with the race detector, and every case through all front ends: two hours on a small machine.
test-race: tools
	$(in-memory) $(race) -timeout 180m ./...
	$(in-memory) $(race) -timeout 180m ./server/tools/casetest -run 'TestCases/.*'

# The tests of an editor that really takes ten seconds for each step; elsewhere their clock skips that time.
test-slow: tools
	APTIX_LONG=1 APTIX_SLOW=real go test -parallel 200 -timeout 180m -run 'TestSlow|TestWaitForTheEditor|TestGiveUpWaiting' ./server/internal/lspserver ./server/tools/casetest

# The Windows build of the Go tests and of all cases, with Wine: TESTS='./server/internal/disk' for some of them.
test-windows: tools
	node scripts/test-windows.mjs $(TESTS)

# The language server in a second editor.
test-neovim: system
	go test -count=1 -tags neovim ./server/tools/neovimtest

# The VS Code of the tests.
host: node_modules
	node scripts/install-host.mjs

# Mocha inside the extension host of a real VS Code.
test-extension: build system host
	$(in-memory) node scripts/test-extension.mjs

# The packaged extension, used as a person does; FILES names some of the files in extension/test/browser. With
# SCREENSHOTS=1, the tests take pictures on the way, in build/screenshots.
test-browser: local-package system host
	$(in-memory) node scripts/test-browser.mjs $(FILES)

# A whole release for this system, twice, from two clones of what is committed. It compresses less than one that ships.
test-release: node_modules
	$(in-memory) go test -count=1 -tags release -run TestReproducible -timeout 20m ./server/tools/release

# One minute for each fuzz target, or FUZZTIME.
fuzz: tools
	scripts/fuzz

# Plants bugs, one at a time, and wants each to be caught by a test.
mutate: tools
	go run ./server/tools/mutate

# What becomes of edits that models wrote and of damaged diffs; APTIX_PEERS names a folder
# with clones of public repositories.
measure: build
	go run ./server/tools/measure -write docs/matching.md

# What comes of texts that went through something, in every notation; written to docs/matching.md.
matrix: tools
	go test ./server/tools/casetest -run 'TestTextMatrix' -count=1 -v -args -write-matrix

# Whole commands beside git apply, or a program that only reads and writes the same bytes.
# BENCH=REGEXP picks works, ROUNDS=N repeats them, APTIX_BASE=FILE adds a second aptix;
# BENCHFLAGS=-write writes the table and the curves into docs/performance.md; -growth
# measures the curves alone, BENCHFLAGS='-growth -write' writes them.
bench: tools
	@go run ./server/tools/benchtable $(BENCHFLAGS)

bench-go: tools
	go test -run '^$$' -bench . -benchmem ./...

# One .vsix for each platform, in dist.
package: build
	node scripts/package.mjs

# All files of a release in dist/release; RELEASEFLAGS='-only linux/amd64' makes those for one system.
release: build
	go run ./server/tools/release $(RELEASEFLAGS)

# Larger than a release's, and made in seconds.
local-package: build
	node scripts/package.mjs --quality 7 $(target)

# The picture of docs/vscode.md.
screenshot: export SCREENSHOTS = 1
screenshot: test-browser
	mkdir -p docs
	cp build/screenshots/reply.png docs/screenshot.png

# The pictures of the walkthrough and of the extension's page; pngquant makes them small.
pictures: local-package system host
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
