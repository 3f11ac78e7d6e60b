// Whether a protocol keeps what the simulator and the search rely on: the same schedule gives the same run, nothing is
// allocated, a recorded scenario and a copied world go on alike, and folding, renaming and the exhaustive search change
// no world, no judgement and no count. Says nothing about whether the protocol is right.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nika/campaign/registry.hpp"

namespace nika {

struct CheckOptions {
  std::vector<std::string> bugs;
  unsigned scenarios = 500;  // drawn for each check
  unsigned rounds = 4;       // of the largest space that is covered
  std::uint64_t seed = 1;
};

enum class CheckStatus : std::uint8_t { kOk, kWrong, kNotApplicable };
std::string_view name_of(CheckStatus status);

struct CheckResult {
  std::string_view name;
  CheckStatus status = CheckStatus::kOk;
  std::uint64_t cases = 0;             // that were compared
  std::string what{};                  // is wrong, or why it does not apply
  std::optional<Scenario> scenario{};  // a small one that shows what is wrong
};

// The names of the checks with what each asks, in their order.
struct CheckName {
  std::string_view name;
  std::string_view asks;
};
std::span<const CheckName> check_names();

// An error if the options do not fit the protocol.
Result<std::vector<CheckResult>> check_protocol(const Runner& runner, const Properties& properties,
                                                const CheckOptions& options);

}  // namespace nika
