#!/usr/bin/env bash
# Installs what a purpose needs and is silent when nothing is missing.
#
# usage: tools/set_up.sh PURPOSE...       for example: tools/set_up.sh build test
#
# A purpose is a list of Debian packages, requirements/debian-PURPOSE.txt, and may have a list of Python
# packages, requirements/PURPOSE.txt, which go into .venv in the root of the repository.
set -euo pipefail
cd "$(dirname "$0")/.."

# Installs those of the named Debian packages that are missing.
install_debian_packages() {
  if ! command -v dpkg-query > /dev/null; then
    echo "This is not a Debian system. Install what these Debian packages hold: $*" >&2
    echo "and use CMake directly, as CONTRIBUTING.md says." >&2
    exit 1
  fi

  local installed missing=() package
  installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2> /dev/null || true)
  for package in "$@"; do
    grep -qxF "$package installed" <<< "$installed" || missing+=("$package")
  done
  if ((${#missing[@]} == 0)); then return; fi

  local as_root=()
  if (($(id -u) != 0)); then
    if ! command -v sudo > /dev/null; then refuse "${missing[@]}"; fi
    as_root=(sudo)
    # Without a terminal nobody can type a password.
    if [[ ! -t 0 ]]; then as_root+=(-n); fi
    "${as_root[@]}" true || refuse "${missing[@]}"
  fi

  echo "Installing Debian packages: ${missing[*]}"
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300)
  "${apt[@]}" update < /dev/null
  "${apt[@]}" install --yes --no-install-recommends "${missing[@]}" < /dev/null > /dev/null
}

refuse() {
  echo "Debian packages are missing, and installing them needs rights you do not have here. Type as root:" >&2
  echo "  apt-get install --yes --no-install-recommends $*" >&2
  exit 1
}

# Makes .venv hold the Python packages of one purpose. A stamp with the hash of the lists tells that it does.
install_python_packages() {
  local list=requirements/$1.txt stamp=.venv/installed-$1.sha256 hash
  hash=$(cat requirements/test.txt "$list" | sha256sum)
  if [[ -f $stamp && $(< "$stamp") == "$hash" ]] && .venv/bin/python -c pass 2> /dev/null; then return; fi

  command -v python3 > /dev/null || install_debian_packages python3
  python3 -c 'import ensurepip, venv' 2> /dev/null || install_debian_packages python3-venv
  echo "Installing Python packages of $list into .venv"
  .venv/bin/python -m pip --version > /dev/null 2>&1 || python3 -m venv --clear .venv
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input -r "$list" < /dev/null
  echo "$hash" > "$stamp"
}

packages=()
for purpose in "$@"; do
  mapfile -t -O "${#packages[@]}" packages < "requirements/debian-$purpose.txt"
done
install_debian_packages "${packages[@]}"

for purpose in "$@"; do
  if [[ -f requirements/$purpose.txt ]]; then install_python_packages "$purpose"; fi
done
