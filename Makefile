# Everything a newcomer needs; `make` alone lists it. The build itself is CMake with Ninja.
SHELL := bash
.DEFAULT_GOAL := help
# ninja and ctest use all cores themselves
.NOTPARALLEL:
.PHONY: help demo test test-slow bench fuzz build format lint clean packages packages-dev

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 20

demo: packages ## build the program alone, then couple an example and compare it with its exact solution
	@TARGET=seam tools/compile build
	@tools/demo

test: build ## build and run all tests except the slow ones
	@tools/run_tests build --label-exclude '^slow$$'

test-slow: build ## build and run all tests
	@tools/run_tests build

bench: packages ## build the benchmarks in build-bench/ and run them
	@tools/compile build-bench -DSEAM_BENCH=ON -DSEAM_TESTS=OFF
	@tools/run_benchmarks build-bench

fuzz: packages-dev ## look for inputs that break the readers of files, SECONDS=600 for each harness
	@tools/fuzz build-fuzz $(or $(SECONDS),600) $(HARNESS)

build: packages ## install what is missing and build everything in build/; the program is build/seam
	@tools/compile build

format: packages-dev ## format all C++ files in place
	@tools/cpp_files | xargs -0 -r clang-format -i

lint: packages-dev ## check the format, run clang-tidy; any warning fails
	@tools/lint build-lint

clean: ## remove every build folder
	rm -rf build build-bench build-fuzz build-lint build-dev build-release build-asan build-tsan

packages:
	@tools/install_packages

packages-dev: packages
	@tools/install_packages packages-dev.txt
