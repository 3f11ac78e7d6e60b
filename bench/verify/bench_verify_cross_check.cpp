// The verifier against brute force on many random automata, more than the tests have time for.
// usage: bench_verify_cross_check [COUNT [FIRST_SEED]], or bench_verify_cross_check FILE.ta… to compare them on given
// automata; exit code 1 if they disagree anywhere.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>

#include "nika/automata/cross_check.hpp"
#include "nika/automata/random_automaton.hpp"
#include "nika/base/random.hpp"

namespace {

using namespace nika::automata;

int check_files(int count, char** paths) {
  bool agree = true;
  for (int i = 0; i < count; ++i) {
    std::ifstream stream(paths[i]);
    const std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    VerifyOptions options;
    options.budget.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    const CrossCheck result = cross_check(text, PlantedError::none, options);
    fmt::print("{}: {} hold, {} violated, {} unknown\n", paths[i], result.holds, result.violated,
               result.unknown.size());
    for (const std::string& reason : result.unknown) fmt::print("  unknown: {}\n", reason);
    for (const std::string& disagreement : result.disagreements) fmt::print("  DISAGREE: {}\n", disagreement);
    agree = agree && result.disagreements.empty();
  }
  return agree ? 0 : 1;
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count > 1 && std::strtoull(arguments[1], nullptr, 10) == 0) {
    return check_files(argument_count - 1, arguments + 1);
  }
  const std::uint64_t count = argument_count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 20'000;
  const std::uint64_t first = argument_count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 1;
  CrossCheck sum;
  std::map<std::string, int> reasons;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    nika::Random random(seed);
    std::vector<std::uint8_t> bytes;
    for (int i = 0; i < 300; ++i) bytes.push_back(static_cast<std::uint8_t>(random.next()));
    Choices choices(bytes);
    const std::string text = RandomAutomaton(choices).text(1);
    VerifyOptions options;
    options.minimise = false;
    options.budget.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    const CrossCheck result = cross_check(text, PlantedError::none, options);
    sum.properties += result.properties;
    sum.holds += result.holds;
    sum.violated += result.violated;
    for (const std::string& reason : result.unknown) ++reasons[reason.substr(0, reason.find(" in "))];
    for (const std::string& disagreement : result.disagreements) {
      fmt::print("seed {}: {}\n{}\n", seed, disagreement, text);
      sum.disagreements.push_back(disagreement);
    }
  }
  fmt::print("{} automata from seed {}: {} hold, {} violated, {} disagreements with brute force\n", count, first,
             sum.holds, sum.violated, sum.disagreements.size());
  for (const auto& [reason, times] : reasons) fmt::print("{} unknown: {}\n", times, reason);
  return sum.disagreements.empty() ? 0 : 1;
}
