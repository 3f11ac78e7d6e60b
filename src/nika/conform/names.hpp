// The locations, shared variables and parameters of an automaton by their names, for maps. Remembers what was missing.
#pragma once

#include <algorithm>
#include <string>

#include "nika/automata/automaton.hpp"

namespace nika::conform {

class Names {
 public:
  explicit Names(const automata::Automaton& automaton) : automaton_(automaton) {}

  std::uint32_t location(std::string_view name) {
    const auto& all = automaton_.locations;
    return position(std::ranges::find(all, name, &automata::Location::name), all, "location", name);
  }
  std::uint32_t variable(std::string_view name) {
    return position(std::ranges::find(automaton_.shared, name), automaton_.shared, "shared variable", name);
  }
  std::uint32_t parameter(std::string_view name) {
    return position(std::ranges::find(automaton_.parameters, name), automaton_.parameters, "parameter", name);
  }
  // "location 'idle'", or nothing.
  const std::string& missing() const { return missing_; }

 private:
  template <class Iterator>
  std::uint32_t position(Iterator found, const auto& all, std::string_view what, std::string_view name) {
    if (found != all.end()) return static_cast<std::uint32_t>(found - all.begin());
    if (missing_.empty()) missing_ = std::string(what) + " '" + std::string(name) + "'";
    return 0;
  }

  const automata::Automaton& automaton_;
  std::string missing_;
};

}  // namespace nika::conform
