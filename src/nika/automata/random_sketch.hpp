// Random automata with unknowns in guards, starts and properties. For tests only.
#pragma once

#include <string>
#include <vector>

#include "nika/automata/random_automaton.hpp"
#include "nika/base/random.hpp"

namespace nika::automata {

inline std::string with_unknowns(std::string text) {
  const auto replace_all = [&text](const std::string& what, const std::string& with) {
    for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + with.size())) {
      text.replace(at, what.size(), with);
    }
  };
  replace_all("T + 1", "a * T + b");
  replace_all(">= T)", ">= a * T)");
  replace_all("N - T", "N - a * T");
  replace_all("< 2", "< b + 1");
  replace_all(">= 2)", ">= b * 2)");
  replace_all("parameters N, T;", "parameters N, T; unknowns a, b;");
  return text;
}

inline std::string random_sketch_text(std::uint64_t seed, std::uint32_t properties) {
  Random random(seed);
  std::vector<std::uint8_t> bytes;
  for (int i = 0; i < 300; ++i) bytes.push_back(static_cast<std::uint8_t>(random.next()));
  Choices choices(bytes);
  return with_unknowns(RandomAutomaton(choices).text(properties));
}

}  // namespace nika::automata
