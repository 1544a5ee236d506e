#!/usr/bin/env bash
# Runs the tests of the Python package on the wheel that tools/build_wheel.sh unpacked, outside of the source tree.
#
# usage: tools/python_tests.sh BUILD [ARGUMENTS OF PYTEST]       TESTS=tests_extra for those with heavy packages
set -euo pipefail
root=$(realpath "$(dirname "$0")/..")
build=$(realpath "$1")
shift

if [[ ! -d $build/python/site/stiction ]]; then
  echo "there is no package in $build/python/site: run tools/build_wheel.sh first" >&2
  exit 1
fi
export STICTION_SHARED=${STICTION_SHARED:-$root/../shared} PYTHONPATH=$build/python/site
cd "$build/python"
exec "$root/.venv/bin/python" -m pytest "$root/python/${TESTS:-tests}" "$@"
