# The newest Python 3.11+ found on this machine; override with: make PYTHON=/path/to/python
PYTHON ?= $(shell for p in python3.14 python3.13 python3.12 python3.11 python3 python; do \
	command -v $$p >/dev/null 2>&1 && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& { echo $$p; break; }; done)
PORT ?= 8501
# How many run tests at once, and how many drive a browser beside them: those wait for their pages
# more than they work, and work while the others wait. What they say is printed when all is done.
PROCESSES ?= 2
BROWSERS ?= $(PROCESSES)
# How often a browser test that fails is run again; what needed it is listed at the end, as RERUN.
AGAIN ?= 2
VENV := .venv/bin
# Tests make thousands of databases, each of which waits for the disk at every save; not in memory,
# where there is room for them.
MEMORY := $(shell [ -w /dev/shm ] && [ "$$(df -Pk /dev/shm | awk 'NR==2 {print $$4}')" -gt 4000000 ] && echo /dev/shm)
TESTING := $(if $(MEMORY),TMPDIR=$(MEMORY)) $(VENV)/python -m pytest
# Only these are read by the run that drives browsers: each of its processes imports what it reads.
BROWSER_TESTS = $(sort $(shell grep -rl --include='test_*.py' 'pytest\.mark\.e2e' tests))
# Hundreds of processes start in a run of the tests: none of them compiles again what one compiled,
# also where the environment asks Python to keep nothing.
unexport PYTHONDONTWRITEBYTECODE

test: NOT_LONG := and not long
test-long: PROFILE := --hypothesis-profile=long

.PHONY: help run test test-long lint docs tour mutation setup setup-test setup-loaders python

help:
	@echo "make run    set up, load the sample project the first time, serve on http://localhost:$(PORT)"
	@echo "make test   set up and run the tests, $(PROCESSES) at once; PYTEST_ARGS=… runs some"
	@echo "make test-long  every test, also on PostgreSQL, in Korean, and with more examples (hours)"
	@echo "make lint   formatting, linters, layer contract and type checks"
	@echo "make docs   build the pages of docs/ as a site into site/, without a network"
	@echo "make tour   take the pictures of docs/ anew"
	@echo "make setup-loaders  install the tools that load a release, apart from Touchstone"
	@echo "make mutation  change the product in 400 places, and count what the tests notice (hours)"

run: setup
	@$(VENV)/python touchstone.py init --sample
	@$(VENV)/python touchstone.py serve --port $(PORT)

test test-long: setup-test
ifdef PYTEST_ARGS
	@$(TESTING) $(PYTEST_ARGS)
else
	@said=$$(mktemp); beside=; trap 'kill $$beside 2>/dev/null; rm -f "$$said"' EXIT; trap 'exit 130' INT TERM; \
	$(TESTING) -n $(BROWSERS) --dist worksteal --reruns $(AGAIN) -rfERs -m "e2e $(NOT_LONG)" $(BROWSER_TESTS) >"$$said" 2>&1 & beside=$$!; \
	$(TESTING) -n $(PROCESSES) --dist loadfile --no-loadscope-reorder $(PROFILE) -m "not e2e $(NOT_LONG)" --ignore tests/e2e; failed=$$?; \
	wait $$beside || failed=$$?; cat "$$said"; exit $$failed
endif

lint: setup-test
	$(VENV)/ruff format --check .
	$(VENV)/ruff check .
	$(VENV)/lint-imports
	$(VENV)/mypy --num-workers $(PROCESSES) .

docs: setup-test
	@NO_MKDOCS_2_WARNING=1 $(VENV)/mkdocs build --strict --quiet
	@echo "docs: site/index.html; its search needs a server: $(VENV)/python -m http.server -d site"

tour: setup-test
	@TOUCHSTONE_SCREENSHOTS=docs/images $(VENV)/python -m pytest tests/e2e

mutation: setup-test
	@$(if $(MEMORY),TMPDIR=$(MEMORY)) $(VENV)/python -m scripts.mutation --processes $(PROCESSES)

setup: python
	@$(PYTHON) scripts/bootstrap.py run

setup-test: python
	@$(PYTHON) scripts/bootstrap.py test

setup-loaders: python
	@$(PYTHON) scripts/bootstrap.py loaders

python:
	@test -n "$(PYTHON)" || { echo "touchstone: cannot go on. Python 3.11 or newer was not found; install it, or: make PYTHON=/path/to/python"; exit 1; }
