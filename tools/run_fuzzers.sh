#!/usr/bin/env bash
# Runs every fuzzer for a while, several side by side, and fails with the path of the input that broke one.
#
# usage: tools/run_fuzzers.sh BUILD_FOLDER [SECONDS_EACH [STICTION]]
#
#   BUILD_FOLDER   configured with the preset `fuzz` and built
#   STICTION       the program, which writes the scenes as inputs to start from
#
# JOBS processes run at a time. Inputs that reach something new stay in BUILD_FOLDER/corpus for the next run, logs
# in BUILD_FOLDER/logs, findings in BUILD_FOLDER/findings. Once more with one of them:
#
#   BUILD_FOLDER/bin/mjcf_fuzzer BUILD_FOLDER/findings/mjcf_fuzzer-crash-...
set -euo pipefail

build=$1 seconds=${2:-60} program=${3:-}
root=$(cd "$(dirname "$0")/.." && pwd)
jobs=${JOBS:-$(nproc)}
mkdir -p "$build"/{corpus,logs,findings}
rm -f "$build"/logs/*
python3 "$root/fuzz/make_seeds.py" "$build/corpus" $program
for format in mjcf urdf scene_file; do "$build/bin/fuzz_dictionary" $format > "$build/$format.dict"; done

# Bytes that an input may have: some seeds of a format must fit, and short ones run faster.
max_len() {
  case $1 in
    mjcf_fuzzer | urdf_fuzzer | dae_fuzzer | scene_file_fuzzer) echo 16384 ;;
    model_json_fuzzer | problem_file_fuzzer | fc3d_file_fuzzer | lcp_file_fuzzer) echo 65536 ;;
    convex_hull_fuzzer) echo 600 ;;
    narrow_phase_fuzzer) echo 200 ;;
    *) echo 4096 ;;
  esac
}

# "123456 executions, coverage 2345": where a log stands.
standing() {
  sed -n 's/^#\([0-9]*\)[[:space:]].*cov: \([0-9]*\) .*/\1 executions, coverage \2/p' "$1" | tail -n 1
}

run_one() {
  local name=$1 dictionary=()
  local log=$build/logs/$name.log format=${name%_fuzzer}
  if [[ -f $build/$format.dict ]]; then dictionary=(-dict="$build/$format.dict"); fi
  mkdir -p "$build/corpus/$name"
  # A pair of shapes takes 26 bytes: growing from short inputs would waste the time.
  if [[ $name == narrow_phase_fuzzer ]]; then dictionary=(-len_control=0); fi
  if "$build/bin/$name" -max_total_time="$seconds" -max_len="$(max_len "$name")" -timeout=5 -rss_limit_mb=2048 \
      "${dictionary[@]}" -artifact_prefix="$build/findings/$name-" "$build/corpus/$name" > "$log" 2>&1; then
    echo "  $name: $(standing "$log"), no finding"
  else
    echo "  $name: FAILED after $(standing "$log")"
    grep -m 1 -E 'ERROR: |runtime error: |failed:|terminate called' "$log" || true
    local input
    input=$(sed -n 's/.*Test unit written to \(.*\)/\1/p' "$log" | tail -n 1)
    echo "    input ${input:-unknown}, log $log"
    return 1
  fi
}

fuzzers=()
for fuzzer in "$root"/fuzz/*_fuzzer.cpp; do fuzzers+=("$(basename "$fuzzer" .cpp)"); done
echo "Fuzzing ${#fuzzers[@]} readers for $seconds s each, $jobs at a time"

# A line from every running fuzzer now and then.
(
  while sleep 20; do
    for log in "$build"/logs/*.log; do
      grep -q '^Done\|^SUMMARY' "$log" || echo "  ... $(basename "$log" .log): $(standing "$log")"
    done
  done
) 2> /dev/null &
watcher=$!
trap 'kill $watcher 2> /dev/null || true' EXIT

export -f run_one standing max_len
export build seconds
printf '%s\n' "${fuzzers[@]}" | xargs -P "$jobs" -I{} bash -c 'run_one {}'
