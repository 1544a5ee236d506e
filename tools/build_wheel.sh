#!/usr/bin/env bash
# Builds the Python wheel in a folder of CMake, of the same objects as the programs there, and unpacks it into
# BUILD/python/site: the package as someone else has it installed, outside of the source tree.
#
# usage: tools/build_wheel.sh [BUILD]       after tools/set_up.sh build python; BUILD: "build" unless given
set -euo pipefail
cd "$(dirname "$0")/.."
build=$(realpath -m "${1:-build}")

pip=(.venv/bin/python -m pip --quiet --disable-pip-version-check --no-input)
export CMAKE_BUILD_PARALLEL_LEVEL=${JOBS:-$(nproc)}
rm -rf "$build/python/wheel"
"${pip[@]}" wheel --no-build-isolation --no-deps -C build-dir="$build" --wheel-dir "$build/python/wheel" .
"${pip[@]}" install --no-deps --upgrade --target "$build/python/site" "$build"/python/wheel/stiction-*.whl
