# Each target is one call of bootstrap.py, which needs nothing but Python 3.11 or newer;
# without make, `python3 bootstrap.py run` and `python3 bootstrap.py test` do the same.
PYTHON ?= python3

.PHONY: help run test check bench fuzz mutate truth docs tables screenshots audit lock clean

help:
	@echo "make run          set everything up and open the sample (no display: draw it to build/first-picture.png)"
	@echo "make test         set everything up, check the style and the types, run all tests"
	@echo "make check        the style and type checks only"
	@echo "make bench        measure the engine, the charts and the readers of logs, and print the ratios"
	@echo "make fuzz         change files at random, for an hour, and see what their readers make of them"
	@echo "make mutate       put faults into the program, one at a time, and count which of them the tests catch"
	@echo "make truth        run a real Spark on 16 kinds of applications, for 30 minutes, and see how far predictions are off"
	@echo "make docs         build the manual to build/manual/index.html"
	@echo "make tables       write the tables of the manual that are made from the program"
	@echo "make screenshots  perform what the manual tells and draw its pictures"
	@echo "make audit        ask whether a package that we install has a known fault"
	@echo "make lock         choose the packages of requirements/ after pyproject.toml has changed"
	@echo "make clean        remove the environment and everything built"

run test check bench fuzz mutate truth docs tables screenshots audit lock:
	@$(PYTHON) bootstrap.py $@

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
