// Scenarios that are tried on one side of an attack, in an order that depends on the seed alone: blindly, or chosen by
// a guide from what the ones before have reached.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "nika/campaign/registry.hpp"
#include "nika/scenarios/twins/settings.hpp"

namespace nika {

enum class GuideChoice : std::uint8_t { kNone, kCoverage };
Result<GuideChoice> parse_guide(std::string_view text);
std::string_view name_of(GuideChoice guide);

struct HuntOptions {
  Property property{};
  unsigned threads = 1;
  GuideChoice guide = GuideChoice::kCoverage;  // not where all scenarios can soon be tried
  const std::atomic<bool>* stop = nullptr;

  bool is_stopped() const { return stop != nullptr && stop->load(std::memory_order_relaxed); }
};

class Hunt {
 public:
  static Result<std::unique_ptr<Hunt>> make(const Registry& registry, const twins::Settings& settings,
                                            const HuntOptions& options);
  virtual ~Hunt() = default;

  // A scenario that breaks the property.
  struct Quarry {
    Wide number = 0;  // in the order in which scenarios are tried
    Scenario scenario;
  };
  struct Totals {
    Wide tried = 0;
    Wide violating = 0;
    Wide unknown = 0;
  };

  virtual const Runner& runner() const = 0;
  // How many scenarios there are to try, and how many of them were.
  virtual Wide size() const = 0;
  virtual Wide tried() const = 0;
  // Tries some more. All that break the property, in the order of their numbers, or the first few of each kind.
  virtual Result<std::vector<Quarry>> next() = 0;
  // Tries so many from the first one on, or a few more. For a hunt that has not begun.
  virtual Result<Totals> try_all(Wide count) = 0;
};

}  // namespace nika
