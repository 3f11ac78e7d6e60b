#include "nika/cli/counterexample_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "nika/automata/printer.hpp"
#include "nika/base/printable.hpp"
#include "nika/report/finding_text.hpp"

namespace nika::cli {
namespace {

using automata::Automaton;
using conform::Shown;

std::string parameters_text(const Automaton& automaton, const automata::Counterexample& counterexample) {
  std::vector<std::string> values;
  for (std::uint32_t p = 0; p < automaton.parameter_count(); ++p)
    values.push_back(fmt::format("{} = {}", automaton.parameters[p], counterexample.initial[p]));
  return fmt::format("{}", fmt::join(values, ", "));
}

std::int64_t rules_in(const automata::Counterexample& counterexample) {
  std::int64_t rules = 0;
  for (const automata::Step& step : counterexample.steps) rules += step.count;
  return rules;
}

// "1: start0 -> voted0", each once.
std::vector<std::string> beyond(const Automaton& automaton, const Shown& shown) {
  std::vector<std::string> rules;
  if (!shown.replayed) return rules;
  for (const std::uint32_t r : shown.replayed->beyond) {
    const automata::Rule& rule = automaton.rules[r];
    std::string text = fmt::format("{}: {} -> {}", rule.id, automaton.variable_name(rule.source),
                                   automaton.variable_name(rule.target));
    if (std::ranges::find(rules, text) == rules.end()) rules.push_back(std::move(text));
  }
  return rules;
}

void print_one(const conform::Request& request, const Shown& shown, const std::string& file) {
  const Automaton& automaton = *request.automaton;
  const Paint paint;
  if (!shown.decided.counterexample) {
    fmt::print("{} of {}: {}: {}\n", shown.property, automaton.name, paint.conclusion(shown.conclusion, "UNKNOWN"),
               shown.reason);
    return;
  }
  const automata::Counterexample& counterexample = *shown.decided.counterexample;
  fmt::print("{} of {}: refuted with {} by {} rules\n", shown.property, automaton.name,
             parameters_text(automaton, counterexample), rules_in(counterexample));
  if (shown.conclusion == Conclusion::kViolated && !shown.passed_over.empty())
    fmt::print("  {} smaller passed over, as the first: {}\n", shown.passed_over.size(), shown.passed_over.front());
  if (shown.replayed) {
    fmt::print("  {} steps of {} take them, found in {:.1f} s by trying {} inputs\n",
               grouped(shown.replayed->scenario.steps->size()), request.runner->name(), shown.seconds,
               grouped(shown.replayed->inputs_tried));
    const auto more = beyond(automaton, shown);
    if (!more.empty())
      fmt::print("  more processes begin than in the counterexample: replicas start at once ({})\n",
                 fmt::join(more, ", "));
  }
  if (shown.finding) {
    fmt::print("  {}: {}", paint.conclusion(shown.conclusion, "VIOLATED"), report::violation_text(*shown.finding));
  } else {
    fmt::print("  {}: {}\n", paint.conclusion(shown.conclusion, "UNKNOWN"), shown.reason);
  }
  if (!file.empty()) fmt::print("  {}\n", printable(file));
}

}  // namespace

std::vector<std::string> store_shown(const std::vector<Shown>& shown, const Runner& runner,
                                     const std::string& directory) {
  std::vector<std::string> files;
  for (const Shown& one : shown) {
    files.emplace_back();
    if (!one.finding) continue;
    std::error_code failed;
    std::filesystem::create_directories(directory, failed);
    std::string path = fmt::format("{}/counterexample-{}-{}.json", directory, runner.name(), one.property);
    if (auto written = store::write_text_file(path, store::to_json(*one.finding, words_of(runner))); written) {
      files.back() = std::move(path);
    } else {
      print_error(written.error().message);
    }
  }
  return files;
}

Conclusion conclusion_of(const std::vector<Shown>& shown) {
  const auto happens = [](const Shown& one) { return one.conclusion == Conclusion::kViolated; };
  return std::ranges::all_of(shown, happens) ? Conclusion::kViolated : Conclusion::kUnknown;
}

void print_shown(const conform::Request& request, const std::vector<Shown>& shown,
                 const std::vector<std::string>& files) {
  for (std::size_t i = 0; i < shown.size(); ++i) print_one(request, shown[i], files[i]);
}

Json json_of_shown(const conform::Request& request, const std::vector<Shown>& shown,
                   const std::vector<std::string>& files) {
  const Automaton& automaton = *request.automaton;
  Json all = Json::array();
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const Shown& one = shown[i];
    Json json{{"property", one.property},
              {"verdict", name_of(one.conclusion)},
              {"reason", one.reason.empty() ? Json(nullptr) : Json(one.reason)},
              {"simulated", one.aim.property.empty() ? Json(nullptr) : Json(one.aim.property)},
              {"parameters", Json::object()},
              {"rules", 0},
              {"passed_over", one.passed_over},
              {"steps", one.replayed ? Json(one.replayed->scenario.steps->size()) : Json(nullptr)},
              {"beyond", beyond(automaton, one)},
              {"inputs_tried", one.replayed ? Json(one.replayed->inputs_tried) : Json(nullptr)},
              {"file", files[i].empty() ? Json(nullptr) : Json(files[i])},
              {"seconds", one.seconds}};
    if (one.decided.counterexample) {
      json["rules"] = rules_in(*one.decided.counterexample);
      for (std::uint32_t p = 0; p < automaton.parameter_count(); ++p)
        json["parameters"][automaton.parameters[p]] = one.decided.counterexample->initial[p];
    }
    all.push_back(std::move(json));
  }
  return Json{{"command", "conform"},        {"protocol", request.runner->name()},       {"bugs", request.bugs},
              {"automaton", automaton.name}, {"verdict", name_of(conclusion_of(shown))}, {"counterexamples", all}};
}

}  // namespace nika::cli
