#!/usr/bin/env bash
# Runs the tests of the Python package on the wheel, outside of the source tree.
#
# usage: tools/python_tests.sh [ARGUMENTS OF PYTEST]
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD

tools/build_wheel.sh
export STICTION_SHARED=${STICTION_SHARED:-$root/../shared} PYTHONPATH=$root/build/python/site
cd build/python
exec "$root/.venv/bin/python" -m pytest "$root/python/tests" "$@"
