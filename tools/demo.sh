#!/bin/sh
# What `./dev demo` shows once the program is built.
set -eu
cd "$(dirname "$0")/.."
build/release/nika --help
