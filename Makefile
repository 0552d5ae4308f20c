# SPDX-License-Identifier: MIT
# Everything needs Python 3.11+, make and git; the rest is installed into .venv, pinned.
PYTHON ?= python3
BIN := .venv/bin
VENV := .venv/installed
VM := .venv/pico/node_modules/.package-lock.json
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: run test soak lint clean help

help:  ## this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

run: $(VENV)  ## the simulator: a table on a terminal, else a demo round
	@if [ -t 0 ] && [ -t 1 ]; then $(BIN)/python -m host_sim play; else $(BIN)/python -m host_sim demo; fi

test: $(VENV) $(VM) lint  ## every test, the table scripts among them
	$(BIN)/python -m pytest -n auto --dist worksteal

soak: $(VENV)  ## every house, set and number of players, with a referee beside the hub; some minutes
	$(BIN)/python -m host_sim soak --long

lint: $(VENV)
	$(BIN)/ruff check .

$(VENV): requirements.txt requirements-no-deps.txt
	@echo "setting up .venv"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Roundhouse needs Python 3.11 or newer; set PYTHON=... to one")'
	@$(PYTHON) -m venv .venv
	@$(PIP) -r requirements.txt
	@$(PIP) --no-deps -r requirements-no-deps.txt
	@touch $@

$(VM): $(wildcard tests/micropython/package*.json host_sim/pico/package*.json) $(VENV)
	@echo "setting up the MicroPython VM and the emulated Pico"
	@$(BIN)/python -m host_sim.node

clean:  ## remove what was installed and built
	rm -rf .venv build .pytest_cache .ruff_cache .hypothesis
