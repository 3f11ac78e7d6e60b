#!/bin/sh
# What `./dev demo` shows once the program is built: a fork in a faulty protocol, and none in the correct one.
set -eu
cd "$(dirname "$0")/.."
nika=build/release/nika
findings=build/demo-findings

# step COMMAND…: shows the command, then runs it. A violation (exit code 1) is what a search is for, and no failure.
step() {
  printf '\n$ %s\n' "$*"
  "$@" || [ $? -eq 1 ]
}

rm -rf "$findings"
printf '1. DiemBFT with a quorum of 2f instead of 2f+1: one node of four has a twin, the network splits in two.\n'
step "$nika" twins diembft --bug quorum-2f --partitions 2 --rounds 7 --assignment static --findings "$findings"
for file in "$findings"/*.json; do
  printf '\n2. The same finding, round by round; then run again, to the same trace.\n'
  step "$nika" show "$file"
  step "$nika" replay "$file"
  break
done
printf '\n3. The correct DiemBFT: every one of 15^7 schedules.\n'
step "$nika" twins diembft --nodes 4 --twins 1 --partitions 2 --rounds 7 --exhaustive --findings "$findings"
