# Everything that CI runs, by the same names. Each target makes what it needs first: a virtual environment in .venv
# with this project and its tools, once, and again when pyproject.toml changes. Needs make and Python 3.11 or newer.

SHELL := /bin/sh
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
STORE := build/chidev.db
OURS := docs ops/record.py examples/demo.py conftest.py

# A project of ours is installed nowhere else: what the caller has on these paths would hide it.
unexport PYTHONPATH PYTEST_ADDOPTS PYTEST_PLUGINS

.PHONY: help setup demo test lint types layers tests docs store record reference clean

help:
	@echo "make demo       what it is for, on examples/pricing"
	@echo "make test       all that CI runs: lint types layers tests docs"
	@echo
	@echo "make lint       ruff: rules and format"
	@echo "make types      mypy, strict"
	@echo "make layers     import contracts"
	@echo "make tests      the test suite, with its own promises checked"
	@echo "make docs       the reference is up to date, and the site builds"
	@echo
	@echo "make reference  write docs/reference from the code"
	@echo "make store      make the store of our own promises from ops/ ($(STORE))"
	@echo "make record     record which tests stand for which promises (ops/30-harnesses.jsonl)"
	@echo "make setup      only the virtual environment"
	@echo "make clean      remove what was made"

# The first of these that is there and new enough; PYTHON=... says another.
$(READY): pyproject.toml
	@found=""; \
	for python in $(PYTHON) python3 python3.13 python3.12 python3.11; do \
	  if $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then found=$$python; break; fi; \
	done; \
	if [ -z "$$found" ]; then \
	  echo "make: no Python 3.11 or newer is on the path (python3 is `python3 --version 2>&1`)." >&2; \
	  echo "make: install one, or name it: make PYTHON=/path/to/python3.13 ..." >&2; \
	  exit 1; \
	fi; \
	echo "making $(VENV) with `$$found --version`, once"; \
	$$found -m venv --clear $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=23"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[test,lint,docs]"
	@touch $@

setup: $(READY)

demo: $(READY)
	@$(BIN)/python examples/demo.py

test: lint types layers tests docs
	@echo "make test: all of it passed"

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy
	$(BIN)/mypy $(OURS)
	cd examples/pricing && "$(CURDIR)/$(BIN)/mypy" --strict pricing tests

layers: $(READY)
	$(BIN)/lint-imports

tests: store
	$(BIN)/pytest --chidev-check

docs: $(READY)
	$(BIN)/python docs/generate.py --check
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet --site-dir build/site

# chidev.toml says that the store is in build/: it is derived from ops/ and made anew each time.
store: $(READY)
	@mkdir -p build
	@rm -f $(STORE) $(STORE)-wal $(STORE)-shm
	@cat ops/*.jsonl | $(BIN)/chidev exec > build/ops.answers || { \
	  grep '"ok":false' build/ops.answers; \
	  echo "make: a line of ops/ was refused; if a marked test or what it cites has moved or gone: make record" >&2; \
	  exit 1; \
	}

record: $(READY)
	@$(BIN)/python ops/record.py

reference: $(READY)
	$(BIN)/python docs/generate.py

clean:
	rm -rf $(VENV) build site .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
