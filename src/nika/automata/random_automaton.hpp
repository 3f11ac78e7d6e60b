// Small random automata with random properties, decoded from a string of choices so that a failing case can be shrunk
// by shortening it. For tests and benchmarks only.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

namespace nika::automata {

class Choices {
 public:
  explicit Choices(const std::vector<std::uint8_t>& bytes) : bytes_(bytes) {}
  // Below the bound; 0, the simplest, when the choices are used up.
  std::uint32_t below(std::uint32_t bound) { return position_ < bytes_.size() ? bytes_[position_++] % bound : 0; }
  bool one_in(std::uint32_t chance) { return below(chance) == chance - 1; }

 private:
  const std::vector<std::uint8_t>& bytes_;
  std::size_t position_ = 0;
};

// "Safety with resets": always some rule that resets, decreases or copies, and properties that finitely many steps
// refute.
enum class RandomKind { any, safety_with_resets };

class RandomAutomaton {
 public:
  explicit RandomAutomaton(Choices& choices, RandomKind kind = RandomKind::any)
      : choices_(choices), resets_(kind == RandomKind::safety_with_resets) {}

  // The text of an automaton with the given number of properties, named p0, p1, …
  std::string text(std::uint32_t properties) {
    locations_ = 2 + choices_.below(4);
    shared_ = 1 + choices_.below(2);
    cyclic_ = choices_.one_in(3);
    irregular_ = choices_.one_in(6) || resets_;
    std::string out = "thresholdAutomaton R {\n  local pc;\n  shared x0, x1;\n  parameters N, T;\n";
    static constexpr const char* kAssumptions[] = {"N >= 1; T >= 1", "N > T", "N > 2 * T; T >= 1", "N >= T; N >= 2"};
    out += fmt::format("  assumptions (0) {{ {}; }}\n  locations (0) {{ ", kAssumptions[choices_.below(4)]);
    for (std::uint32_t i = 0; i < locations_; ++i) out += fmt::format("l{}: [{}]; ", i, i);
    out += "}\n  inits (0) {\n    " + start();
    for (std::uint32_t i = 2; i < locations_; ++i) out += fmt::format("l{} == 0; ", i);
    out += choices_.one_in(12) ? "x0 <= 1; x1 == 0;" : "x0 == 0; x1 == 0;";
    out += "\n  }\n  rules (0) {\n";
    const std::uint32_t rules = 1 + choices_.below(5) + (resets_ ? 1 : 0);
    for (std::uint32_t i = 0; i < rules; ++i) out += rule(i);
    out += stays();
    out += "  }\n  specifications (0) {\n";
    for (std::uint32_t i = 0; i < properties; ++i)
      out += fmt::format("    p{}: {};\n", i,
                         resets_                  ? safety_formula()
                         : choices_.below(2) == 0 ? formula(3)
                                                  : usual_formula());
    return out + "  }\n}\n";
  }

 private:
  std::string start() {
    static constexpr const char* kStarts[] = {"l0 == N; l1 == 0; ", "l0 + l1 == N; ", "l0 == N - T; l1 == 0; ",
                                              "l0 + l1 == 2; "};
    return kStarts[choices_.below(4)];
  }

  std::string rule(std::uint32_t number) {
    const std::uint32_t source = choices_.below(locations_);
    std::uint32_t target = choices_.below(locations_);
    if (!cyclic_ && target <= source) target = source + 1 < locations_ ? source + 1 : source;
    const bool back = target <= source;
    std::string update;
    const std::uint32_t kind = choices_.below(back ? 12 : 5);
    if (kind == 1) update = "x0' == x0 + 1;";
    if (kind == 2 && shared_ > 1) update = "x1' == x1 + 1;";
    if (kind == 3) update = "x0' == x0 + 2;";
    if (kind == 4 && shared_ > 1) update = "x0' == x0 + 1; x1' == x1 + 1;";
    static constexpr const char* kIrregular[] = {"x0' == 0;", "x0' == x0 - 1;", "x1' == x0;"};
    if (irregular_ && (choices_.one_in(3) || (resets_ && number == 0))) update = kIrregular[choices_.below(3)];
    return fmt::format("    {}: l{} -> l{} when ({}) do {{ {} }};\n", number, source, target, guard(), update);
  }

