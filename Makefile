# Leuthen. `make help` tells what there is; README.md has the rest.
PY := .venv/bin/python
NEEDS := pyproject.toml constraints.txt tools/setup.sh
ARGS ?=
JOBS ?= 2

.DEFAULT_GOAL := help
.PHONY: help setup play serve test test-postgres check cover bench kill cluster prove browsers pictures golden judge pars train map format release site

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*  ## /\1\t/p' Makefile | sort | awk -F '\t' '{printf "  make %-14s %s\n", $$1, $$2}'

.venv/.play: $(NEEDS)
	@sh tools/setup.sh play

.venv/.dev: $(NEEDS) tools/package.json
	@sh tools/setup.sh dev
	@touch .venv/.play

setup: .venv/.dev  ## makes .venv and installs the game and its tools into it
	@echo 'ready: make play starts a game, make test runs the tests'

play: .venv/.play  ## opens the table in the browser, or says where it is (ARGS="--port 9000" and so on)
	@$(PY) -m leuthen serve --open $(ARGS)

serve: .venv/.play  ## serves the table, for other machines too with ARGS="--host 0.0.0.0"
	@$(PY) -m leuthen serve $(ARGS)

test: .venv/.dev  ## runs the tests, of the slow ones a sixteenth; `make check` runs all (ARGS="-k dice")
	@LEUTHEN_SAMPLE=1 $(PY) -m pytest -n $(JOBS) --dist loadfile $(ARGS)

check: .venv/.dev  ## checks format, lint, wording, types (the client's too) and imports, and runs every test
	@$(PY) -m ruff format --check .
	@$(PY) -m ruff check .
	@$(PY) -m mypy -p leuthen
	@$(PY) -m mypy tests bench tools mapmaking examples/fords/fords
	@.venv/bin/lint-imports --no-cache
	@$(PY) -m tools.node biome ci
	@$(PY) -m tools.node tsc -p jsconfig.json
	@$(PY) -m pytest -n $(JOBS) $(ARGS)

format: .venv/.dev  ## formats the code and mends what the linter can
	@$(PY) -m ruff format .
	@$(PY) -m ruff check --fix .
	@$(PY) -m tools.node biome check --write

bench: .venv/.dev  ## measures speed, every figure beside a calibration loop
	@$(PY) -m bench $(ARGS)

kill: .venv/.dev  ## kills games and servers at a hundred instants, and looks what is left
	@LEUTHEN_KILLS=100 LEUTHEN_SERVER_KILLS=100 $(PY) -m pytest -n $(JOBS) tests/test_kill.py tests/server/test_kill.py $(ARGS)

test-postgres: .venv/.dev  ## starts a PostgreSQL of its own, and runs the tests of the server on it
	@LEUTHEN_TESTED_ON=postgres $(PY) -m pytest -n $(JOBS) \
		tests/storage $$(grep -L 'sqlite\|Served\|put_old\|rig(' tests/server/test_*.py) \
		--deselect tests/server/test_health.py::test_a_server_without_its_folder_refuses_orders \
		--deselect tests/server/test_games.py::test_the_database_stores_secrets_as_hashes $(ARGS)

cover: .venv/.dev  ## measures which lines the tests run, and fails where they are fewer than they were
	@$(PY) -m coverage erase
	@LEUTHEN_SCHEMA_EXAMPLES=20 $(PY) -m coverage run -m pytest -n $(JOBS) --ignore=tests/browser --ignore=tests/prove $(ARGS)
	@$(PY) -m coverage combine -q
	@$(PY) -m coverage report --skip-covered --sort=cover --fail-under=96

cluster: .venv/.dev  ## installs Ray and Parquet, and tests games over many machines
	@sh tools/setup.sh cluster
	@$(PY) -m pytest -n 0 -W default tests/cluster/on_ray.py $(ARGS)

prove: .venv/.dev  ## runs the slower proofs, from where they were stopped (ARGS="frederick-random --parts 50")
	@$(PY) -m tests.prove $(ARGS)

browsers: .venv/.dev  ## tries the table in Firefox and WPE WebKit (Debian: firefox-esr, wpewebkit-driver, cog)
	@$(PY) -m tests.browser.elsewhere $(ARGS)

pictures: .venv/.dev  ## takes the pictures of the table's pages anew
	@$(PY) -m tools.pictures $(ARGS)

golden: .venv/.dev  ## renews the golden games and counts, after a change of the rules that is meant (WHY="…")
	@$(PY) -m tests.golden "$(WHY)"

judge: .venv/.dev  ## compares every answer of ten games over HTTP and 10,000 decisions of the bots with those on file
	@$(PY) -m tests.judge check $(ARGS)

pars: .venv/.dev  ## plays the scenarios and makes their pars and the table of docs/scenarios.md anew (ARGS="--games 150 --jobs 2")
	@$(PY) -m tools.pars $(ARGS)

train: .venv/.dev  ## plays the machine against itself and fits the learned value of positions anew (ARGS="--games 2000")
	@$(PY) -m tools.train $(ARGS)

map: .venv/.dev  ## makes and audits the data of the board anew, and draws its sheets
	@$(PY) -m mapmaking.make
	@$(PY) -m mapmaking.audit

site: .venv/.dev  ## builds the documentation in build/site
	@$(PY) -m tools.site $(ARGS)

release: .venv/.dev  ## builds sdist and wheel into dist/, after the wheel has been used alone in an empty environment
	@$(PY) -m tools.release $(ARGS)
