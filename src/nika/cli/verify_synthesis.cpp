#include "nika/cli/verify_synthesis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "nika/campaign/watch.hpp"
#include "nika/cli/console.hpp"

namespace nika::cli {
namespace {

using automata::Assignment;
using automata::Automaton;
using automata::Interval;
using automata::SynthesisResult;

bool is_vacuous(const automata::Solution& solution) { return !solution.vacuous.empty(); }

std::string_view word_for(const SynthesisResult& result) {
  if (!result.complete || !result.undecided.empty()) return "unknown";
  if (result.solutions.empty()) return "none";
  return std::all_of(result.solutions.begin(), result.solutions.end(), is_vacuous) ? "vacuous" : "found";
}

std::string values_text(const Automaton& sketch, const Assignment& values) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < values.size(); ++i)
    parts.push_back(fmt::format("{} = {}", sketch.unknowns[i], values[i]));
  return fmt::format("{}", fmt::join(parts, ", "));
}

Json values_json(const Automaton& sketch, const Assignment& values) {
  Json object = Json::object();
  for (std::size_t i = 0; i < values.size(); ++i) object[sketch.unknowns[i]] = values[i];
  return object;
}

std::string plural(std::uint64_t count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

std::string text_of(const Automaton& sketch, const SynthesisResult& result, double seconds) {
  std::string out;
  for (std::size_t i = 0; i < result.bounds.size(); ++i) {
    out += fmt::format("{}{} in {}..{}", i == 0 ? "unknowns: " : ", ", sketch.unknowns[i], result.bounds[i].least,
                       result.bounds[i].most);
  }
  if (!out.empty()) out += "\n";
  for (const automata::Solution& solution : result.solutions) {
    out += "solution: " + values_text(sketch, solution.values);
    if (is_vacuous(solution)) out += fmt::format("  vacuous: {}", fmt::join(solution.vacuous, ", "));
    out += "\n";
  }
  for (const automata::UndecidedChoice& choice : result.undecided) {
    out += fmt::format("unknown:  {}  {}: {}\n", values_text(sketch, choice.values), choice.property, choice.reason);
  }
  const std::string count =
      result.solutions.empty() ? std::string("no solution") : plural(result.solutions.size(), "solution");
  out += result.complete ? count : fmt::format("{} so far, the rest is unknown: {}", count, result.reason);
  return out + fmt::format("; {} tried, {} learned from, {:.3f} s\n", plural(result.tried, "choice"),
                           plural(result.learned, "counterexample"), seconds);
}

Json report_of(const Automaton& sketch, const SynthesisResult& result, double seconds) {
  Json report = {{"command", "verify"},         {"mode", "synthesis"},
                 {"verdict", word_for(result)}, {"unknowns", Json::array()},
                 {"solutions", Json::array()},  {"tried", result.tried},
                 {"learned", result.learned},   {"queries", result.queries},
                 {"complete", result.complete}, {"reason", result.complete ? Json(nullptr) : Json(result.reason)},
                 {"undecided", Json::array()},  {"seconds", std::round(seconds * 1e6) / 1e6}};
  for (std::size_t i = 0; i < sketch.unknowns.size(); ++i) {
    Json entry = {{"name", sketch.unknowns[i]}, {"least", nullptr}, {"most", nullptr}};
    if (i < result.bounds.size()) {
      entry["least"] = result.bounds[i].least;
      entry["most"] = result.bounds[i].most;
    }
    report["unknowns"].push_back(std::move(entry));
  }
  for (const automata::Solution& solution : result.solutions) {
    report["solutions"].push_back({{"values", values_json(sketch, solution.values)}, {"vacuous", solution.vacuous}});
  }
  for (const automata::UndecidedChoice& choice : result.undecided) {
    report["undecided"].push_back(
        {{"values", values_json(sketch, choice.values)}, {"property", choice.property}, {"reason", choice.reason}});
  }
  return report;
}

}  // namespace

Result<Interval> parse_bounds(const std::string& text) {
  const auto complaint = [&] {
    return bad_input(fmt::format("read --bounds '{}', expected LO..HI with whole numbers from -{} to {}", text,
                                 automata::kLargestUnknown, automata::kLargestUnknown));
  };
  Interval bounds;
  const char* const end = text.data() + text.size();
  const auto low = std::from_chars(text.data(), end, bounds.least);
  if (low.ec != std::errc() || !std::string_view(low.ptr, end).starts_with("..")) return complaint();
  const auto high = std::from_chars(low.ptr + 2, end, bounds.most);
  if (high.ec != std::errc() || high.ptr != end) return complaint();
  const bool fits = bounds.least >= -automata::kLargestUnknown && bounds.most <= automata::kLargestUnknown;
  if (!fits || bounds.least > bounds.most) return complaint();
  return bounds;
}

int run_synthesis(const Automaton& sketch, const SynthesisRequest& request) {
  const Watch watch;
  const SynthesisResult result = automata::synthesize(sketch, request.options);
  if (request.json) {
    Json report = report_of(sketch, result, watch.seconds());
    if (!request.warnings.empty()) report["warnings"] = request.warnings;
    print_json(report);
  } else {
    fmt::print("{}", text_of(sketch, result, watch.seconds()));
  }
  if (result.solver_is_wrong) return kExitInternal;
  const std::string_view word = word_for(result);
  return word == "found" ? 0 : word == "none" ? kExitViolated : exit_code_of(Verdict::kUnknown);
}

}  // namespace nika::cli
