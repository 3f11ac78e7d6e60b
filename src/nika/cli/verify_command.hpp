// The command "nika verify": reads a threshold automaton and decides its properties for all parameters at once.
#pragma once

#include <CLI/CLI.hpp>

namespace nika::cli {

// Exit codes: 0 all hold, 1 one is violated, 2 bad usage or input, 3 one is unknown and none violated, 4 internal
// error.
void add_verify_command(CLI::App& app, int& exit_code);

}  // namespace nika::cli
