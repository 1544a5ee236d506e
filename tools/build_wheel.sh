#!/usr/bin/env bash
# Builds the Python wheel, of which only what changed is compiled again, and unpacks it into build/python/site:
# the package as someone else has it installed, outside of the source tree.
#
# usage: tools/build_wheel.sh       after tools/set_up.sh build python
set -euo pipefail
cd "$(dirname "$0")/.."

pip=(.venv/bin/python -m pip --quiet --disable-pip-version-check --no-input)
export CMAKE_BUILD_PARALLEL_LEVEL=${JOBS:-$(nproc)}
rm -rf build/python/wheel
"${pip[@]}" wheel --no-build-isolation --no-deps --wheel-dir build/python/wheel .
"${pip[@]}" install --no-deps --upgrade --target build/python/site build/python/wheel/stiction-*.whl
