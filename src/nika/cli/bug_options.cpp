#include "nika/cli/bug_options.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nika::cli {

void add_bug_options(Command& command, BugArguments& arguments) {
  command.options("--bug", arguments.bugs, "a seeded bug of the protocol; may be given more than once", "NAME");
  command.option("--bugs", arguments.set, "a set of its bugs that belong together, see NIKA protocols", "SET");
}

Result<std::vector<std::string>> bugs_of(const BugArguments& arguments, const Runner& runner) {
  std::vector<std::string> bugs = arguments.bugs;
  if (!arguments.set.empty()) {
    const auto set = std::ranges::find(runner.bug_sets(), arguments.set, &BugSet::name);
    if (set == runner.bug_sets().end()) {
      std::vector<std::string_view> known;
      for (const BugSet& other : runner.bug_sets()) known.push_back(other.name);
      return bad_input(fmt::format("protocol {} has no set of bugs \"{}\"; it has: {}", runner.name(), arguments.set,
                                   known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
    }
    bugs.insert(bugs.end(), set->bugs.begin(), set->bugs.end());
  }
  for (const std::string& bug : bugs) {
    if (std::ranges::find(runner.bugs(), bug) == runner.bugs().end()) {
      return bad_input(fmt::format("protocol {} has no bug \"{}\"; it has: {}", runner.name(), bug,
                                   runner.bugs().empty() ? "none" : fmt::format("{}", fmt::join(runner.bugs(), ", "))));
    }
    if (std::ranges::count(bugs, bug) > 1) return bad_input(fmt::format("bug \"{}\" is named twice", bug));
  }
  return bugs;
}

}  // namespace nika::cli
