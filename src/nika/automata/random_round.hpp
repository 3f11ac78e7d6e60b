// A small random automaton of one round with a round switch and random properties, decoded from a string of choices.
// For tests and benchmarks only.
#pragma once

#include <fmt/format.h>

#include <array>
#include <string>

#include "nika/automata/random_automaton.hpp"

namespace nika::automata {

struct RandomRound {
  std::string text;
  std::string round_switch;
};

class RandomRounds {
 public:
  explicit RandomRounds(Choices& choices) : choices_(choices) {}

  RandomRound next() {
    irregular_ = choices_.one_in(5);
    has_faulty_ = choices_.one_in(6);
    std::string text = "skel R {\n  shared x0, x1;\n  parameters n, t, f;\n";
    text += fmt::format("  assumptions {{ {}; t >= f; {}; }}\n", pick<3>({"n > 3 * t", "n > 2 * t", "n >= t + 2"}),
                        pick<2>({"t >= 1", "t <= 1"}));
    text += "  locations { v0; v1; m; p; d0; d1; e; z; }\n  inits { " + start();
    text += " m == 0; p == 0; d0 == 0; d1 == 0; e == 0; x0 == 0; x1 == 0; }\n  rules {\n" + rules();
    text += "  }\n  specifications {\n" + properties() + "  }\n}\n";
    return {text, switched()};
  }

 private:
  template <std::size_t N>
  std::string pick(const std::array<const char*, N>& words) {
    return words[choices_.below(N)];
  }

  std::string start() {
    std::string out = pick<5>({"v0 + v1 == n - f;", "v0 + v1 == n - f;", "v0 + v1 == n;", "v0 + v1 <= n - f;",
                               "v0 + v1 >= n - f; v0 + v1 <= n;"});
    return out + (has_faulty_ ? " z == f;" : " z == 0;");
  }

  std::string rules() {
    std::string out;
    const auto add = [&](const std::string& from, const std::string& to) {
      out += fmt::format("    {}: {} -> {} when ({}) do {{ {} }};\n", number_++, from, to, guard(), update());
    };
    static constexpr std::array<const char*, 7> kOrder{"v0", "v1", "m", "p", "d0", "d1", "e"};
    for (std::size_t i = 0; i < 4; ++i) {
      const std::size_t least = i < 2 ? 2 : i + 1;
      const std::uint32_t ways = 1 + choices_.below(2);
      for (std::uint32_t way = 0; way < ways; ++way)
        add(kOrder[i], kOrder[least + choices_.below(static_cast<std::uint32_t>(7 - least))]);
    }
    if (choices_.one_in(3)) out += fmt::format("    {}: m -> m when (true) do {{}};\n", number_++);
    return out;
  }

  std::string guard() {
    switch (choices_.below(7)) {
      case 0:
      case 1: return "true";
      case 2: return guard_atom() + " && " + guard_atom();
      case 3: return guard_atom() + " || " + guard_atom();
      default: return guard_atom();
    }
  }

  std::string guard_atom() {
    if (irregular_ && choices_.one_in(3)) return location() + pick<3>({" == 0", " >= 1", " < 2"});
    const std::string sum = pick<3>({"x0", "x1", "x0 + x1"});
    return fmt::format("{}{} {}", sum, pick<2>({" + f", ""}),
                       pick<7>({">= t + 1", ">= n - t", ">= 1", "< t + 1", "== 0", ">= 2", "< n - t"}));
  }

  std::string update() {
    if (irregular_ && choices_.one_in(4)) return pick<3>({"x0' == 0;", "x1' == x1 - 1;", "x0' == x1;"});
    return pick<5>({"", "x0' == x0 + 1;", "x1' == x1 + 1;", "x0' == x0 + 1;", "x0' == x0 + 1; x1' == x1 + 1;"});
  }

  std::string location() { return pick<7>({"v0", "v1", "m", "p", "d0", "d1", "e"}); }
  std::string final_location() { return pick<3>({"d0", "d1", "e"}); }

  std::string atom() {
    switch (choices_.below(5)) {
      case 0: return guard_atom();
      case 1: return location() + " != 0";
      case 2: return fmt::format("{} + {} == 0", location(), location());
      case 3: return location() + pick<3>({" < 2", " >= n - t", " <= x0"});
      default: return location() + " == 0";
    }
  }

  // Shapes that speak of all rounds, some more, and one that lets everybody enter the next.
  std::string properties() {
    std::string out;
    for (const char* start : {"v0", "v1"}) {
      out += fmt::format("    from_{}: {} == 0 -> []({} == 0{});\n", start, start, final_location(),
                         choices_.one_in(2) ? " && " + final_location() + " == 0" : "");
    }
    for (const char* name : {"first", "second"}) {
      out += fmt::format("    {}: []({} != 0 -> []({} == 0{}));\n", name, location(), final_location(),
                         choices_.one_in(2) ? " && " + final_location() + " == 0" : "");
    }
    out += fmt::format("    ends: <>[]({}) -> <>(v0 + v1 + m + p == 0);\n",
                       choices_.one_in(2) ? "v0 + v1 + m + p == 0 || " + atom() : "v0 == 0 && " + atom());
    out += fmt::format("    any0: {};\n    any1: {};\n", formula(2), formula(2));
    return out;
  }

  std::string formula(std::uint32_t depth) {
    if (depth == 0) return atom();
    switch (choices_.below(7)) {
      case 0: return fmt::format("<>({})", formula(depth - 1));
      case 1: return fmt::format("[]({})", formula(depth - 1));
      case 2: return fmt::format("({}) || ({})", formula(depth - 1), formula(depth - 1));
      case 3: return fmt::format("({}) -> ({})", formula(depth - 1), formula(depth - 1));
      case 4: return fmt::format("<>[]({}) -> <>({})", atom(), atom());
      case 5: return fmt::format("[]({} || {})", atom(), atom());
      default: return fmt::format("({}) -> []({})", atom(), atom());
    }
  }

  std::string switched() {
    std::string out = "z -> z";
    for (const char* final : {"d0", "d1", "e"}) out += fmt::format("; {} -> {}", final, pick<2>({"v0", "v1"}));
    return out;
  }

  Choices& choices_;
  std::uint32_t number_ = 0;
  bool irregular_ = false;   // resets, decrements, guards over locations
  bool has_faulty_ = false;  // in a place of their own
};

}  // namespace nika::automata
