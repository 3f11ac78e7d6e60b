// The options that seed a protocol with bugs: one by one, or a set of them that belongs together.
#pragma once

#include <string>
#include <vector>

#include "nika/campaign/runner.hpp"
#include "nika/cli/arguments.hpp"

namespace nika::cli {

struct BugArguments {
  std::vector<std::string> bugs;
  std::string set;
};

void add_bug_options(Command& command, BugArguments& arguments);

// Each bug once, by name, and all of them bugs of the protocol.
Result<std::vector<std::string>> bugs_of(const BugArguments& arguments, const Runner& runner);

}  // namespace nika::cli