  // Nowhere, which means everywhere; everywhere; or here and there, sometimes under conditions.
  std::string stays() {
    std::string out;
    const std::uint32_t kind = choices_.below(4);
    for (std::uint32_t i = 0; kind > 0 && i < locations_; ++i) {
      if (kind > 1 && choices_.below(2) == 0) continue;
      out += fmt::format("    stay{}: l{} -> l{} when ({}) do {{}};\n", i, i, i, kind == 3 ? guard() : "true");
    }
    return out;
  }

  std::string guard() {
    switch (choices_.below(8)) {
      case 0:
      case 1: return "true";
      case 2:
      case 3: return guard_atom();
      case 4: return guard_atom() + " && " + guard_atom();
      case 5: return guard_atom() + " || " + guard_atom();
      case 6: return variable() + " == " + std::to_string(choices_.below(2));
      default: return guard_atom();
    }
  }

  std::string guard_atom() {
    static constexpr const char* kCounts[] = {">= 1", ">= 2", "< 2", "== 0", "< x0"};
    if (irregular_ && choices_.one_in(4)) return fmt::format("{} {}", location(), kCounts[choices_.below(5)]);
    static constexpr const char* kBounds[] = {"1", "T", "T + 1", "N - T", "2", "N"};
    return fmt::format("{} {} {}", choices_.one_in(4) ? "x0 + x1" : variable(),
                       choices_.one_in(3) ? "<" : ">=", kBounds[choices_.below(6)]);
  }

  std::string variable() { return shared_ > 1 && choices_.below(2) == 1 ? "x1" : "x0"; }
  std::string location() { return fmt::format("l{}", choices_.below(locations_)); }

  std::string atom() {
    switch (choices_.below(10)) {
      case 0:
      case 1:
      case 2: return location() + " == 0";
      case 3:
      case 4: return location() + " != 0";
      case 5: return fmt::format("{} + {} == 0", location(), location());
      case 6: return guard_atom();
      case 7: return fmt::format("{} >= {}", location(), choices_.below(2) == 0 ? "2" : "N - T");
      case 8:
        return fmt::format("{} {} {}", location(),
                           choices_.below(2) == 0 ? "<" : ">=", choices_.below(2) == 0 ? location() : variable());
      default: return choices_.below(2) == 0 ? "N > 3" : "T >= 1";
    }
  }

  // The shapes that people write: safety, validity, response, and termination under fairness.
  std::string usual_formula() {
    switch (choices_.below(6)) {
      case 0: return fmt::format("[]({} || {})", atom(), atom());
      case 1: return fmt::format("({}) -> []({} && {})", atom(), atom(), atom());
      case 2: return fmt::format("[](({}) -> []({}))", atom(), atom());
      case 3: return fmt::format("[](({}) -> <>({} && {}))", atom(), atom(), atom());
      case 4:
        return fmt::format("<>[](({} || {}) && ({} || {})) -> <>({} && {})", atom(), atom(), atom(), atom(), atom(),
                           atom());
      default:
        return fmt::format("(<>[]({} || {}) && [](!({}))) -> (({}) -> <>[]({}))", atom(), atom(), atom(), atom(),
                           atom());
    }
  }

  std::string safety_formula() {
    switch (choices_.below(6)) {
      case 0: return fmt::format("[]({})", atom());
      case 1: return fmt::format("[]({} || {})", atom(), atom());
      case 2: return fmt::format("({}) -> []({} && {})", atom(), atom(), atom());
      case 3: return fmt::format("[](({}) -> []({}))", atom(), atom());
      case 4: return fmt::format("[]({}) || []({})", atom(), atom());
      default: return fmt::format("[]({} <= {})", variable(), choices_.below(2) == 0 ? "N" : "T + 1");
    }
  }

  std::string formula(std::uint32_t depth) {
    if (depth == 0) return atom();
    switch (choices_.below(9)) {
      case 0: return atom();
      case 1:
      case 2: return fmt::format("<>({})", formula(depth - 1));
      case 3:
      case 4: return fmt::format("[]({})", formula(depth - 1));
      case 5: return fmt::format("({}) && ({})", formula(depth - 1), formula(depth - 1));
      case 6: return fmt::format("({}) || ({})", formula(depth - 1), formula(depth - 1));
      case 7: return fmt::format("({}) -> ({})", formula(depth - 1), formula(depth - 1));
      default: return fmt::format("!({})", formula(depth - 1));
    }
  }

  Choices& choices_;
  std::uint32_t locations_ = 2;
  std::uint32_t shared_ = 1;
  bool cyclic_ = false;
  bool resets_;
  bool irregular_ = false;  // resets, decrements and guards over locations: outside the fragment
};

}  // namespace nika::automata
