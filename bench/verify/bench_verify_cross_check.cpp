// The verifier against brute force on many random automata, more than the tests have time for.
// usage: bench_verify_cross_check [COUNT [FIRST_SEED]], or bench_verify_cross_check FILE.ta… to compare them on given
// automata, or with --mirrored, --resets or --rounds [COUNT [FIRST_SEED]] to compare verdicts with and without symmetry
// on automata that are symmetric, and on such that nearly are; safety of automata that reset, decrease and copy; and
// what is claimed of all rounds with all runs of three. Exit code 1 if they disagree anywhere.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>

#include "nika/automata/cross_check.hpp"
#include "nika/automata/mirrored_automaton.hpp"
#include "nika/automata/random_automaton.hpp"
#include "nika/automata/rounds_cross_check.hpp"
#include "nika/automata/symmetry_cross_check.hpp"
#include "nika/base/random.hpp"

namespace {

using namespace nika::automata;

std::vector<std::uint8_t> random_bytes(std::uint64_t seed, std::size_t count) {
  nika::Random random(seed);
  std::vector<std::uint8_t> bytes(count);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.next());
  return bytes;
}

VerifyOptions options_for_one_automaton() {
  VerifyOptions options;
  options.minimise = false;
  options.budget.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  return options;
}

int check_mirrored(std::uint64_t count, std::uint64_t first) {
  bool agree = true;
  for (const bool nearly : {false, true}) {
    SymmetryCrossCheck sum;
    std::uint64_t automata = 0;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
      const std::vector<std::uint8_t> bytes = random_bytes(seed, 400);
      Choices choices(bytes);
      MirroredAutomaton mirrored = mirrored_automaton(choices, 1);
      if (nearly && !mirrored.break_symmetry()) continue;
      ++automata;
      cross_check_symmetry(mirrored.automaton(), options_for_one_automaton(), sum);
    }
    fmt::print("{} {} automata from seed {}: {} properties are images; {} hold, {} violated, {} undecided, {} differ\n",
               automata, nearly ? "nearly mirrored" : "mirrored", first, sum.images, sum.holds, sum.violated,
               sum.undecided, sum.disagreements.size());
    for (const std::string& disagreement : sum.disagreements) fmt::print("{}\n", disagreement);
    agree = agree && sum.disagreements.empty();
  }
  return agree ? 0 : 1;
}

// What is claimed of all rounds against all runs of three rounds.
int check_rounds(std::uint64_t count, std::uint64_t first) {
  RoundsCrossCheck sum;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const std::vector<std::uint8_t> bytes = random_bytes(seed, 300);
    Choices choices(bytes);
    const RandomRound round = RandomRounds(choices).next();
    const std::size_t known = sum.disagreements.size();
    cross_check_rounds(round, sum);
    if (sum.disagreements.size() == known) continue;
    fmt::print("seed {}: {}\n{}{}\n", seed, sum.disagreements[known], round.text, round.round_switch);
  }
  fmt::print(
      "{} rounds from seed {}: {} refused; {} properties of every round, {} comparisons after fair rounds, {} "
      "inherited, {} triggered; {} properties violated; {} disagreements with runs of three rounds\n",
      count, first, sum.refused, sum.every, sum.if_fair, sum.inherited, sum.triggered, sum.violated,
      sum.disagreements.size());
  return sum.disagreements.empty() ? 0 : 1;
}

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
  const bool is_mirrored = argument_count > 1 && std::string(arguments[1]) == "--mirrored";
  const bool has_resets = argument_count > 1 && std::string(arguments[1]) == "--resets";
  const bool has_rounds = argument_count > 1 && std::string(arguments[1]) == "--rounds";
  const int numbers = is_mirrored || has_resets || has_rounds ? 2 : 1;
  if (argument_count > numbers && std::strtoull(arguments[numbers], nullptr, 10) == 0) {
    return check_files(argument_count - 1, arguments + 1);
  }
  const auto number = [&](int position, std::uint64_t otherwise) {
    return argument_count > position ? std::strtoull(arguments[position], nullptr, 10) : otherwise;
  };
  const std::uint64_t count = number(numbers, is_mirrored ? 2'000 : has_resets ? 10'000 : 20'000);
  const std::uint64_t first = number(numbers + 1, 1);
  if (is_mirrored) return check_mirrored(count, first);
  if (has_rounds) return check_rounds(number(numbers, 5'000), first);
  CrossCheck sum;
  std::map<std::string, int> reasons;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const std::vector<std::uint8_t> bytes = random_bytes(seed, 300);
    Choices choices(bytes);
    const RandomKind kind = has_resets ? RandomKind::safety_with_resets : RandomKind::any;
    const std::string text = RandomAutomaton(choices, kind).text(1);
    VerifyOptions options = options_for_one_automaton();
    if (has_resets) options.budget = {};  // the engines for resets have limits of effort: the same on every machine
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
