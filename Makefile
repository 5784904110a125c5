# `make run` and `make test` are all a fresh machine needs; each makes or renews the virtual environment first.

VENV := .venv
BIN := $(VENV)/bin
SYSTEM_PYTHON := /usr/bin/python3

# On a Raspberry Pi the camera (picamera2) and the pins (lgpio) come from apt and belong to the system's own Python:
# there the environment is built on that Python and sees its packages.
HAS_PI_PACKAGES := $(shell $(SYSTEM_PYTHON) -c 'import importlib.util as u; print("yes" if u.find_spec("picamera2") or u.find_spec("lgpio") else "")' 2>/dev/null)

ifeq ($(HAS_PI_PACKAGES),yes)
PYTHON ?= $(SYSTEM_PYTHON)
VENV_OPTIONS := --system-site-packages
else
FITS := import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))
PYTHON ?= $(or $(shell for p in python3 python3.13 python3.12 python3.11; do $$p -c '$(FITS)' 2>/dev/null && echo $$p && break; done),python3)
VENV_OPTIONS :=
endif

# Only wheels that the lock has the hashes of: a source package would run its own set-up, and fetch unchecked tools for it.
PIP_INSTALL := PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/python -m pip install --quiet
CHECKED := --require-hashes --only-binary :all: --requirement
# Compiled as Boardside installs itself, if there is a compiler.
COMPILED := companion/hints/checkers_search.c companion/hints/checkers_endings.h companion/hints/checkers_moves.h
ITSELF := --no-deps --no-build-isolation --editable .
# Half a second of the first start, several on a Pi.
TO_BYTECODE := $(BIN)/python -m compileall -q companion hardware vision web
# The same settings as in systemd/boardside.service.
LESS_MEMORY := MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=2097152 MALLOC_TRIM_THRESHOLD_=1048576 NUMPY_MADVISE_HUGEPAGE=0
# A process a core; the tests of a file stay together, so that what they share is made once.
PARALLEL := --numprocesses=logical --dist=loadfile --no-loadscope-reorder

COMPILE := build/lock/bin/uv pip compile --quiet pyproject.toml --universal --python-version 3.11 --fork-strategy fewest \
  --generate-hashes --no-annotate --custom-compile-command "make lock"

RUN_STAMP := $(VENV)/.boardside-run
DEV_STAMP := $(VENV)/.boardside-dev

.PHONY: help run venv test tests test-fast test-slow lint style types bench lock install rollback uninstall clean

help:
	@echo "make run        play at http://localhost:8000 (PYTHON=python3.12 picks a Python)"
	@echo "make test       the checks and tests        make test-fast  the tests without a browser"
	@echo "make test-slow  long sweeps besides"
	@echo "make lint       the checks alone            make bench      speed and accuracy tables"
	@echo "make lock       renew both locks            make clean      remove what was built here"
	@echo "sudo make install / rollback / uninstall   Boardside as a service of this machine"

run: $(RUN_STAMP)
	@$(LESS_MEMORY) $(BIN)/boardside

venv: $(DEV_STAMP)

lint: style types

style: $(DEV_STAMP)
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(DEV_STAMP)
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

tests: $(DEV_STAMP)
	$(BIN)/pytest $(PARALLEL) -m "not slow"

# The types are checked beside the tests, which do not keep every core busy; `make test` fails if either does.
test: style
	@$(MAKE) --no-print-directory --jobs=2 types tests

test-fast: $(DEV_STAMP)
	$(BIN)/pytest $(PARALLEL) -m "not slow and not browser"

test-slow: $(DEV_STAMP)
	$(BIN)/pytest $(PARALLEL) -m slow

bench: $(DEV_STAMP)
	$(BIN)/python benchmarks/run_all.py

install:
	@sh systemd/install.sh

rollback:
	@sh systemd/install.sh rollback

uninstall:
	@sh systemd/uninstall.sh

# Pins, with hashes, what a fresh environment gets today, and looks whether every Python and processor finds its wheels.
# The oldest Python decides the versions, which are the same for all.
lock:
	rm -rf build/lock
	$(PYTHON) -m venv build/lock
	build/lock/bin/python -m pip install --quiet uv
	$(COMPILE) --upgrade --extra dev --output-file requirements-dev.lock
	$(COMPILE) --constraint requirements-dev.lock --output-file requirements.lock
	for processor in x86_64 aarch64; do for python in 3.11 3.12 3.13; do \
	  build/lock/bin/uv pip install --quiet --dry-run --target build/lock/none --require-hashes --only-binary :all: \
	  --python-platform $$processor-manylinux_2_28 --python-version $$python --requirement requirements-dev.lock || exit 1; done; done
	rm -rf build/lock

clean:
	rm -rf $(VENV) build dist *.egg-info companion/hints/*.so .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

# An environment that is missing, half made, or whose Python has gone with a system upgrade is made afresh.
define make_environment
	@command -v $(PYTHON) >/dev/null || { echo "Boardside cannot start: there is no $(PYTHON)."; echo "To mend it: sudo apt install python3 python3-venv"; exit 1; }
	@PYTHONDONTWRITEBYTECODE=1 $(PYTHON) -m companion.preflight python
	@echo "Setting up $(VENV) (the first time it takes a minute or two) ..."
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV_OPTIONS) $(VENV)
endef

$(RUN_STAMP): pyproject.toml requirements.lock $(COMPILED)
	$(make_environment)
	@$(PIP_INSTALL) $(CHECKED) requirements.lock
	@$(PIP_INSTALL) $(ITSELF)
	@$(TO_BYTECODE)
	@$(BIN)/python -m companion.preflight packages
	@touch $@

$(DEV_STAMP): pyproject.toml requirements-dev.lock $(COMPILED)
	$(make_environment)
	@$(PIP_INSTALL) $(CHECKED) requirements-dev.lock
	@$(PIP_INSTALL) $(ITSELF)
	@$(TO_BYTECODE)
	@$(BIN)/python -m companion.preflight packages
	@touch $(RUN_STAMP) $@
