// Ctrl-C, a request to terminate or a terminal that goes away asks a campaign to stop and to report what it has; the
// second one ends the program at once.
#pragma once

#include <atomic>

namespace nika::cli {

// From now on an interrupt sets the flag. Called once.
const std::atomic<bool>& catch_interrupts();

}  // namespace nika::cli
