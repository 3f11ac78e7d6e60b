// nika protocols: what can be tested.
#include <fmt/format.h>

#include <memory>

#include "nika/cli/commands.hpp"
#include "nika/cli/console.hpp"

namespace nika::cli {
namespace {

Json json_of_sets(const Runner& runner) {
  Json sets = Json::object();
  for (const BugSet& set : runner.bug_sets())
    sets[std::string(set.name)] = std::vector<std::string>(set.bugs.begin(), set.bugs.end());
  return sets;
}

int list_protocols(const Registry& registry, bool as_json) {
  const Paint paint;
  Json protocols = Json::array();
  for (const auto& runner : registry.runners()) {
    if (as_json) {
      protocols.push_back(Json{{"name", runner->name()},
                               {"summary", runner->summary()},
                               {"bugs", std::vector<std::string>(runner->bugs().begin(), runner->bugs().end())},
                               {"bug_sets", json_of_sets(*runner)},
                               {"kinds", std::vector<std::string>(runner->kinds().begin(), runner->kinds().end())}});
      continue;
    }
    const std::string bugs = runner->bugs().empty() ? "none" : fmt::format("{}", fmt::join(runner->bugs(), ", "));
    fmt::print("{}  {}\n  bugs      {}\n", paint.bold(runner->name()), runner->summary(), bugs);
    for (const BugSet& set : runner->bug_sets()) fmt::print("  set {:<5} {}\n", set.name, fmt::join(set.bugs, ", "));
    fmt::print("  messages  {}\n", fmt::join(runner->kinds(), ", "));
  }
  if (as_json) print_json(Json{{"command", "protocols"}, {"protocols", protocols}});
  return kExitHolds;
}

}  // namespace

void add_protocols_command(CommandLine& line, const Registry& registry) {
  Command& command = line.add("protocols", "List the protocols with their seeded bugs and kinds of messages");
  const auto as_json = std::make_shared<bool>(false);
  command.flag("--json", *as_json, "one JSON object on standard output; see docs/json.md");
  command.footer("Example:\n  NIKA protocols --json");
  command.on_run([as_json, &registry] { return list_protocols(registry, *as_json); });
}

}  // namespace nika::cli
