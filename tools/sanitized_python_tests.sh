#!/usr/bin/env bash
# Runs tests of the Python package on a module that was built with the sanitizers, which Python itself was not.
#
# usage: tools/sanitized_python_tests.sh BUILD [ARGUMENTS OF PYTEST]
set -euo pipefail
root=$(realpath "$(dirname "$0")/..")
build=$(realpath "$1")
shift

rm -rf "$build/python/site"
mkdir -p "$build/python/site/stiction"
cp "$root"/python/stiction/*.py "$build"/python/_core*.so "$build/python/site/stiction"
# Python keeps what it has until it ends, which is no leak of ours.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
LD_PRELOAD="$(g++ -print-file-name=libasan.so) $(g++ -print-file-name=libubsan.so) $(g++ -print-file-name=libstdc++.so)" \
  exec "$root/tools/python_tests.sh" "$build" "$@"
