#!/usr/bin/env bash
# What `make soak` runs after the build: long and random runs. One that fails does not keep the others from running; those that
# failed are named at the end.
#
# usage: tools/soak.sh [PATTERN]       those whose command matches the extended regular expression; without, all
set -uo pipefail
cd "$(dirname "$0")/.."
pattern=${1:-.}
failed=()

run() {
  if ! [[ $* =~ $pattern ]]; then return; fi
  echo "$ $*"
  env "$@" || failed+=("$*")
}

# Figures, not verdicts: a difference is no failure.
show() {
  if ! [[ $* =~ $pattern ]]; then return; fi
  echo "$ $*"
  env PYTHONPATH=build/python/site .venv/bin/python "$@" || true
}

tests=build/bin/stiction_tests
run $tests --gtest_brief=1 --gtest_shuffle --gtest_repeat=3
run STICTION_SCENE_SECONDS=10 $tests --gtest_brief=1 --gtest_filter='*SharedScene*:RigidContact.Robots*:SharedRobot.*'
run STICTION_ENERGY_PRODUCT=1 $tests --gtest_brief=1 --gtest_filter='EnergyCover.*'
run STICTION_POSES=100000 STICTION_WALKS=600 $tests --gtest_filter='LeastWeights.SumsOf*:HullWalk.*'
run build/bin/stiction_soak
run build/bin/stiction_collision_soak --queries 10000000
run build/bin/stiction_field_soak --queries 1000000
run build/bin/stiction_geometric_soak
run build/bin/stiction run arm --time 600
run STICTION_ALL_CLAIMS=1 python3 test/apps/claims_test.py build/bin/stiction
run STICTION_PYTHON_CYCLES=1000000 STICTION_PYTHON_CALLS=100000 tools/python_tests.sh build -k 'memory or random_calls'
# Robots beside MuJoCo, and what icf_coupled costs.
show tools/try_robots.py ../shared/models
show tools/measure_laws.py --time 2 --rounds 2

if ((${#failed[@]} > 0)); then
  printf 'failed: %s\n' "${failed[@]}" >&2
  exit 1
fi
