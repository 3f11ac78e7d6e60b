// The whole command line as a function, so that a program with protocols of its own gets every command.
#pragma once

#include "nika/campaign/registry.hpp"

namespace nika::cli {

// Returns the exit code: 0 holds, 1 violated, 2 bad usage or input, 3 unknown, 4 internal error.
int run(int argc, char** argv, const Registry& registry);

}  // namespace nika::cli
