# The short names of what one does with this repository. `make help` lists them.
# Every target first installs what it needs and that is missing (tools/set_up.sh).

JOBS ?= $(shell nproc)
# Seconds for each fuzzer.
FUZZ_SECONDS ?= 60
CTEST := ctest --output-on-failure --timeout 600 -j$(JOBS)
CONFIGURE := cmake > /dev/null --preset
# The Python module, for the Python of .venv.
WITH_PYTHON := -D STICTION_PYTHON=ON -D Python_EXECUTABLE=$(CURDIR)/.venv/bin/python

.DEFAULT_GOAL := help
.PHONY: run viewer test python bench race soak sanitize clang format clean help

run: ## simulate forty bodies that fall into a box for five seconds, and write them as a page
	@tools/set_up.sh build
	@test -f build/build.ninja || $(CONFIGURE) release -D STICTION_TESTS=OFF
	@tools/build_viewer.sh & page=$$!; cmake --build build -j$(JOBS) --target stiction_cli && wait $$page
	@echo "Forty bodies fall into a box, for five seconds of simulated time:"
	build/bin/stiction run clutter --time 5 --record build/clutter.mcap --html build/clutter.html
	@echo "See it: open build/clutter.html in a browser, for example with xdg-open build/clutter.html"
	@echo "Live:   build/bin/stiction view clutter"

viewer: ## build the viewer's page, build/viewer/viewer.html
	@tools/build_viewer.sh

test: build-tests ## build everything, run all tests, print the figures they measure
	@echo "Order of the time stepping schemes (errors at h, h/2, h/4):"
	@build/bin/stiction_tests --gtest_filter='*EveryScheme*' | sed -n 's/^\[ order *\]/ /p'
	@rm -f build/oracle.log
	@$(CTEST) --output-junit tests.xml --test-dir build || { python3 tools/test_budget.py build/tests.xml; exit 1; }
	@sed -n 's/^\[  PASSED  \] \([0-9]*\) tests*\.$$/\1/p' build/Testing/Temporary/LastTest.log | \
	  awk '{ n += $$1 } END { print n " C++ tests passed in the parts of library" }'
	@echo "Inverse mass of contacts on robots, rest and creep of a standing one, order of the steps of a robot:"
	@sed -n -E -e 's/^\[ (inverse mass|rest depth|creep) *\]/  \1:/p' \
	  -e 's/^\[ (order) *\] *((arm with muscles|pendulum on compliant).*)/  \1: \2/p' build/Testing/Temporary/LastTest.log
	@echo "Friction with the normal force of the same step (icf_coupled):"
	@sed -n 's/^\[ coupled *\]/ /p' build/Testing/Temporary/LastTest.log
	@echo "Clutter held apart by barriers, for a second:"
	@sed -n 's/^\[ barrier *\]/ /p' build/Testing/Temporary/LastTest.log
	@echo "Energy books of a step, largest relative error by scene:"
	@sed -n 's/^\[ energy *\]/ /p' build/Testing/Temporary/LastTest.log
	@echo "Largest relative errors against other engines:"
	@sed -n 's/^| \(.*\)/  \1/p' build/oracle.log
	@python3 tools/test_budget.py build/tests.xml

.PHONY: build-tests
build-tests:
	@tools/set_up.sh build test python
	@tools/build_viewer.sh
	@$(CONFIGURE) release -D STICTION_TESTS=ON $(WITH_PYTHON)
	@cmake --build build -j$(JOBS)
	@JOBS=$(JOBS) tools/build_wheel.sh build

python: ## install the Python package into .venv, to be used from the sources
	@tools/set_up.sh build python
	CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) .venv/bin/pip install --no-build-isolation --no-deps -C build-dir=build --editable .

.PHONY: test-python
test-python: ## build the Python package and run its tests outside of the source tree
	@tools/set_up.sh build test python
	@JOBS=$(JOBS) tools/build_wheel.sh build
	tools/python_tests.sh build

.PHONY: test-extras
test-extras: ## test the Python package together with torch, jax and Ray, which are some gigabytes
	@tools/set_up.sh build test python extras
	@JOBS=$(JOBS) tools/build_wheel.sh build
	TESTS=tests_extra tools/python_tests.sh build

bench: ## measure the building blocks
	@tools/set_up.sh build bench
	@$(CONFIGURE) release -D STICTION_BENCH=ON $(if $(wildcard build/build.ninja),,-D STICTION_TESTS=OFF)
	@cmake --build build -j$(JOBS)
	@test -x build/bin/stiction_bench || { echo "no benchmark in bench/*.cpp yet"; exit 1; }
	build/bin/stiction_bench
	@tools/set_up.sh python
	@JOBS=$(JOBS) tools/build_wheel.sh build
	PYTHONPATH=build/python/site .venv/bin/python python/bench/measure.py

race: ## measure against other engines; writes build/race.json
	@tools/set_up.sh build test race
	@$(CONFIGURE) race
	@cmake --build build -j$(JOBS) --target stiction_race
	build/bin/stiction_race build/race.json

soak: build-tests ## run the tests three times in random order, long simulations, robots beside MuJoCo
	@tools/soak.sh

sanitize: export ASAN_OPTIONS := halt_on_error=1:detect_stack_use_after_return=1
sanitize: export UBSAN_OPTIONS := halt_on_error=1:print_stacktrace=1
sanitize: ## run all tests with sanitizers, then fuzz all readers of files
	@tools/set_up.sh build test clang
	@$(CONFIGURE) sanitize
	@tools/build_viewer.sh & page=$$!; cmake --build build-sanitize -j$(JOBS) --target all fuzzers && wait $$page
	@$(CTEST) --output-junit tests.xml --test-dir build-sanitize || \
	  { python3 tools/test_budget.py build-sanitize/tests.xml --sanitized; exit 1; }
	@python3 tools/test_budget.py build-sanitize/tests.xml --sanitized
	@JOBS=$(JOBS) tools/run_fuzzers.sh build-sanitize $(FUZZ_SECONDS) build-sanitize/bin/stiction

.PHONY: sanitize-python
sanitize-python: export ASAN_OPTIONS := halt_on_error=1:detect_stack_use_after_return=1
sanitize-python: export UBSAN_OPTIONS := halt_on_error=1:print_stacktrace=1
sanitize-python: ## random calls of the Python package with sanitizers
	@tools/set_up.sh build test python
	@$(CONFIGURE) sanitize -B build-sanitize-python -D CMAKE_CXX_COMPILER=g++ -D STICTION_FUZZ=OFF $(WITH_PYTHON)
	@cmake --build build-sanitize-python -j$(JOBS) --target _core
	tools/sanitized_python_tests.sh build-sanitize-python -k 'random_calls or errors'

clang: ## build with clang 14 and run all tests
	@tools/set_up.sh build test clang
	@tools/build_viewer.sh
	@$(CONFIGURE) clang
	@cmake --build build-clang -j$(JOBS)
	@$(CTEST) --test-dir build-clang

.PHONY: site
site: ## write the documentation as a static site to build/site
	@tools/set_up.sh site
	@.venv/bin/python tools/build_site.py build/site

format: ## lay out all C++ sources by .clang-format
	@tools/set_up.sh format
	@find stiction scenes apps bench python test fuzz \( -name '*.h' -o -name '*.cpp' \) -exec clang-format-14 -i {} +

clean: ## delete what was built; .venv stays
	rm -rf build build-clang build-sanitize build-sanitize-python build-fuzz build-baseline

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18
