# Every target sets up its own virtual environment; nothing else need be installed than Python 3.11 or later.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: check readings mutate test hooks lint bench clean

check: $(READY) ## check the shipped rulebooks and write reports/
	$(BIN)/equipoise check --strict --report reports

readings: $(READY) ## compare the readings of Riftbound, pairs of them too, and write reports/riftbound/readings.md (30 minutes of processor time)
	$(BIN)/equipoise readings riftbound --pairs -f markdown > reports/riftbound/readings.new
	mv reports/riftbound/readings.new reports/riftbound/readings.md

mutate: $(READY) ## change every rule a little, see who notices, and write reports/*/mutation.md (40 minutes of processor time)
	$(BIN)/equipoise mutate riftbound -o reports/riftbound/mutation.json -o reports/riftbound/mutation.md
	$(BIN)/equipoise mutate magic -o reports/magic/mutation.json -o reports/magic/mutation.md

test: $(READY) ## run the test suite
	$(BIN)/python -m pytest -n auto

hooks: $(READY) ## let pre-commit install this repository and run its hooks (a minute, and the package index)
	$(BIN)/python -m pytest -rs tests/ci/installed_hooks.py

lint: $(READY) ## formatting, lint and strict types, tests included
	$(BIN)/ruff check checker tests bench
	$(BIN)/ruff format --check checker tests bench
	$(BIN)/mypy
	$(BIN)/equipoise lint

bench: $(READY) ## time the engines beside SPIN (Debian packages spin and gcc)
	$(BIN)/python -m bench.run

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache build dist

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable . --group dev
	touch $@
