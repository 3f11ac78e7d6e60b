// The whole command line as a function, so that a program with protocols of its own gets every command.
#pragma once

#include "nika/campaign/registry.hpp"

namespace nika::cli {

// Returns the exit code: 0 holds, 1 violated, 2 bad usage or input, 3 unknown, 4 internal error.
// The program is called by the name in argv[0]. What cannot be written to standard output is told in one line, and the
// code is 4 then, unless something is violated.
int run(int argc, char** argv, const Registry& registry);

// For a command that leaves a thread behind that may never end: the process ends as soon as all is printed.
void leave_without_waiting();

}  // namespace nika::cli
